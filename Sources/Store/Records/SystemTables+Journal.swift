extension SystemTables {
  private static let transcripts: SQL = """
    CREATE TABLE IF NOT EXISTS errand_transcripts (run INTEGER PRIMARY KEY, text TEXT NOT NULL)
    """

  /// The tables of recorded runs.
  package static let journal = SystemTables(
    key: "journal", form: "2", problem: "journal", subject: "the journal of runs", contents: "runs",
    tables: [
      Table(
        name: "errand_runs", key: "number", isNumbered: true,
        isRow: """
          typeof(name) = 'text' AND typeof(state) = 'text' AND typeof(started) = 'integer' \
          AND CASE WHEN json_valid(definitions) THEN json_type(definitions) = 'array' ELSE 0 END
          """,
        statements: [
          """
          CREATE TABLE IF NOT EXISTS errand_runs (number INTEGER PRIMARY KEY AUTOINCREMENT, \
          id TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL, started INTEGER NOT NULL, \
          ended INTEGER, durable INTEGER NOT NULL, mode TEXT, wanted TEXT, process INTEGER NOT NULL, \
          call TEXT NOT NULL, result TEXT NOT NULL DEFAULT '', error TEXT NOT NULL DEFAULT '', \
          definitions TEXT NOT NULL)
          """
        ]),
      Table(
        name: "errand_journal", key: "run", isNumbered: true,
        isRow: """
          typeof(key) = 'text' AND typeof(kind) = 'integer' \
          AND run IN (SELECT number FROM errand_runs)
          """,
        statements: [
          """
          CREATE TABLE IF NOT EXISTS errand_journal (run INTEGER NOT NULL, line INTEGER NOT NULL, \
          key TEXT NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL, time INTEGER NOT NULL, \
          took INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (run, line)) WITHOUT ROWID
          """
        ]),
      Table(
        name: "errand_leases", key: "run", isNumbered: true, isOfFile: true,
        isRow: "typeof(fence) = 'integer'",
        statements: [
          """
          CREATE TABLE IF NOT EXISTS errand_leases (run INTEGER PRIMARY KEY, name TEXT NOT NULL, \
          fence INTEGER NOT NULL, waiting INTEGER NOT NULL)
          """
        ]),
      Table(
        name: "errand_contents", key: "hash", isRow: "typeof(text) = 'text'",
        statements: [
          """
          CREATE TABLE IF NOT EXISTS errand_contents (hash TEXT PRIMARY KEY, text TEXT NOT NULL) \
          WITHOUT ROWID
          """
        ]),
      Table(
        name: "errand_transcripts", key: "run", isNumbered: true,
        isRow: "json_valid(text) AND run IN (SELECT number FROM errand_runs)",
        statements: [transcripts]),
    ],
    upgrades: [[transcripts]]
  ) { _ in "the journal of runs is lost: unfinished runs cannot continue" }
}
