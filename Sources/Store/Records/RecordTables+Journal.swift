extension RecordTables {
  /// The tables of recorded runs.
  package static let journal = RecordTables(
    key: "journal", form: "1", subject: "the journal of runs",
    loss: "the journal of runs is lost: runs that were not over cannot go on",
    names: ["errand_runs", "errand_journal", "errand_leases", "errand_contents"],
    nonsense: """
      SELECT 1 FROM errand_runs WHERE typeof(name) <> 'text' OR typeof(started) <> 'integer' \
      OR NOT json_valid(definitions) UNION ALL \
      SELECT 1 FROM errand_journal WHERE typeof(key) <> 'text' OR typeof(kind) <> 'integer' \
      OR run NOT IN (SELECT number FROM errand_runs) LIMIT 1
      """,
    statements: [
      """
      CREATE TABLE IF NOT EXISTS errand_runs (number INTEGER PRIMARY KEY AUTOINCREMENT, \
      id TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL, started INTEGER NOT NULL, \
      ended INTEGER, durable INTEGER NOT NULL, mode TEXT, wanted TEXT, process INTEGER NOT NULL, \
      call TEXT NOT NULL, result TEXT NOT NULL DEFAULT '', error TEXT NOT NULL DEFAULT '', \
      definitions TEXT NOT NULL)
      """,
      """
      CREATE TABLE IF NOT EXISTS errand_journal (run INTEGER NOT NULL, line INTEGER NOT NULL, \
      key TEXT NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL, time INTEGER NOT NULL, \
      took INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (run, line)) WITHOUT ROWID
      """,
      """
      CREATE TABLE IF NOT EXISTS errand_leases (run INTEGER PRIMARY KEY, name TEXT NOT NULL, \
      fence INTEGER NOT NULL, waiting INTEGER NOT NULL)
      """,
      """
      CREATE TABLE IF NOT EXISTS errand_contents (hash TEXT PRIMARY KEY, text TEXT NOT NULL) \
      WITHOUT ROWID
      """,
    ])
}
