/// The tables of recorded runs, which are made when the first one is recorded.
package enum JournalTables {
  /// The key of `errand_meta` that tells their form.
  package static let key = "journal"
  private static let form = "1"

  /// Their names; each can be made anew, empty.
  package static let names = ["errand_runs", "errand_journal", "errand_leases", "errand_contents"]

  /// Whether the store has them.
  static func exist(in store: EntityStore) throws -> Bool {
    if store.metadata[key] != nil { return true }
    guard let known = try store.metadata(key) else { return false }
    store.metadata[key] = known
    return true
  }

  /// Makes those that are missing.
  static func make(in store: EntityStore) throws {
    if try exist(in: store) { return }
    try make(in: store.connection)
    try store.setMetadata(key, to: form)
  }

  /// Makes all of them anew, empty.
  package static func remake(in store: EntityStore) throws {
    for name in names { try store.connection.run("DROP TABLE IF EXISTS \(name: name)") }
    try make(in: store.connection)
    try store.setMetadata(key, to: form)
  }

  /// Makes those that a database has not.
  package static func make(in connection: Connection) throws {
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS errand_runs (number INTEGER PRIMARY KEY AUTOINCREMENT, \
      id TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL, started INTEGER NOT NULL, \
      ended INTEGER, durable INTEGER NOT NULL, mode TEXT, wanted TEXT, process INTEGER NOT NULL, \
      call TEXT NOT NULL, result TEXT NOT NULL DEFAULT '', error TEXT NOT NULL DEFAULT '', \
      definitions TEXT NOT NULL)
      """)
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS errand_journal (run INTEGER NOT NULL, line INTEGER NOT NULL, \
      key TEXT NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL, time INTEGER NOT NULL, \
      took INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (run, line)) WITHOUT ROWID
      """)
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS errand_leases (run INTEGER PRIMARY KEY, name TEXT NOT NULL, \
      fence INTEGER NOT NULL, waiting INTEGER NOT NULL)
      """)
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS errand_contents (hash TEXT PRIMARY KEY, text TEXT NOT NULL) \
      WITHOUT ROWID
      """)
  }
}
