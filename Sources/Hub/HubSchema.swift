/// The tables of a hub, in the schema `errand` of its database.
///
/// Members may add to the log and read it, never change it: row security compares the login of each
/// row's machine with the session's.
enum HubSchema {
  /// The version that this release writes.
  static let version = 3
  /// The key of the advisory lock under which the schema is made and numbers become visible.
  static let lock: Int64 = 0x45_7272_616E_64
  /// The role that all machines' logins are members of.
  static let role = "errand_member"
  /// The channel of notifications.
  static let channel = "errand"

  /// The statements that make each version of the one before it; the first makes an empty schema.
  static let steps: [[String]] = [
    [
      "CREATE SCHEMA errand",
      """
      CREATE TABLE errand.hub (one boolean PRIMARY KEY DEFAULT true CHECK (one), \
      version integer NOT NULL, name uuid NOT NULL DEFAULT gen_random_uuid())
      """,
      "INSERT INTO errand.hub (version) VALUES (1)",
      """
      CREATE TABLE errand.machines (number bigint PRIMARY KEY, name text NOT NULL, \
      login name NOT NULL DEFAULT session_user, joined timestamptz NOT NULL DEFAULT now())
      """,
      """
      CREATE TABLE errand.pushes (machine bigint NOT NULL REFERENCES errand.machines, \
      turn bigint NOT NULL, last uuid, at timestamptz NOT NULL DEFAULT now(), \
      PRIMARY KEY (machine, turn))
      """,
      """
      CREATE TABLE errand.changes (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
      name uuid NOT NULL UNIQUE, machine bigint NOT NULL REFERENCES errand.machines, \
      kind smallint NOT NULL, entity text NOT NULL, uid uuid NOT NULL, delta text NOT NULL)
      """,
      "GRANT USAGE ON SCHEMA errand TO errand_member",
      "GRANT SELECT ON ALL TABLES IN SCHEMA errand TO errand_member",
      "GRANT INSERT ON errand.machines, errand.pushes, errand.changes TO errand_member",
      "ALTER TABLE errand.machines ENABLE ROW LEVEL SECURITY",
      "CREATE POLICY seen ON errand.machines FOR SELECT USING (true)",
      """
      CREATE POLICY own ON errand.machines FOR INSERT WITH CHECK (login = session_user)
      """,
    ] + own("pushes") + own("changes"),
    [
      """
      CREATE TABLE errand.jobs (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
      uid uuid NOT NULL UNIQUE, machine bigint NOT NULL REFERENCES errand.machines, \
      handler text NOT NULL, payload text NOT NULL, key text, target text, \
      requires bigint NOT NULL DEFAULT 0, created timestamptz NOT NULL DEFAULT now(), \
      due timestamptz NOT NULL, times integer NOT NULL, delay interval NOT NULL, \
      backoff float8 NOT NULL, longest interval NOT NULL, state text NOT NULL DEFAULT 'waiting', \
      failures integer NOT NULL DEFAULT 0, deaths integer NOT NULL DEFAULT 0, \
      fence bigint NOT NULL DEFAULT 0, settled bigint NOT NULL DEFAULT 0, \
      worker bigint REFERENCES errand.machines, expires timestamptz, started timestamptz, \
      ended timestamptz, run bigint, error text NOT NULL DEFAULT '')
      """,
      "CREATE INDEX jobs_due ON errand.jobs (due, number) WHERE state = 'waiting'",
      "CREATE INDEX jobs_expiring ON errand.jobs (expires) WHERE state = 'running'",
      "CREATE INDEX jobs_over ON errand.jobs (ended) WHERE state IN ('done', 'cancelled')",
      """
      CREATE UNIQUE INDEX jobs_key ON errand.jobs (handler, key) \
      WHERE state = 'waiting' AND key IS NOT NULL
      """,
      """
      CREATE TABLE errand.occasions (automation text NOT NULL, occasion text NOT NULL, \
      machine bigint NOT NULL REFERENCES errand.machines, at timestamptz NOT NULL DEFAULT now(), \
      PRIMARY KEY (automation, occasion))
      """,
      """
      CREATE TABLE errand.files (hash text PRIMARY KEY, \
      machine bigint NOT NULL REFERENCES errand.machines, at timestamptz NOT NULL DEFAULT now(), \
      bytes bytea NOT NULL)
      """,
      "GRANT SELECT ON errand.jobs, errand.occasions, errand.files TO errand_member",
      """
      GRANT INSERT (uid, machine, handler, payload, key, target, requires, due, times, delay, \
      backoff, longest) ON errand.jobs TO errand_member
      """,
      "GRANT INSERT ON errand.occasions, errand.files TO errand_member",
    ] + own("jobs") + own("occasions") + own("files") + HubFunctions.statements,
    [
      // Numbers, times and logins are not the members' to choose.
      """
      REVOKE INSERT ON errand.machines, errand.pushes, errand.changes, errand.occasions, \
      errand.files FROM errand_member
      """,
      "GRANT INSERT (number, name) ON errand.machines TO errand_member",
      "GRANT INSERT (machine, turn, last) ON errand.pushes TO errand_member",
      "GRANT INSERT (name, machine, kind, entity, uid, delta) ON errand.changes TO errand_member",
      "GRANT INSERT (hash, machine, bytes) ON errand.files TO errand_member",
      "GRANT SELECT ON SEQUENCE \(numbers) TO errand_member",
    ] + HubFunctions.statements,
  ]

  /// The sequence of the log's numbers.
  private static let numbers = "errand.changes_number_seq"
  /// The condition of rows whose number the sequence gave.
  static let isNumbered = "number <= (SELECT last_value FROM \(numbers))"
  /// Removes rows of the log with numbers that the hub never gave, which hide all later ones.
  static let cleaning = "DELETE FROM errand.changes WHERE NOT \(isNumbered)"

  /// Row security of a table whose rows belong to a machine.
  private static func own(_ table: String) -> [String] {
    [
      "ALTER TABLE errand.\(table) ENABLE ROW LEVEL SECURITY",
      "CREATE POLICY seen ON errand.\(table) FOR SELECT USING (true)",
      """
      CREATE POLICY own ON errand.\(table) FOR INSERT WITH CHECK (machine IN \
      (SELECT number FROM errand.machines WHERE login = session_user))
      """,
    ]
  }
}
