import CEL

extension EntityStore {
  /// Looks for damage in the file, the indexes and the references.
  ///
  /// - Complexity: O(size of the store).
  public func check() throws -> [StoreProblem] {
    var problems: [StoreProblem] = []
    do {
      try connection.rows("PRAGMA integrity_check(20)") { row in
        let text = row.text(0)
        if text != "ok" { problems.append(Self.problem(fromCheck: text)) }
        return true
      }
    } catch let error as StoreError where error.code == .corrupt {
      // Damage may also end the check.
      problems.append(StoreProblem(kind: .file, entity: nil, message: error.message))
    }
    // The rest reads the tables, which makes sense only when they can be read.
    if problems.contains(where: { $0.kind == .file }) { return problems }
    for layout in try storedLayouts() {
      problems += try textProblems(of: layout)
      problems += try listProblems(of: layout)
      problems += try referenceProblems(of: layout)
    }
    return problems
  }

  /// Mends what can be mended in place; what remains is returned.
  ///
  /// - Throws: `readOnly`, `full`.
  public func repair() throws -> [StoreProblem] {
    let problems = try check()
    try connection.transaction {
      if problems.contains(where: { $0.kind == .index }) { try connection.run("REINDEX") }
      for layout in try storedLayouts() {
        let kinds = Set(problems.filter { $0.entity == layout.name }.map(\.kind))
        if kinds.contains(.textIndex) { try rebuildTextIndex(of: layout) }
        for list in layout.lists where kinds.contains(.listIndex) {
          try rebuildList(list, of: layout)
        }
        for (column, target) in layout.references where kinds.contains(.reference) {
          try connection.run(
            """
            UPDATE \(name: layout.name) SET \(name: column) = NULL \
            WHERE \(Self.isOrphan(column, target))
            """)
        }
      }
    }
    return problems.isEmpty ? [] : try check()
  }

  // MARK: Checks

  /// Tells damage of an index, which can be made anew, from damage of the file.
  private static func problem(fromCheck text: String) -> StoreProblem {
    let isIndex =
      text.contains("missing from index") || text.contains("wrong # of entries in index")
      || text.contains("non-unique entry in index")
    return StoreProblem(kind: isIndex ? .index : .file, entity: nil, message: text)
  }

  private func textProblems(of layout: StoredLayout) throws -> [StoreProblem] {
    guard layout.hasTextIndex, !isReadOnly else { return [] }
    let name = layout.name + "_search"
    do {
      // With a rank of 1 the index is compared with the items (fts5.html §6.4).
      try connection.run(
        "INSERT INTO \(name: name) (\(name: name), rank) VALUES ('integrity-check', 1)")
      return []
    } catch let error as StoreError where error.code == .corrupt {
      return [
        StoreProblem(
          kind: .textIndex, entity: layout.name,
          message: "the text index of \(layout.name) does not agree with its items")
      ]
    }
  }

  private func listProblems(of layout: StoredLayout) throws -> [StoreProblem] {
    try layout.lists.compactMap { list in
      let rows: SQL = "SELECT value, createdAt, id FROM \(name: "\(layout.name)_list_\(list)")"
      let elements = Self.elements(of: list, in: layout)
      let difference = try connection.first(
        """
        SELECT 1 WHERE EXISTS (\(rows) EXCEPT \(elements)) OR EXISTS (\(elements) EXCEPT \(rows))
        """)
      return difference == nil
        ? nil
        : StoreProblem(
          kind: .listIndex, entity: layout.name,
          message: "the index of \(layout.name).\(list) does not agree with its items")
    }
  }

  private func referenceProblems(of layout: StoredLayout) throws -> [StoreProblem] {
    try layout.references.compactMap { column, target in
      guard
        case .int(let count)? = try connection.first(
          "SELECT count(*) FROM \(name: layout.name) WHERE \(Self.isOrphan(column, target))"),
        count > 0
      else { return nil }
      return StoreProblem(
        kind: .reference, entity: layout.name,
        message: "\(count) of \(layout.name).\(column) refer to a \(target) that is not there")
    }
  }

  private static func isOrphan(_ column: String, _ target: String) -> SQL {
    "\(name: column) IS NOT NULL AND \(name: column) NOT IN (SELECT id FROM \(name: target))"
  }

  private static func elements(of list: String, in layout: StoredLayout) -> SQL {
    """
    SELECT e.value, t.createdAt, t.id \
    FROM \(name: layout.name) AS t, json_each(t.\(name: list)) AS e
    """
  }

  // MARK: Repairs

  private func rebuildTextIndex(of layout: StoredLayout) throws {
    let name = layout.name + "_search"
    do {
      try connection.run("INSERT INTO \(name: name) (\(name: name)) VALUES ('rebuild')")
    } catch let error as StoreError where error.code == .corrupt {
      // Too damaged to be emptied: it is made as the schema says.
      guard
        case .text(let create)? = try connection.first(
          "SELECT sql FROM sqlite_schema WHERE name = \(.text(name))")
      else { throw error }
      try connection.run("DROP TABLE \(name: name)")
      try connection.run("\(raw: create)")
      try connection.run("INSERT INTO \(name: name) (\(name: name)) VALUES ('rebuild')")
    }
  }

  private func rebuildList(_ list: String, of layout: StoredLayout) throws {
    let name = "\(layout.name)_list_\(list)"
    try connection.run("DELETE FROM \(name: name)")
    try connection.run(
      """
      INSERT OR IGNORE INTO \(name: name) (value, createdAt, id) \
      \(Self.elements(of: list, in: layout))
      """)
  }
}
