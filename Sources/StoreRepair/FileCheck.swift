import CSQLite
import Store

/// Checks the pages of a store's file, and attributes damage to tables.
struct FileCheck {
  /// A connection to the file.
  let connection: Connection
  /// Another connection, for schema changes that are rolled back; nil when the store cannot be
  /// written.
  let experiment: Connection?
  let progress: (String) -> Void

  /// The maximum number of messages per table; the first one decides.
  private static let limit = "20"

  /// The damage; empty when SQLite finds none.
  ///
  /// - Throws: Errors other than damage, such as `busy`.
  /// - Complexity: O(size of the file), twice that when it is damaged.
  func problems(_ layouts: () throws -> [StoredLayout]) throws -> [StoreProblem] {
    progress("the file")
    // Later releases of SQLite also check FTS5; `TextIndexCheck` is more thorough.
    let messages = try Self.messages(of: Self.limit, on: connection)
      .filter { !$0.contains("FTS5 table") }
    guard let first = messages.first else { return [] }
    do {
      // With a damaged schema, nothing else can be trusted.
      if let message = try Self.messages(of: "sqlite_schema", on: connection).first {
        return [Self.whole(message)]
      }
      let problems = try problems(byTable: layouts())
      if !problems.isEmpty { return problems }
    } catch let error as StoreError where error.isDamage { return [Self.whole(error.message)] }
    return [.init(.unusedPages, "the list of the file's unused pages is damaged (\(first))")]
  }

  private func problems(byTable layouts: [StoredLayout]) throws -> [StoreProblem] {
    var problems: [StoreProblem] = []
    let names = try connection.texts(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name")
    for name in names {
      progress("the pages of \(name)")
      if let message = try Self.messages(of: SQL.quoted(name), on: connection).first {
        problems.append(try problem(of: name, layouts, message))
      }
    }
    return problems
  }

  /// Classifies the damage of a table or its indexes.
  private func problem(
    of table: String, _ layouts: [StoredLayout], _ message: String
  ) throws -> StoreProblem {
    if let records = SystemTables.all.first(where: { $0.tables.contains { $0.name == table } }) {
      return .init(.init(records), "\(records.subject) is damaged (\(message))")
    }
    if table == "sqlite_sequence" {
      return .init(.numbers, "the table of assigned ids is damaged")
    }
    for layout in layouts {
      let name = layout.name
      if layout.lists.contains(where: { table == layout.listTable($0) }) {
        return .init(.listIndex, of: name, "the index \(table) is damaged (\(message))")
      }
      if layout.hasTextIndex, StoredLayout.textTables.contains(where: { table == name + $0 }) {
        return .init(.textIndex, of: name, "the text index of \(name) is damaged (\(message))")
      }
    }
    if let damage = try damage(ofRowsOf: table) {
      let entity = layouts.first { $0.name == table }?.name
      let what = entity.map { "items of \($0)" } ?? "the table \(table)"
      return .init(.file, of: entity, "\(what) are on damaged pages (\(damage))")
    }
    var text = "an index of \(table) is damaged (\(message))"
    if let lost = rowsMissing(in: table), lost > 0 {
      text += "; it lists \(lost) items that are lost"
    }
    return .init(.index, of: table, text)
  }

  /// The damage of a table apart from its indexes; nil when all its rows are readable.
  ///
  /// The table's indexes are removed from the schema in a transaction that is rolled back.
  private func damage(ofRowsOf table: String) throws -> String? {
    guard let experiment else { return "a read-only store cannot be checked further" }
    var columns: [String] = []
    var isKeyed = false
    try experiment.each("SELECT name, pk FROM pragma_table_info(\(.text(table)))") { row in
      isKeyed = isKeyed || row.text(0) == "id" && row.int(1) == 1
      columns.append(SQL.quoted(row.text(0)) + (row.text(0) == "id" ? " INTEGER PRIMARY KEY" : ""))
    }
    // The rows of other tables are stored in an index, which cannot be removed.
    guard isKeyed else { return try Self.messages(of: SQL.quoted(table), on: experiment).first }
    let plain = "CREATE TABLE \(SQL.quoted(table)) (\(columns.joined(separator: ", ")))"
    try experiment.run("PRAGMA writable_schema = ON")
    try experiment.run("BEGIN IMMEDIATE")
    defer {
      // If the rollback fails, closing the connection does it.
      try? experiment.run("ROLLBACK")
      try? experiment.run("PRAGMA writable_schema = RESET")
    }
    try experiment.run(
      "UPDATE sqlite_schema SET sql = \(.text(plain)) WHERE type = 'table' AND name = \(.text(table))"
    )
    try experiment.run(
      "DELETE FROM sqlite_schema WHERE type = 'index' AND tbl_name = \(.text(table))")
    // Makes SQLite reload the schema.
    try experiment.run("PRAGMA writable_schema = RESET")
    return try Self.messages(of: SQL.quoted(table), on: experiment).first
  }

  /// The number of rows that an entity's index has and its table lacks; nil when it has no index,
  /// or it is unreadable.
  private func rowsMissing(in table: String) -> Int64? {
    let counts = try? connection.numbers(
      """
      SELECT count(*) FROM \(name: table) INDEXED BY \(name: table + "_by_date") \
      UNION ALL SELECT count(*) FROM \(name: table) NOT INDEXED
      """)
    return counts.map { $0[0] - $0[1] }
  }

  /// SQLite's messages about a table, or about the whole file when `subject` is a number.
  private static func messages(of subject: String, on connection: Connection) throws -> [String] {
    var messages: [String] = []
    do {
      try connection.each("PRAGMA integrity_check(\(raw: subject))") { row in
        // The first line of a message names the database.
        let lines = row.text(0).split(separator: "\n").filter { !$0.hasPrefix("*** in database") }
        let text = lines.joined(separator: " ")
        if text != "ok", !text.isEmpty { messages.append(text) }
      }
    } catch let error as StoreError where error.isDamage {
      // Damage may also abort the check.
      messages.append(String(cString: sqlite3_errstr(error.sqliteCode)))
    }
    return messages
  }

  private static func whole(_ message: String) -> StoreProblem {
    .init(.file, "the pages that lead to the items are damaged (\(message))")
  }
}
