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
  /// What brings tables of each earlier form to the next one, the first form first.
  private let upgrades: [[SQL]]

  init(
    key: String, form: String, subject: String, loss: String, names: [String], nonsense: SQL,
    statements: [SQL], upgrades: [[SQL]] = []
  ) {
    self.key = key
    self.form = form
    self.subject = subject
    self.loss = loss
    self.names = names
    self.nonsense = nonsense
    self.statements = statements
    self.upgrades = upgrades
  }

  /// Whether the store has them.
  func exist(in store: EntityStore) throws -> Bool { try knownForm(in: store) != nil }

  /// Whether the store has them in their latest form.
  func isCurrent(in store: EntityStore) throws -> Bool {
    guard let known = try knownForm(in: store) else { return true }
    return (Int(known) ?? 0) > upgrades.count
  }

  /// The form in which the store has them; nil where it has none.
  private func knownForm(in store: EntityStore) throws -> String? {
    // Another process may bring an earlier form to the latest one at any time.
    if store.metadata[key] == form { return form }
    guard let known = try store.metadata(key) else { return nil }
    store.metadata[key] = known
    return known
  }

  /// Makes those that are missing, and brings those of an earlier form to the latest one.
  func make(in store: EntityStore) throws {
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
