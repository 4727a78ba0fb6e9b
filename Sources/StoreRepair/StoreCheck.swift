import CSQLite
import Items
import Store

/// Checks the file of a store, its tables, indexes and references.
struct StoreCheck {
  private let store: Database
  private var connection: Connection { store.connection }

  init(of store: Database) { self.store = store }

  /// The problems found.
  ///
  /// - Parameter progress: Called with the current step, repeatedly while it takes long.
  /// - Throws: Errors other than damage, such as `busy`.
  func problems(_ progress: (String) -> Void) throws -> [StoreProblem] {
    try withoutActuallyEscaping(progress) { progress in
      var step = ""
      return try connection.withHeartbeat({ progress(step) }) {
        let report = { (name: String) in
          step = name
          progress(name)
        }
        // One snapshot: others may migrate the store meanwhile.
        let (problems, isReadable) = try connection.reading { try contentProblems(report) }
        return isReadable ? try problems + textProblems(besides: problems, report) : problems
      }
    }
  }

  /// The problems of everything but the contents of text indexes, and whether those can be checked.
  private func contentProblems(
    _ progress: @escaping (String) -> Void
  ) throws -> ([StoreProblem], isReadable: Bool) {
    var problems = try FileCheck(
      connection: connection, experiment: try experimentConnection(), progress: progress
    ).problems(connection.storedLayouts)
    // The schema cannot be trusted, or items are unreadable.
    func isBeyondRepair() -> Bool { problems.contains { $0.kind == .file } }
    if isBeyondRepair() { return (problems, false) }
    let hasDamagedPages = !problems.isEmpty
    let layouts = try connection.storedLayouts()
    problems += try schemaProblems(of: layouts)
    if isBeyondRepair() { return (problems, false) }
    if !hasDamagedPages { problems += try recordProblems() }
    for layout in layouts {
      progress("the items of \(layout.name)")
      problems += try itemProblems(of: layout, besides: problems, rowsAlone: hasDamagedPages)
    }
    return (problems, !hasDamagedPages && !isBeyondRepair())
  }

  /// The problems of system tables.
  private func recordProblems() throws -> [StoreProblem] {
    let problems = try SystemTables.all.flatMap { try self.problems(of: $0) }
    if problems.contains(where: { $0.kind == .init(.journal) }) { return problems }
    return try problems + (JournalCheck(of: store)?.flaws().map { .init(.run, $0.message) } ?? [])
  }

  /// The problems of an entity's items.
  ///
  /// - Parameter rowsAlone: Whether only their table is checked.
  private func itemProblems(
    of layout: StoredLayout, besides known: [StoreProblem], rowsAlone: Bool
  ) throws -> [StoreProblem] {
    let name = layout.name
    let hasLists = !known.contains { $0.kind == .listIndex && $0.entity == name }
    let queries = try layout.queries(hasLog: connection.hasTable("errand_changes")).filter {
      rowsAlone ? [.value, .file].contains($0.kind) : hasLists || $0.kind != .listIndex
    }
    var problems = try queries.compactMap { query -> StoreProblem? in
      guard let count = try connection.number(query.count), count > 0 else { return nil }
      return .init(query.kind, of: name, query.message(count))
    }
    if rowsAlone { return problems }
    let wrong = try store.wrongIdentities(of: layout)
    if wrong > 0 {
      problems.append(
        .init(
          .identity, of: name,
          "\(wrong) of \(name) have a wrong identity key"))
    }
    return problems
  }

  /// A connection for changes that are rolled back; nil when the store cannot be written.
  private func experimentConnection() throws -> Connection? {
    guard case .file(let path) = store.location, !store.isReadOnly else { return nil }
    return try Connection(file: path, flags: SQLITE_OPEN_READWRITE, path: path, isDefensive: false)
  }

  /// Missing tables and indexes, and tables without a recorded schema.
  private func schemaProblems(of layouts: [StoredLayout]) throws -> [StoreProblem] {
    let names = Set(layouts.map(\.name))
    let objects = try connection.objectNames()
    return try connection.itemTables().filter { !names.contains($0) }.map {
      .init(.file, of: $0, "the store has no schema for its table \($0)")
    }
      + connection.recordedEntities().filter { !objects.contains($0) }.map {
        .init(.file, of: $0, "the table of \($0) is missing")
      }
      + layouts.flatMap { layout in
        layout.needs.filter { !$0.objects.allSatisfy(objects.contains) }.map {
          .init($0.kind, of: layout.name, "\($0.subject) is missing")
        }
      }
  }

  /// Checks that system tables exist and contain only valid rows.
  private func problems(of records: SystemTables) throws -> [StoreProblem] {
    func problem(_ what: String) -> [StoreProblem] {
      [.init(.init(records), "\(records.subject) \(what)")]
    }
    let found = try records.tables.filter { try connection.hasTable($0.name) }
    let isWanted = try records.isMadeFirst || store.metadata(records.key) != nil
    guard isWanted || !found.isEmpty else { return [] }
    guard found.count == records.tables.count else {
      return problem(found.isEmpty ? "is missing" : "is incomplete")
    }
    let hasInvalidRow = try found.contains { table in
      try connection.exists(
        "SELECT 1 FROM \(name: table.name) WHERE (\(table.isRow)) IS NOT TRUE LIMIT 1")
    }
    return hasInvalidRow ? problem("has invalid entries") : []
  }

  /// Compares the text indexes with the items.
  ///
  /// FTS5's check is a statement that writes, which a read snapshot does not allow. So each index
  /// is checked in a separate transaction, with the schema read again.
  private func textProblems(
    besides problems: [StoreProblem], _ progress: (String) -> Void
  ) throws -> [StoreProblem] {
    let unsearchable = Set(problems.filter { $0.kind == .textIndex }.compactMap(\.entity))
    let names = try connection.storedLayouts().map(\.name).filter { !unsearchable.contains($0) }
    return try names.compactMap { name in
      progress("the text index of \(name)")
      func problem() throws -> StoreProblem? {
        try connection.storedLayouts().first { $0.name == name }
          .flatMap { try TextIndexCheck($0, connection).problem() }
      }
      return try store.isReadOnly ? connection.reading(problem) : connection.transaction(problem)
    }
  }
}

extension StoredLayout {
  /// The objects that the recorded schema needs besides the items.
  fileprivate var needs: [(kind: StoreProblem.Kind, subject: String, objects: [String])] {
    guard let recorded else { return [] }
    let table = EntityTable(recorded)
    let indexes =
      [name + "_by_date", name + "_by_use"] + table.indexedColumns.map { table.indexName($0.name) }
    let lists = table.indexedLists.map { listTable(recorded.properties[$0].name) }
    return indexes.map { (.index, "the index \($0)", [$0]) }
      + lists.map { (.listIndex, "the index \($0)", [$0]) }
      + (table.searched.isEmpty
        ? [] : [(.textIndex, "the text index of \(name)", [table.searchName, table.textName])])
  }

  /// A query that counts damaged items or indexes.
  fileprivate struct Query {
    let kind: StoreProblem.Kind
    let count: SQL
    let message: (Int64) -> String
  }

  /// The queries that check an entity's items.
  fileprivate func queries(hasLog: Bool) -> [Query] {
    func items(_ kind: StoreProblem.Kind, _ column: String, _ isWrong: SQL, what: String) -> Query {
      Query(
        kind: kind, count: "SELECT count(*) FROM \(name: name) NOT INDEXED WHERE \(isWrong)"
      ) { [name] in "\($0) of \(name).\(column) \(what)" }
    }
    let impossible: [(String, SQL)] = [
      ("uid", "typeof(uid) <> 'blob' OR length(uid) <> 16"),
      ("createdAt", "typeof(createdAt) <> 'integer'"),
      ("updatedAt", "typeof(updatedAt) <> 'integer'"),
    ]
    return impossible.map { items(.value, $0, $1, what: "are invalid") }
      + jsonColumns.map {
        items(
          .file, $0, "\(name: $0) IS NOT NULL AND NOT json_valid(\(name: $0))",
          what: "cannot be read")
      }
      + references.map { column, target in
        items(
          .reference, column, Self.isOrphan(column, target),
          what: "refer to a missing \(target)")
      } + lists.map(listQuery) + (hasLog ? [numberQuery] : [])
  }

  /// Compares the table of a list with the items.
  private func listQuery(_ list: String) -> Query {
    let rows: SQL = "SELECT value, createdAt, id FROM \(name: listTable(list))"
    let elements = elements(of: list)
    return Query(
      kind: .listIndex,
      count: "SELECT EXISTS (\(rows) EXCEPT \(elements)) OR EXISTS (\(elements) EXCEPT \(rows))"
    ) { [name] _ in "the index of \(name).\(list) does not match its items" }
  }

  /// Checks that ids can neither be reused nor run out.
  private var numberQuery: Query {
    let likely = SQLValue.int(DamagedTable.highestLikelyNumber)
    return Query(
      kind: .numbers,
      count: """
        SELECT count(*) FROM (SELECT max(\
        coalesce((SELECT max(id) FROM \(name: name) NOT INDEXED WHERE id <= \(likely)), 0), \
        coalesce((SELECT max(last) FROM errand_changes WHERE entity = \(.text(name)) \
        AND typeof(last) = 'integer' AND last <= \(likely)), 0)) AS highest) \
        LEFT JOIN sqlite_sequence ON name = \(.text(name)) \
        WHERE CASE typeof(seq) WHEN 'null' THEN highest > 0 \
        WHEN 'integer' THEN seq < highest OR seq > \(likely) ELSE 1 END
        """
    ) { [name] _ in "the recorded highest id of \(name) is wrong" }
  }

  /// The condition that a column refers to a missing item.
  static func isOrphan(_ column: String, _ target: String) -> SQL {
    "\(name: column) IS NOT NULL AND \(name: column) NOT IN (SELECT id FROM \(name: target))"
  }
}
