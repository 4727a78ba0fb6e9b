/// Tables of the store's own beside the items that are of use only together: one value says how they
/// are made, brought to their latest form, looked at and recovered.
package struct RecordTables: Sendable {
  /// One of the tables.
  package struct Table: Sendable {
    package let name: String
    /// The column that the key begins with.
    package let key: String
    /// Whether that is a whole number that counts up from 1.
    package var isNumbered = false
    /// Whether its rows tell of the file that they are in, so that what is saved from a damaged file
    /// begins without them.
    package var isOfFile = false
    /// Whether a row is one that a store writes.
    package let isRow: SQL
    /// Make the table, where it is missing, and its indexes.
    let statements: [SQL]
  }

  /// The key of `errand_meta` that tells their form.
  package let key: String
  let form: String
  /// What programs call damage to them, such as `journal`.
  package let problem: String
  /// What messages call them, such as `the journal of runs`.
  package let subject: String
  /// What the rows of the first of them are in the report of a rescue; nil where none tells of them.
  package var contents: String?
  /// Whether a store has them from its beginning, and not from their first row on.
  package var isMadeFirst = false
  /// Whether the rows after the last one that is lost are of use without those before it.
  package var keepsEnd = false
  /// The tables, each before those whose rows depend on its.
  package let tables: [Table]
  /// What brings tables of each earlier form to the next one, the first form first.
  var upgrades: [[SQL]] = []
  /// What it means that only so many rows are left, in a sentence.
  package let loss: @Sendable (_ kept: Int) -> String

  /// All of them, what the store records about itself first.
  package static let all = [metadata, log, journal, queue, receipts]

  /// Makes those that a new store has, and records their forms.
  static func makeFirst(in connection: Connection) throws {
    for records in all where records.isMadeFirst {
      try records.make(in: connection)
      try connection.run(
        "INSERT INTO errand_meta (key, value) VALUES (\(.text(records.key)), \(.text(records.form)))"
      )
    }
  }

  /// Forgets which of them a store has, as the transaction that made them may be taken back.
  static func forget(in store: Database) {
    for records in all where !records.isMadeFirst { store.metadata[records.key] = nil }
  }

  /// Whether the store has them.
  func exist(in store: Database) throws -> Bool { try knownForm(in: store) != nil }

  /// Whether the store has them in their latest form.
  func isCurrent(in store: Database) throws -> Bool {
    guard let known = try knownForm(in: store) else { return true }
    return (Int(known) ?? 0) > upgrades.count
  }

  /// The form in which the store has them; nil where it has none.
  private func knownForm(in store: Database) throws -> String? {
    // Another process may bring an earlier form to the latest one at any time.
    if store.metadata[key] == form { return form }
    guard let known = try store.metadata(key) else { return nil }
    store.metadata[key] = known
    return known
  }

  /// Makes those that are missing, and brings those of an earlier form to the latest one.
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
  }

  private func make(in connection: Connection) throws {
    for statement in tables.flatMap(\.statements) { try connection.run(statement) }
  }
}
