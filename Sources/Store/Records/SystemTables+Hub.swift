extension SystemTables {
  /// The tables of a store that shares its items through a hub: the state of each item beyond its
  /// row, the outbox, and the merged items.
  package static let hub = SystemTables(
    key: "hub", form: "2", problem: "hub", subject: "the state of sharing",
    tables: [
      Table(
        name: "errand_hub_items", key: "uid",
        isRow: """
          typeof(uid) = 'blob' AND length(uid) = 16 AND typeof(entity) = 'text' \
          AND typeof(life) = 'integer' AND life > 0 AND (state IS NULL OR json_valid(state))
          """,
        statements: [
          """
          CREATE TABLE IF NOT EXISTS errand_hub_items (uid BLOB PRIMARY KEY, entity TEXT NOT NULL, \
          id INTEGER, life INTEGER NOT NULL, time INTEGER NOT NULL, machine INTEGER NOT NULL, \
          state TEXT) WITHOUT ROWID
          """,
          """
          CREATE UNIQUE INDEX IF NOT EXISTS errand_hub_items_id ON errand_hub_items (entity, id) \
          WHERE id IS NOT NULL
          """,
          """
          CREATE INDEX IF NOT EXISTS errand_hub_items_kept ON errand_hub_items (uid) \
          WHERE id IS NOT NULL AND life % 2 = 0
          """,
        ]),
      Table(
        name: "errand_hub_outbox", key: "number", isNumbered: true,
        isRow: "typeof(name) = 'blob' AND typeof(uid) = 'blob' AND json_valid(delta)",
        statements: [
          """
          CREATE TABLE IF NOT EXISTS errand_hub_outbox (number INTEGER PRIMARY KEY AUTOINCREMENT, \
          name BLOB NOT NULL UNIQUE, kind INTEGER NOT NULL, entity TEXT NOT NULL, \
          uid BLOB NOT NULL, delta TEXT NOT NULL)
          """
        ]),
      Table(
        name: "errand_hub_waiting", key: "target",
        isRow: "typeof(target) = 'blob' AND typeof(uid) = 'blob'",
        statements: [
          """
          CREATE TABLE IF NOT EXISTS errand_hub_waiting (target BLOB NOT NULL, uid BLOB NOT NULL, \
          PRIMARY KEY (target, uid)) WITHOUT ROWID
          """
        ]),
      Table(
        name: "errand_hub_merged", key: "loser",
        isRow: "typeof(loser) = 'blob' AND typeof(winner) = 'blob'",
        statements: [
          """
          CREATE TABLE IF NOT EXISTS errand_hub_merged (loser BLOB PRIMARY KEY, \
          winner BLOB NOT NULL) WITHOUT ROWID
          """,
          "CREATE INDEX IF NOT EXISTS errand_hub_winners ON errand_hub_merged (winner)",
        ]),
      Table(
        name: "errand_hub_conflicts", key: "number", isNumbered: true,
        isRow: "typeof(kind) = 'text' AND typeof(uid) = 'blob' AND json_valid(lost)",
        statements: [
          """
          CREATE TABLE IF NOT EXISTS errand_hub_conflicts (number INTEGER PRIMARY KEY AUTOINCREMENT, \
          found INTEGER NOT NULL, kind TEXT NOT NULL, entity TEXT NOT NULL, uid BLOB NOT NULL, \
          property TEXT NOT NULL, lost TEXT NOT NULL, kept TEXT NOT NULL, time INTEGER NOT NULL, \
          loser INTEGER NOT NULL, winner INTEGER NOT NULL, \
          UNIQUE (uid, kind, property, time, loser))
          """
        ]),
      Table(
        name: "errand_hub_jobs", key: "uid",
        isRow: "typeof(uid) = 'blob' AND length(uid) = 16 AND typeof(fence) = 'integer'",
        statements: [jobs]),
      Table(
        name: "errand_hub_claims", key: "name", isRow: "typeof(name) = 'text' AND json_valid(job)",
        statements: [claims]),
      Table(
        name: "errand_hub_files", key: "hash", isRow: "typeof(hash) = 'text'", statements: [files]),
      Table(
        name: "errand_hub_unread", key: "name", isRow: "typeof(uid) = 'blob'",
        statements: [unread]),
    ],
    upgrades: [[jobs, claims, files, unread]]
  ) { _ in "the state of sharing is lost: join the hub again" }

  private static let jobs: SQL = """
    CREATE TABLE IF NOT EXISTS errand_hub_jobs (uid BLOB PRIMARY KEY, job INTEGER NOT NULL, \
    fence INTEGER NOT NULL) WITHOUT ROWID
    """
  private static let claims: SQL = """
    CREATE TABLE IF NOT EXISTS errand_hub_claims (name TEXT NOT NULL, occasion TEXT NOT NULL, \
    job TEXT NOT NULL, origin TEXT NOT NULL, exclusive INTEGER NOT NULL, \
    PRIMARY KEY (name, occasion)) WITHOUT ROWID
    """
  private static let unread: SQL = """
    CREATE TABLE IF NOT EXISTS errand_hub_unread (name BLOB PRIMARY KEY, entity TEXT NOT NULL, \
    uid BLOB NOT NULL, delta TEXT NOT NULL) WITHOUT ROWID
    """
  // Not of the type TEXT, so that a hash here counts as no mention of the file.
  private static let files: SQL =
    "CREATE TABLE IF NOT EXISTS errand_hub_files (hash BLOB PRIMARY KEY) WITHOUT ROWID"
}
