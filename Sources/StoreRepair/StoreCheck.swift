import CSQLite
import Items
import Store

/// Looks for damage in the file of a store, its tables, indexes and references.
struct StoreCheck {
  private let store: Database
  private var connection: Connection { store.connection }

  init(of store: Database) { self.store = store }

  /// What is wrong.
  ///
  /// - Parameter progress: Is told what is being looked at, again and again while it takes long.
  /// - Throws: What is no damage, such as `busy`.
  func problems(_ progress: (String) -> Void) throws -> [StoreProblem] {
    try withoutActuallyEscaping(progress) { progress in
      var step = ""
      return try connection.withHeartbeat({ progress(step) }) {
        let tell = { (name: String) in
          step = name
          progress(name)
        }
        // One moment of the store: others may bring it to another definition meanwhile.
        let (problems, isReadable) = try connection.reading { try contentProblems(tell) }
        return isReadable ? try problems + textProblems(besides: problems, tell) : problems
      }
    }
  }

  /// What is wrong with all but the words of the text indexes, and whether these can be looked at.
  private func contentProblems(
    _ progress: @escaping (String) -> Void
  ) throws -> ([StoreProblem], isReadable: Bool) {
    var problems = try FileCheck(
      connection: connection, experiment: try experimentConnection(), progress: progress
    ).problems(connection.storedLayouts)
    // What tells where the items are cannot be relied on, or they cannot be read.
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

  /// What is wrong with tables of the store's own.
  private func recordProblems() throws -> [StoreProblem] {
    let problems = try RecordTables.all.flatMap { try self.problems(of: $0) }
    if problems.contains(where: { $0.kind == .init(.journal) }) { return problems }
    return try problems
      + (JournalCheck(of: store)?.flaws().map { .init(.run, $0.message) } ?? [])
  }

  /// What is wrong with an entity's items.
  ///
  /// - Parameter rowsAlone: Whether nothing but their table is looked at.
  private func itemProblems(
    of layout: StoredLayout, besides known: [StoreProblem], rowsAlone: Bool
  ) throws -> [StoreProblem] {
    let name = layout.name
    let hasLists = !known.contains { $0.kind == .listIndex && $0.entity == name }
    let queries = try layout.queries(hasLog: connection.hasTable("errand_changes")).filter {
      rowsAlone ? [.value, .file].contains($0.kind) : hasLists || $0.kind != .listIndex
    }
    var problems = try queries.compactMap { query -> StoreProblem? in
      guard case .int(let count)? = try connection.first(query.count), count > 0 else { return nil }
      return .init(query.kind, of: name, query.message(count))
    }
    if rowsAlone { return problems }
    let strangers = try IdentityCheck(layout, store).wrongCount()
    if strangers > 0 {
      problems.append(
        .init(
          .identity, of: name,
          "\(strangers) of \(name) are not found by what tells them from others"))
    }
    return problems
  }

  /// A connection that may try what is taken back; nil where nothing can be written.
  private func experimentConnection() throws -> Connection? {
    guard case .file(let path) = store.location, !store.isReadOnly else { return nil }
    return try Connection(
      file: path, flags: SQLITE_OPEN_READWRITE, path: path, isDefensive: false)
  }

  /// What the definitions need and the file has not, and tables of which nothing is recorded.
  private func schemaProblems(of layouts: [StoredLayout]) throws -> [StoreProblem] {
    let names = Set(layouts.map(\.name))
    let objects = try connection.objectNames()
    return try connection.itemTables().filter { !names.contains($0) }.map {
      .init(.file, of: $0, "the store does not tell what its table \($0) holds")
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

  /// Whether tables of the store's own are there, and agree with one another.
  private func problems(of records: RecordTables) throws -> [StoreProblem] {
    func problem(_ what: String) -> [StoreProblem] {
      [.init(.init(records), "\(records.subject) \(what)")]
    }
    let found = try records.tables.filter { try connection.hasTable($0.name) }
    let isWanted = try records.isMadeFirst || store.metadata(records.key) != nil
    guard isWanted || !found.isEmpty else { return [] }
    guard found.count == records.tables.count else {
      return problem(found.isEmpty ? "is missing" : "is missing in part")
    }
    let hasNonsense = try found.contains { table in
      try connection.first(
        "SELECT 1 FROM \(name: table.name) WHERE (\(table.isRow)) IS NOT TRUE LIMIT 1") != nil
    }
    return hasNonsense ? problem("has entries that make no sense") : []
  }

  /// Compares the text indexes with the items.
  ///
  /// FTS5 compares them by a statement that writes, which no reading of an earlier moment may do. So
  /// each is a moment of its own, in which nobody else can write, and what is recorded is read anew.
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
  /// What the recorded definition needs in the file besides the items.
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

  /// A query that tells how many items, or indexes of them, have something wrong.
  fileprivate struct Query {
    let kind: StoreProblem.Kind
    let count: SQL
    let message: (Int64) -> String
  }

  /// What is asked of an entity's items.
  fileprivate func queries(hasLog: Bool) -> [Query] {
    func items(_ kind: StoreProblem.Kind, _ column: String, _ isWrong: SQL, _ what: String) -> Query
    {
      Query(
        kind: kind, count: "SELECT count(*) FROM \(name: name) NOT INDEXED WHERE \(isWrong)"
      ) { [name] in "\($0) of \(name).\(column) \(what)" }
    }
    let impossible: [(String, SQL)] = [
      ("uid", "typeof(uid) <> 'blob' OR length(uid) <> 16"),
      ("createdAt", "typeof(createdAt) <> 'integer'"),
      ("updatedAt", "typeof(updatedAt) <> 'integer'"),
    ]
    return impossible.map { items(.value, $0, $1, "are none that a store writes") }
      + jsonColumns.map {
        items(
          .file, $0, "\(name: $0) IS NOT NULL AND NOT json_valid(\(name: $0))", "cannot be read")
      }
      + references.map { column, target in
        items(
          .reference, column, Self.isOrphan(column, target),
          "refer to a \(target) that is not there")
      } + lists.map(listQuery) + (hasLog ? [numberQuery] : [])
  }

  /// Whether the table of a list has other elements than the items.
  private func listQuery(_ list: String) -> Query {
    let rows: SQL = "SELECT value, createdAt, id FROM \(name: listTable(list))"
    let elements = elements(of: list)
    return Query(
      kind: .listIndex,
      count: """
        SELECT EXISTS (\(rows) EXCEPT \(elements)) OR EXISTS (\(elements) EXCEPT \(rows))
        """
    ) { [name] _ in "the index of \(name).\(list) does not agree with its items" }
  }

  /// Whether a number could be given a second time, or none any more.
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
    ) { [name] _ in "the highest number given to a \(name) so far is not the one recorded" }
  }

  /// Whether a column refers to an item that is not there.
  static func isOrphan(_ column: String, _ target: String) -> SQL {
    "\(name: column) IS NOT NULL AND \(name: column) NOT IN (SELECT id FROM \(name: target))"
  }
}
