import Glibc
import Items
package import Store

/// A hub in a PostgreSQL database.
package final class PostgreSQLHub: HubConnection {
  let connection: PostgreSQL

  /// - Throws: `HubFailure`.
  package init(_ address: HubAddress, wake: Int32 = -1) throws {
    connection = try PostgreSQL(service: address.service, address: address.secret, wake: wake)
  }

  // MARK: Making a hub

  /// Makes the tables of a hub, or brings them to this release's version.
  ///
  /// - Returns: Whether the hub is new.
  /// - Throws: `incompatible` for a hub of a later release.
  package func make() throws -> Bool {
    try connection.transaction {
      try connection.run("SELECT pg_advisory_xact_lock(\(HubSchema.lock))")
      let known = try version()
      try Self.expectKnown(known)
      if known == 0 { try makeRole() }
      for statement in HubSchema.steps.dropFirst(known).joined() { try connection.run(statement) }
      try connection.run("UPDATE errand.hub SET version = \(HubSchema.version)")
      try connection.run(HubSchema.cleaning)
      return known == 0
    }
  }

  private func makeRole() throws {
    let known = try connection.run(
      "SELECT 1 FROM pg_roles WHERE rolname = $1", [HubSchema.role])
    if known.count == 0 { try connection.run("CREATE ROLE \(HubSchema.role)") }
  }

  /// The version of the hub's tables; 0 if there are none.
  private func version() throws -> Int {
    let found = try connection.run("SELECT to_regclass('errand.hub') IS NOT NULL")
    guard found.text(0, 0) == "t" else { return 0 }
    let rows = try connection.run("SELECT version FROM errand.hub")
    return rows.count == 1 ? Int(rows.int(0, 0)) : 0
  }

  private static func expectKnown(_ version: Int) throws {
    guard version <= HubSchema.version else {
      throw StoreError(
        .newerFormat, "the hub was made by a later release of Errand: update this one first")
    }
  }

  /// The random name of the hub.
  ///
  /// - Throws: `notFound` if the database has no hub.
  package func name() throws -> String {
    let version = try version()
    guard version > 0 else {
      throw StoreError(
        .notFound, "the database has no hub: make one with `errand hub init`")
    }
    try Self.expectKnown(version)
    guard version == HubSchema.version else {
      throw StoreError(
        .newerFormat,
        "the hub was made by an earlier release of Errand: its owner updates it with `errand hub "
          + "init`")
    }
    return try connection.run("SELECT name FROM errand.hub").text(0, 0)
  }

  // MARK: HubTransport

  package func begin(_ member: HubStore.Membership) throws -> HubGreeting {
    let hub = try name()
    try connection.run(
      """
      INSERT INTO errand.machines (number, name) VALUES ($1, $2) ON CONFLICT DO NOTHING
      """, ["\(member.machine)", member.name])
    let rows = try connection.run(
      """
      SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, p.turn, p.last, \
      $2::bigint = 0 OR EXISTS (SELECT 1 FROM errand.changes \
      WHERE number = $2::bigint AND name::text = $3 AND \(HubSchema.isNumbered)), \
      (SELECT count(*) FROM errand.changes WHERE NOT \(HubSchema.isNumbered)) \
      FROM (SELECT 1) AS one LEFT JOIN LATERAL (SELECT turn, last FROM errand.pushes \
      WHERE machine = $1::bigint ORDER BY turn DESC LIMIT 1) AS p ON true
      """, ["\(member.machine)", "\(member.seen)", member.seenName])
    var greeting = HubGreeting(
      hub: hub, now: rows.int(0, 0), turn: rows.int(0, 1),
      turnName: GlobalID(text: rows.text(0, 2)), knowsSeen: rows.text(0, 3) == "t")
    greeting.strays = Int(rows.int(0, 4))
    return greeting
  }

  package func push(_ batch: HubBatch, of machine: Int64, turn: Int64) throws {
    try connection.transaction {
      try write(batch, of: machine, turn: turn)
    }
  }

  /// Appends messages and ends jobs within a transaction.
  private func write(_ batch: HubBatch, of machine: Int64, turn: Int64) throws {
    // Held to the commit, so that numbers become visible in their order.
    try connection.run("SELECT pg_advisory_xact_lock(\(HubSchema.lock))")
    let taken = try connection.run(
      """
      INSERT INTO errand.pushes (machine, turn, last) SELECT $1::bigint, $2::bigint, $3::uuid \
      WHERE $2::bigint = 1 + coalesce((SELECT max(turn) FROM errand.pushes \
      WHERE machine = $1::bigint), 0) RETURNING turn
      """, ["\(machine)", "\(turn)", batch.lastName?.text])
    if taken.count != 1 { throw HubTurnTaken() }
    try end(batch.ends, of: machine)
    try append(batch.messages, of: machine)
    try post(batch.jobs, of: machine)
    try connection.run("NOTIFY \(HubSchema.channel)")
  }

  private func append(_ messages: [Outbox.Message], of machine: Int64) throws {
    if !messages.isEmpty {
      // Row security allows no COPY.
      try connection.run(
        """
        INSERT INTO errand.changes (name, machine, kind, entity, uid, delta) \
        SELECT n, $1::bigint, k, e, u, d FROM unnest($2::uuid[], $3::smallint[], $4::text[], \
        $5::uuid[], $6::text[]) WITH ORDINALITY AS given (n, k, e, u, d, o) ORDER BY o
        """,
        [
          "\(machine)", Self.array(messages.map(\.name.text)),
          Self.array(messages.map { "\($0.kind.rawValue)" }), Self.array(messages.map(\.entity)),
          Self.array(messages.map(\.uid.text)), Self.array(messages.map(\.text)),
        ])
    }
  }

  /// The text of an array (PostgreSQL manual, 8.15.2).
  static func array(_ texts: [String]) -> String {
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(texts.reduce(2) { $0 + $1.utf8.count + 8 })
    for text in texts {
      bytes += bytes.isEmpty ? "{\"".utf8 : ",\"".utf8
      for byte in text.utf8 {
        if byte == quote || byte == backslash { bytes.append(backslash) }
        bytes.append(byte)
      }
      bytes.append(quote)
    }
    return String(decoding: bytes, as: UTF8.self) + (texts.isEmpty ? "{}" : "}")
  }

  /// The longest delta that is read, in bytes; a longer one cannot be read.
  private static let longestDelta = 64 << 20

  package func pull(after seen: Int64, without machine: Int64, limit: Int) throws -> HubPage {
    let rows = try connection.run(
      """
      SELECT number, name, kind, entity, uid, CASE WHEN machine = $2::bigint THEN NULL \
      WHEN octet_length(delta) > \(Self.longestDelta) THEN '' ELSE delta END, \
      (extract(epoch FROM clock_timestamp()) * 1000000)::bigint FROM errand.changes \
      WHERE number > $1::bigint AND \(HubSchema.isNumbered) ORDER BY number LIMIT \(limit)
      """, ["\(seen)", "\(machine)"])
    var messages: [Outbox.Message] = []
    messages.reserveCapacity(rows.count)
    for row in 0..<rows.count where !rows.isNull(row, 5) {
      guard let kind = Outbox.Kind(rawValue: rows.int(row, 2)),
        let name = GlobalID(text: rows.text(row, 1)), let uid = GlobalID(text: rows.text(row, 4))
      else { continue }
      messages.append(
        Outbox.Message(
          name: name, kind: kind, entity: rows.text(row, 3), uid: uid, text: rows.text(row, 5)))
    }
    let count = rows.count
    return HubPage(
      messages: messages, last: count > 0 ? rows.int(count - 1, 0) : seen,
      lastName: count > 0 ? rows.text(count - 1, 1) : "", isLast: count < limit,
      now: count > 0 ? rows.int(count - 1, 6) : 0)
  }

  // MARK: Notifications

  package func listen() throws {
    try connection.run("LISTEN \(HubSchema.channel)")
  }

  package func wait(_ time: Duration, or descriptor: Int32) throws -> Bool {
    try connection.waitForNotification(time, or: descriptor)
  }
}
