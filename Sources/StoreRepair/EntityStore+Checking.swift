import CSQLite
import Items
import Store

extension EntityStore {
  /// Looks for damage in the file, the indexes and the references.
  ///
  /// - Parameter progress: Is told what is being looked at, again and again while it takes long.
  /// - Throws: What is no damage, such as `busy`.
  /// - Complexity: O(n log n) for the size of the store, in bounded memory.
  package func check(progress: (String) -> Void = { _ in }) throws -> [StoreProblem] {
    try examine(progress).problems
  }

  /// Checks, and tells whether the file itself is damaged.
  func examine(_ progress: (String) -> Void) throws -> StoreCheck {
    try withoutActuallyEscaping(progress) { progress in
      var step = ""
      return try connection.withHeartbeat({ progress(step) }) {
        let tell = { (name: String) in
          step = name
          progress(name)
        }
        // One moment of the store: others may bring it to another definition meanwhile.
        var result = try connection.reading { try examineStepwise(tell) }
        if result.isFileDamaged || result.isBeyondRepair { return result }
        try examineTexts(&result, tell)
        return result
      }
    }
  }

  private func examineStepwise(_ progress: @escaping (String) -> Void) throws -> StoreCheck {
    var result = StoreCheck()
    let file = FileCheck(
      connection: connection, experiment: try experimentConnection(), progress: progress)
    result.problems = try file.problems(storedLayouts)
    result.isFileDamaged = !result.problems.isEmpty
    // The rest reads the tables, which makes sense only when they can be read.
    if result.isBeyondRepair { return result }
    let layouts = try storedLayouts()
    result.problems += try schemaProblems(of: layouts)
    if result.isBeyondRepair { return result }
    for layout in layouts {
      progress("the values of \(layout.name)")
      result.problems += try valueProblems(of: layout)
      result.problems += try identityProblems(of: layout)
    }
    if result.isFileDamaged { return result }
    result.problems += try numberProblems(of: layouts)
    result.problems += try logProblems()
    for records in RecordTables.all { result.problems += try problems(of: records) }
    if !result.problems.contains(where: { $0.kind == .journal }) {
      result.problems +=
        try journalCheck?.flaws().map {
          StoreProblem(kind: .run, entity: nil, message: $0.message)
        } ?? []
    }
    let unreadable = Set(
      result.problems.filter { $0.kind == .file || $0.kind == .listIndex }.compactMap(\.entity))
    for layout in layouts {
      if !unreadable.contains(layout.name) {
        progress("the lists of \(layout.name)")
        result.problems += try listProblems(of: layout)
      }
      progress("the references of \(layout.name)")
      result.problems += try referenceProblems(of: layout)
    }
    return result
  }

  /// Compares the text indexes with the items.
  ///
  /// FTS5 compares them by a statement that writes, which no reading of an earlier moment may do. So
  /// each is a moment of its own, in which nobody else can write, and what is recorded is read anew.
  private func examineTexts(_ result: inout StoreCheck, _ progress: (String) -> Void) throws {
    let unsearchable = Set(result.problems.filter { $0.kind == .textIndex }.compactMap(\.entity))
    for name in try storedLayouts().map(\.name) where !unsearchable.contains(name) {
      progress("the text index of \(name)")
      func problem() throws -> StoreProblem? {
        guard let layout = try storedLayouts().first(where: { $0.name == name }) else { return nil }
        return try TextIndexCheck(layout, connection).problem()
      }
      let found = try isReadOnly ? connection.reading(problem) : connection.transaction(problem)
      if let found { result.problems.append(found) }
    }
  }

  /// A connection that may try what is taken back; nil where nothing can be written.
  private func experimentConnection() throws -> Connection? {
    guard case .file(let path) = location, !isReadOnly else { return nil }
    return try Connection(
      file: path, flags: SQLITE_OPEN_READWRITE, path: path, isDefensive: false)
  }

  private func valueProblems(of layout: StoredLayout) throws -> [StoreProblem] {
    var problems: [StoreProblem] = []
    for (column, isWrong) in StoredLayout.impossibleValues {
      guard
        case .int(let count)? = try connection.first(
          "SELECT count(*) FROM \(name: layout.name) NOT INDEXED WHERE \(isWrong)"), count > 0
      else { continue }
      problems.append(
        StoreProblem(
          kind: .value, entity: layout.name,
          message: "\(count) of \(layout.name).\(column) are none that a store writes"))
    }
    return problems + (try jsonProblems(of: layout))
  }

  private func jsonProblems(of layout: StoredLayout) throws -> [StoreProblem] {
    try layout.jsonColumns.compactMap { column in
      guard
        case .int(let count)? = try connection.first(
          """
          SELECT count(*) FROM \(name: layout.name) NOT INDEXED \
          WHERE \(name: column) IS NOT NULL AND NOT json_valid(\(name: column))
          """), count > 0
      else { return nil }
      return StoreProblem(
        kind: .file, entity: layout.name,
        message: "\(count) of \(layout.name).\(column) cannot be read")
    }
  }

  /// Tables whose next number is none, or one that was given before.
  private func numberProblems(of layouts: [StoredLayout]) throws -> [StoreProblem] {
    var problems: [StoreProblem] = []
    for layout in layouts where try connection.wrongNumber(of: layout.name) != nil {
      problems.append(
        StoreProblem(
          kind: .numbers, entity: layout.name,
          message: "the highest number given to a \(layout.name) so far is not the one recorded"))
    }
    return problems
  }

  /// Entries of the log that nothing of ours wrote.
  private func logProblems() throws -> [StoreProblem] {
    func problem(_ message: String) -> [StoreProblem] {
      [StoreProblem(kind: .changeLog, entity: nil, message: message)]
    }
    guard try connection.hasTable("errand_changes") else {
      return problem("the log of changes is missing")
    }
    do {
      let wrong = try connection.first(
        "SELECT 1 FROM errand_changes WHERE NOT (\(StoredLayout.isChange)) LIMIT 1")
      return wrong == nil ? [] : problem("the log of changes has entries that make no sense")
    } catch let error as StoreError where error.isDamage {
      return problem("the log of changes cannot be read")
    }
  }

  /// Whether tables of the store's own are there, and agree with one another.
  private func problems(of records: RecordTables) throws -> [StoreProblem] {
    func problem(_ message: String) -> [StoreProblem] {
      [StoreProblem(kind: records.kind, entity: nil, message: message)]
    }
    let found = try records.names.filter { try connection.hasTable($0) }
    guard try metadata(records.key) != nil || !found.isEmpty else { return [] }
    guard found.count == records.names.count else {
      return problem("\(records.subject) is missing in part")
    }
    let wrong = try connection.first(records.nonsense)
    return wrong == nil ? [] : problem("\(records.subject) has lines that make no sense")
  }

  /// What looks at the journals of runs; nil where there are none.
  var journalCheck: JournalCheck? {
    get throws {
      guard try connection.hasTable("errand_runs") else { return nil }
      guard case .file(let path) = location else { return JournalCheck(connection, values: nil) }
      return JournalCheck(connection, values: Self.valueFolder(ofStore: path))
    }
  }

  private func listProblems(of layout: StoredLayout) throws -> [StoreProblem] {
    try layout.lists.compactMap { list in
      let rows: SQL = "SELECT value, createdAt, id FROM \(name: layout.listTable(list))"
      let elements = layout.elements(of: list)
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
          """
          SELECT count(*) FROM \(name: layout.name) \
          WHERE \(StoredLayout.isOrphan(column, target))
          """),
        count > 0
      else { return nil }
      return StoreProblem(
        kind: .reference, entity: layout.name,
        message: "\(count) of \(layout.name).\(column) refer to a \(target) that is not there")
    }
  }
}

extension StoredLayout {
  /// Whether a row of the log can be a change.
  static let isChange: SQL = """
    typeof(batch) = 'integer' AND batch BETWEEN 1 AND sequence \
    AND typeof(time) = 'integer' AND typeof(kind) = 'integer' AND kind BETWEEN 0 AND 5 \
    AND typeof(id) = 'integer' AND typeof(last) = 'integer' AND id > 0 AND last >= id \
    AND typeof(entity) = 'text' AND (kind = 5 AND entity = '' OR EXISTS \
    (SELECT 1 FROM errand_meta WHERE key = 'entity:' || entity)) \
    AND typeof(cause) = 'text' AND undone IN (0, 1) \
    AND CASE WHEN kind NOT IN (1, 2) OR kind = 2 AND cause = 'undo' THEN before IS NULL \
    WHEN typeof(before) = 'text' AND json_valid(before) THEN json_type(before) = 'object' \
    ELSE 0 END
    """

  /// The columns of which some value may be one that no store writes, with what tells it.
  static let impossibleValues: [(column: String, isWrong: SQL)] = [
    ("uid", "typeof(uid) <> 'blob' OR length(uid) <> 16"),
    ("createdAt", "typeof(createdAt) <> 'integer'"),
    ("updatedAt", "typeof(updatedAt) <> 'integer'"),
  ]

  /// Whether a column refers to an item that is not there.
  static func isOrphan(_ column: String, _ target: String) -> SQL {
    "\(name: column) IS NOT NULL AND \(name: column) NOT IN (SELECT id FROM \(name: target))"
  }
}
