import CEL
import Items
import Store

extension EntityStore {
  /// Mends what can be mended from the items, after a copy of the store was made beside it.
  ///
  /// Where pages of the file are damaged it is made anew as a whole. Where items are, or what tells
  /// where they are, nothing is changed.
  /// - Parameter progress: Is told what is being done, again and again while it takes long.
  /// - Throws: `readOnly`, `full`, `busy`; the store is then as it was or partly mended.
  /// - Complexity: O(n log n) for the size of the store.
  package func repair(progress: (String) -> Void = { _ in }) throws -> Repair {
    var check = try examine(progress)
    var result = Repair(found: check.problems)
    if check.problems.isEmpty || check.isBeyondRepair { return result }
    result.backup = try backUpBesides()
    var wasRemade = false
    // What is mended first may show what it hid; each step is taken twice at most.
    for _ in 0..<Self.mendingSteps where !check.problems.isEmpty && !check.isBeyondRepair {
      var mustRemake = check.isFileDamaged
      if !mustRemake {
        let isKept = check.problems
        do {
          result.losses += try mend(check.problems, progress)
          check = try examine(progress)
          if check.problems != isKept { continue }
        } catch let error as StoreError where error.isDamage {
          // A text index may be too damaged to be emptied.
        }
        mustRemake = true
      }
      guard mustRemake, !wasRemade else { break }
      wasRemade = true
      result.losses += try remake(progress)
      check = try examine(progress)
    }
    result.left = check.problems
    return result
  }

  /// In how many steps a store is mended at most.
  private static let mendingSteps = 6

  /// Makes the file anew from what the items' tables hold.
  private func remake(_ progress: (String) -> Void) throws -> [String] {
    guard case .file(let path) = location else {
      throw StoreError(.corrupt, "the store in memory is damaged")
    }
    return try StoreRemaking(path, makeUID: makeUID).run(progress)
  }

  /// Mends in place what disagrees with the items.
  private func mend(
    _ problems: [StoreProblem], _ progress: (String) -> Void
  ) throws -> [String] {
    try connection.transaction {
      var losses: [String] = []
      if problems.contains(where: { $0.kind == .changeLog }) {
        if try !connection.hasTable("errand_changes") {
          losses.append(Connection.loss(ofLogBut: 0))
        } else if let loss = try connection.cutChanges() {
          losses.append(loss)
        }
      }
      for records in RecordTables.all
      where problems.contains(where: { $0.kind == records.kind }) {
        try records.remake(in: self)
        losses.append(records.loss)
      }
      if problems.contains(where: { $0.kind == .run }) {
        losses += try journalCheck?.mend(at: context.now().microseconds) ?? []
      }
      try mendValues(problems)
      try connection.makeMissing(progress)
      for layout in try storedLayouts() {
        let kinds = Set(problems.filter { $0.entity == layout.name }.map(\.kind))
        if kinds.contains(.identity), let loss = try mendIdentities(of: layout) {
          losses.append(loss)
        }
        if kinds.contains(.numbers), let number = try connection.wrongNumber(of: layout.name) {
          try connection.run("DELETE FROM sqlite_sequence WHERE name = \(.text(layout.name))")
          try connection.setHighestNumber(of: layout.name, atLeast: number)
        }
        if kinds.contains(.textIndex) {
          progress("making the text index of \(layout.name) anew")
          try connection.run(EntityTable.rebuildTextIndex(layout.name + "_search"))
        }
        for list in layout.lists where kinds.contains(.listIndex) {
          progress("making the lists of \(layout.name) anew")
          try connection.run("DELETE FROM \(name: layout.listTable(list))")
          try connection.run(layout.fillList(list))
        }
        for (column, target) in layout.references where kinds.contains(.reference) {
          try connection.run(
            """
            UPDATE \(name: layout.name) SET \(name: column) = NULL \
            WHERE \(StoredLayout.isOrphan(column, target))
            """)
        }
      }
      return losses
    }
  }

  /// Replaces values that no store writes.
  private func mendValues(_ problems: [StoreProblem]) throws {
    let now = SQLValue.int(context.now().microseconds)
    for problem in problems where problem.kind == .value {
      guard let entity = problem.entity else { continue }
      for (column, isWrong) in StoredLayout.impossibleValues where column != "uid" {
        let other = column == "createdAt" ? "updatedAt" : "createdAt"
        try connection.run(
          """
          UPDATE \(name: entity) SET \(name: column) = \
          CASE WHEN typeof(\(name: other)) = 'integer' THEN \(name: other) ELSE \(now) END \
          WHERE \(isWrong)
          """)
      }
      let wrong = try connection.ids(in: entity, where: StoredLayout.impossibleValues[0].isWrong)
      for id in wrong {
        try connection.run(
          "UPDATE \(name: entity) SET uid = \(.blob(makeUID().bytes)) WHERE id = \(.int(id))")
      }
    }
  }
}

extension Connection {
  /// The numbers of the items that fulfil a condition.
  fileprivate func ids(in table: String, where condition: SQL) throws -> [Int64] {
    try numbers("SELECT id FROM \(name: table) NOT INDEXED WHERE \(condition)")
  }

  /// Forgets those entries of the log that make no sense, and all before them.
  ///
  /// - Returns: What is lost, in a sentence; nil when nothing is.
  func cutChanges() throws -> String? {
    let wrong: SQL = "SELECT max(sequence) FROM errand_changes WHERE NOT (\(StoredLayout.isChange))"
    guard case .int(let last)? = try first(wrong) else { return nil }
    try run("DELETE FROM errand_changes WHERE sequence <= \(.int(last))")
    guard case .int(let count)? = try first("SELECT count(*) FROM errand_changes") else {
      return nil
    }
    return Self.loss(ofLogBut: Int(count))
  }

  /// What it means that the log has only so many entries left.
  static func loss(ofLogBut count: Int) -> String {
    count == 0
      ? "the log of changes is lost: what was done before cannot be taken back"
      : "the log of changes is lost but for its last \(count) entries: what was done before them "
        + "cannot be taken back"
  }
}
