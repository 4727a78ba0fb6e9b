/// A group of system tables that belong together, with their creation, upgrades, integrity check
/// and recovery.
package struct SystemTables: Sendable {
  /// One of the tables.
  package struct Table: Sendable {
    package let name: String
    /// The first column of the primary key.
    package let key: String
    /// Whether that column is an integer that counts up from 1.
    package var isNumbered = false
    /// Whether the rows describe the file itself, so that they are not copied to a recovered file.
    package var isOfFile = false
    /// A condition that every valid row meets.
    package let isRow: SQL
    /// The statements that create the table, if missing, and its indexes.
    let statements: [SQL]
  }

  /// The key of `errand_meta` with their version.
  package let key: String
  let form: String
  /// The name of their damage in machine-readable output, such as `journal`.
  package let problem: String
  /// The name in messages, such as `the journal of runs`.
  package let subject: String
  /// The rows of the first table in a recovery report; nil when they are not reported.
  package var contents: String?
  /// Whether they are created with the store rather than with their first row.
  package var isMadeFirst = false
  /// Whether the rows after the last lost one are useful without the earlier ones.
  package var keepsEnd = false
  /// The tables, each before those whose rows depend on it.
  package let tables: [Table]
  /// The statements that upgrade each version to the next, the first version first.
  var upgrades: [[SQL]] = []
  /// A sentence on the consequences of losing all but a number of rows.
  package let loss: @Sendable (_ kept: Int) -> String

  /// All system tables, the metadata first.
  package static let all = [metadata, log, journal, queue, receipts, hub, calendars]

  /// Creates the tables of a new store and records their versions.
  static func makeFirst(in connection: Connection) throws {
    for records in all where records.isMadeFirst {
      try records.make(in: connection)
      try connection.run(
        "INSERT INTO errand_meta (key, value) VALUES (\(.text(records.key)), \(.text(records.form)))"
      )
    }
  }

  /// Whether the store has them.
  func exist(in store: Database) throws -> Bool { try knownForm(in: store) != nil }

  /// Whether the store has their latest version.
  func isCurrent(in store: Database) throws -> Bool {
    guard let known = try knownForm(in: store) else { return true }
    return (Int(known) ?? 0) > upgrades.count
  }

  /// Their version in the store; nil when it has none.
  private func knownForm(in store: Database) throws -> String? {
    // Another process may upgrade them at any time.
    if store.metadata[key] == form { return form }
    guard let known = try store.metadata(key) else { return nil }
    store.note(known, for: key)
    return known
  }

  /// Creates missing tables and upgrades those of an earlier version.
  package func make(in store: Database) throws {
    if let known = try knownForm(in: store) {
      if try isCurrent(in: store) { return }
      for statement in upgrades.dropFirst(max(0, (Int(known) ?? 1) - 1)).joined() {
        try store.connection.run(statement)
      }
    } else {
      try make(in: store.connection)
    }
    try store.setMetadata(key, to: form)
    store.note(form, for: key)
  }

  private func make(in connection: Connection) throws {
    for statement in tables.flatMap(\.statements) { try connection.run(statement) }
  }
}
