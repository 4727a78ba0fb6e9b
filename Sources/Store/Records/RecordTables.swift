/// Tables of the store's own beside the items, which are made when the first row is written.
package struct RecordTables: Sendable {
  /// The key of `errand_meta` that tells their form.
  package let key: String
  /// What messages call them, such as `the journal of runs`.
  package let subject: String
  /// What it means that they begin anew.
  package let loss: String
  /// Their names; each can be made anew, empty.
  package let names: [String]
  /// Selects a row that no store writes.
  package let nonsense: SQL
  private let form: String
  /// What makes those that are missing, with their indexes.
  private let statements: [SQL]

  init(
    key: String, form: String, subject: String, loss: String, names: [String], nonsense: SQL,
    statements: [SQL]
  ) {
    self.key = key
    self.form = form
    self.subject = subject
    self.loss = loss
    self.names = names
    self.nonsense = nonsense
    self.statements = statements
  }

  /// Whether the store has them.
  func exist(in store: EntityStore) throws -> Bool {
    if store.metadata[key] != nil { return true }
    guard let known = try store.metadata(key) else { return false }
    store.metadata[key] = known
    return true
  }

  /// Makes those that are missing.
  func make(in store: EntityStore) throws {
    if try exist(in: store) { return }
    try make(in: store.connection)
    try store.setMetadata(key, to: form)
  }

  /// Makes all of them anew, empty.
  package func remake(in store: EntityStore) throws {
    for name in names { try store.connection.run("DROP TABLE IF EXISTS \(name: name)") }
    try make(in: store.connection)
    try store.setMetadata(key, to: form)
  }

  private func make(in connection: Connection) throws {
    for statement in statements { try connection.run(statement) }
  }
}
