extension SystemTables {
  /// The tables of the queue: jobs, and each automation's position in the change log.
  package static let queue = SystemTables(
    key: "queue", form: "2", problem: "queue", subject: "the queue of jobs", contents: "jobs",
    tables: [
      Table(
        name: "errand_jobs", key: "number", isNumbered: true,
        isRow: """
          typeof(handler) = 'text' AND json_valid(input) AND json_valid(arguments) \
          AND typeof(due) = 'integer' \
          AND state IN ('waiting', 'running', 'done', 'dead', 'cancelled', 'suspended')
          """,
        statements: [
          """
          CREATE TABLE IF NOT EXISTS errand_jobs (number INTEGER PRIMARY KEY AUTOINCREMENT, \
          state TEXT NOT NULL, handler TEXT NOT NULL, input TEXT NOT NULL, arguments TEXT NOT NULL, \
          key TEXT, requires INTEGER NOT NULL, exclusive INTEGER NOT NULL, origin TEXT NOT NULL, \
          chain TEXT NOT NULL DEFAULT '', created INTEGER NOT NULL, due INTEGER NOT NULL, stamped INTEGER NOT NULL, \
          times INTEGER NOT NULL, delay INTEGER NOT NULL, backoff REAL NOT NULL, \
          longest INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, \
          deaths INTEGER NOT NULL DEFAULT 0, fence INTEGER, seat INTEGER, process INTEGER, \
          started INTEGER, ended INTEGER, run INTEGER, error TEXT NOT NULL DEFAULT '', \
          permissions TEXT)
          """,
          """
          CREATE INDEX IF NOT EXISTS errand_jobs_due ON errand_jobs (due, number) \
          WHERE state = 'waiting'
          """,
          """
          CREATE INDEX IF NOT EXISTS errand_jobs_running ON errand_jobs (handler) \
          WHERE state = 'running'
          """,
          """
          CREATE UNIQUE INDEX IF NOT EXISTS errand_jobs_key \
          ON errand_jobs (handler, key, coalesce(permissions, '')) \
          WHERE state = 'waiting' AND key IS NOT NULL
          """,
        ]),
      Table(
        name: "errand_cursors", key: "name", isOfFile: true, isRow: "typeof(sequence) = 'integer'",
        statements: [
          """
          CREATE TABLE IF NOT EXISTS errand_cursors (name TEXT PRIMARY KEY, \
          sequence INTEGER NOT NULL, last INTEGER, next INTEGER, state TEXT NOT NULL DEFAULT '') \
          WITHOUT ROWID
          """
        ]),
    ],
    upgrades: [
      [
        "ALTER TABLE errand_jobs ADD COLUMN permissions TEXT", "DROP INDEX errand_jobs_key",
        """
        CREATE UNIQUE INDEX errand_jobs_key \
        ON errand_jobs (handler, key, coalesce(permissions, '')) \
        WHERE state = 'waiting' AND key IS NOT NULL
        """,
      ]
    ]
  ) { _ in "the queue of jobs is lost: waiting jobs will not run" }
}
