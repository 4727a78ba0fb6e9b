import CSQLite
import Store

/// Looks for damage in the pages of a store's file, and tells what it belongs to.
struct FileCheck {
  /// A connection to the file.
  let connection: Connection
  /// Another one, which may change the schema in a transaction that is taken back; nil where
  /// nothing can be written.
  let experiment: Connection?
  let progress: (String) -> Void

  /// How many mistakes of one table are looked for; the first one decides.
  private static let limit = "20"

  /// The damage; none in a file that SQLite finds sound.
  ///
  /// - Throws: What is no damage, such as `busy`.
  /// - Complexity: O(size of the file), and twice that when it is damaged.
  func problems(_ layouts: () throws -> [StoredLayout]) throws -> [StoreProblem] {
    progress("the file")
    // Later releases of SQLite ask FTS5, too, which is done more thoroughly elsewhere.
    let messages = try Self.messages(of: Self.limit, on: connection)
      .filter { !$0.contains("FTS5 table") }
    guard let first = messages.first else { return [] }
    do {
      // Where the schema cannot be relied on, neither can what follows.
      if let message = try Self.messages(of: "sqlite_schema", on: connection).first {
        return [Self.whole(message)]
      }
      let problems = try problems(byTable: layouts())
      if !problems.isEmpty { return problems }
    } catch let error as StoreError where error.isDamage {
      return [Self.whole(error.message)]
    }
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

  /// What the damage of a table and its indexes amounts to.
  private func problem(
    of table: String, _ layouts: [StoredLayout], _ message: String
  ) throws -> StoreProblem {
    if let records = RecordTables.all.first(where: { $0.tables.contains { $0.name == table } }) {
      return .init(.init(records), "\(records.subject) is damaged (\(message))")
    }
    if table == "sqlite_sequence" {
      return .init(.numbers, "the table of the numbers given so far is damaged")
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
      text += "; it names \(lost) items more than there are, which cannot be brought back"
    }
    return .init(.index, of: table, text)
  }

  /// The damage of a table without its indexes; nil when all its rows can be read.
  ///
  /// The schema is changed so that the table has no index, in a transaction that is taken back.
  private func damage(ofRowsOf table: String) throws -> String? {
    guard let experiment else { return "it cannot be written, so no more can be told" }
    var columns: [String] = []
    var isKeyed = false
    try experiment.rows("SELECT name, pk FROM pragma_table_info(\(.text(table)))") { row in
      isKeyed = isKeyed || row.text(0) == "id" && row.int(1) == 1
      columns.append(SQL.quoted(row.text(0)) + (row.text(0) == "id" ? " INTEGER PRIMARY KEY" : ""))
      return true
    }
    // Another table has its rows in an index, which cannot be done without.
    guard isKeyed else { return try Self.messages(of: SQL.quoted(table), on: experiment).first }
    let plain = "CREATE TABLE \(SQL.quoted(table)) (\(columns.joined(separator: ", ")))"
    try experiment.run("PRAGMA writable_schema = ON")
    try experiment.run("BEGIN IMMEDIATE")
    defer {
      // Nothing was meant to stay; a connection that fails at this is closed, which does it too.
      try? experiment.run("ROLLBACK")
      try? experiment.run("PRAGMA writable_schema = RESET")
    }
    try experiment.run(
      "UPDATE sqlite_schema SET sql = \(.text(plain)) WHERE type = 'table' AND name = \(.text(table))"
    )
    try experiment.run(
      "DELETE FROM sqlite_schema WHERE type = 'index' AND tbl_name = \(.text(table))")
    // The schema is read again.
    try experiment.run("PRAGMA writable_schema = RESET")
    return try Self.messages(of: SQL.quoted(table), on: experiment).first
  }

  /// How many rows an index of an entity's table has more than the table; nil where it has none or
  /// cannot be read.
  private func rowsMissing(in table: String) -> Int64? {
    let counts = try? connection.numbers(
      """
      SELECT count(*) FROM \(name: table) INDEXED BY \(name: table + "_by_date") \
      UNION ALL SELECT count(*) FROM \(name: table) NOT INDEXED
      """)
    return counts.map { $0[0] - $0[1] }
  }

  /// What SQLite has to say against a table, or the whole file for a number.
  private static func messages(of subject: String, on connection: Connection) throws -> [String] {
    var messages: [String] = []
    do {
      try connection.rows("PRAGMA integrity_check(\(raw: subject))") { row in
        // The name of the database stands on a line before the rest.
        let lines = row.text(0).split(separator: "\n").filter { !$0.hasPrefix("*** in database") }
        let text = lines.joined(separator: " ")
        if text != "ok", !text.isEmpty { messages.append(text) }
        return true
      }
    } catch let error as StoreError where error.isDamage {
      // Damage may also end the check.
      messages.append(String(cString: sqlite3_errstr(error.sqliteCode)))
    }
    return messages
  }

  private static func whole(_ message: String) -> StoreProblem {
    .init(.file, "what tells where the items are is damaged (\(message))")
  }
}
