import CEL
package import Items
import JSON

extension EntityStore {
  /// How many changes the log keeps; more only of the latest transaction.
  package static let keptChanges = 10_000

  /// The changes after a place in the log, oldest first.
  package func changes(after sequence: Int64 = 0, limit: Int = 1_000) throws -> [Change] {
    try changes("WHERE sequence > \(.int(sequence)) ORDER BY sequence", limit)
  }

  /// The latest changes, the latest first.
  package func latestChanges(limit: Int) throws -> [Change] {
    try changes("ORDER BY sequence DESC", limit)
  }

  private func changes(_ selection: SQL, _ limit: Int) throws -> [Change] {
    var changes: [Change] = []
    try connection.rows(
      """
      SELECT sequence, batch, time, kind, entity, id, last, cause FROM errand_changes \
      \(selection) LIMIT \(.int(Int64(limit)))
      """
    ) { row in
      changes.append(Self.change(row))
      return true
    }
    return changes
  }

  /// Forgets all but the latest changes.
  ///
  /// - Returns: How many were forgotten.
  @discardableResult
  package func pruneChanges(keeping count: Int) throws -> Int {
    try pruneChanges(before: .max, keeping: count)
  }

  /// Forgets what came before a place in the log and is not among the latest.
  private func pruneChanges(before end: Int64, keeping count: Int) throws -> Int {
    try connection.run(
      """
      DELETE FROM errand_changes WHERE sequence < \(.int(end)) AND sequence <= \
      (SELECT max(sequence) FROM errand_changes) - \(.int(Int64(count)))
      """)
    return connection.changes
  }

  /// The entry of a row: sequence, batch, time, kind, entity, id, last, cause.
  static func change(_ row: Statement) -> Change {
    Change(
      sequence: row.int(0), group: row.int(1), time: Timestamp(microseconds: row.int(2)),
      kind: Change.Kind(rawValue: row.int(3)) ?? .update, entity: row.text(4), id: row.int(5),
      last: row.int(6), cause: row.text(7))
  }

  // MARK: Writing the log

  /// Runs `body` in a transaction whose changes are logged together.
  func write<Result>(_ body: () throws -> Result) throws -> Result {
    if connection.isInTransaction { return try connection.transaction(body) }
    changeGroup = nil
    return try connection.transaction {
      try expectSameStore()
      return try body()
    }
  }

  /// Expects, in a transaction, that the file and its tables are still those that were made ready.
  ///
  /// Another process may have put another file in its place, or have brought a table to another
  /// definition: items in the old form would be lost there.
  ///
  /// - Throws: `io`, `incompatible`.
  private func expectSameStore() throws {
    if connection.hasMoved {
      throw StoreError(
        .io, "the store “\(connection.path)” was moved or replaced while it was in use")
    }
    let version = try connection.first("PRAGMA data_version")
    if version == checkedVersion { return }
    for table in tables.values where try metadata("entity:" + table.name) != table.definition {
      throw StoreError(
        .incompatible,
        "the definition of \(table.name) was changed by another process meanwhile: try again")
    }
    checkedVersion = version
  }

  /// Notes a change in the log.
  ///
  /// - Parameter before: What the item was, as far as it is needed to take the change back.
  func log(
    _ kind: Change.Kind, _ entity: String, id: Int64, last: Int64? = nil,
    before: [(String, SQLValue)]? = nil
  ) throws {
    try connection.withStatement(
      """
      INSERT INTO errand_changes (batch, time, kind, entity, id, last, cause, before) \
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """
    ) { statement in
      try statement.bind(changeGroup ?? 0, at: 1)
      try statement.bind(context.now().microseconds, at: 2)
      try statement.bind(kind.rawValue, at: 3)
      try statement.bind(entity, at: 4)
      try statement.bind(id, at: 5)
      try statement.bind(last ?? id, at: 6)
      try statement.bind(cause, at: 7)
      try statement.bind(before.map { .text(try Self.json($0)) } ?? .null, at: 8)
      _ = try statement.step()
    }
    let sequence = connection.lastInsertedID
    if changeGroup == nil {
      changeGroup = sequence
      try connection.run(
        "UPDATE errand_changes SET batch = sequence WHERE sequence = \(.int(sequence))")
    }
    // What an undo is about to read may not be forgotten meanwhile, nor the beginning of a change
    // that is not over: it could not be taken back.
    if sequence % 256 == 0, !isUndoing {
      _ = try pruneChanges(before: changeGroup ?? sequence, keeping: Self.keptChanges)
    }
  }

  /// - Throws: `bug` when the columns have no form in JSON; without it nothing could be taken back.
  private static func json(_ columns: [(String, SQLValue)]) throws -> String {
    let fields = columns.map { name, column -> (String, Value) in
      let value: Value =
        switch column {
        case .null: .null
        case .int(let int): .int(int)
        case .double(let number): .double(number)
        case .text(let text): .string(text)
        case .blob(let bytes): .bytes(bytes)
        }
      return (name, value)
    }
    do {
      return try JSONWriter().text(of: .map(MapValue(fields)))
    } catch {
      throw StoreError(.bug, "what a change replaced cannot be written to the log (\(error))")
    }
  }
}
