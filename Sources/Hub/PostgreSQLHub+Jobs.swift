import CEL
import Glibc
package import Items
import POSIX
package import Store

/// The jobs of a hub.
extension PostgreSQLHub {
  // MARK: Within a push

  /// - Throws: `HubFenceLost`.
  func end(_ ends: [HubJobEnd], of machine: Int64) throws {
    var lost: [GlobalID] = []
    for end in ends {
      let rows = try connection.run(
        "SELECT errand.end_job($1, $2, $3, $4, $5, $6)",
        [
          "\(machine)", end.lease.uid.text, "\(end.lease.fence)", end.kind.rawValue, end.error,
          end.run.map { "\($0)" },
        ])
      if rows.text(0, 0) != "t" { lost.append(end.lease.uid) }
    }
    if !lost.isEmpty { throw HubFenceLost(lost) }
  }

  func post(_ jobs: [HubJob], of machine: Int64) throws {
    for job in jobs {
      let values: [String?] = [
        job.uid.text, "\(machine)", job.handler, try job.payload, job.key, job.target,
        "\(Requirement.mask(of: job.requires))", "\(job.delay.microseconds) microseconds",
        "\(job.retry.times)", "\(job.retry.delay.microseconds) microseconds",
        "\(job.retry.backoff)", "\(job.retry.longest.microseconds) microseconds",
      ]
      // Waiting with the same key, or sent before.
      try connection.run(
        """
        INSERT INTO errand.jobs (uid, machine, handler, payload, key, target, requires, due, \
        times, delay, backoff, longest) VALUES ($1, $2, $3, $4, $5, $6, $7, \
        now() + $8::interval, $9, $10, $11, $12) ON CONFLICT DO NOTHING
        """, values)
    }
  }

  // MARK: HubQueue

  package var leaseTime: Duration {
    // Tests do not wait for a minute.
    getenv("ERRAND_HUB_LEASE").flatMap { Int64(String(cString: $0)) }.map(Duration.seconds)
      ?? .seconds(60)
  }

  private var lease: String { "\(leaseTime.components.seconds) seconds" }

  /// The number of takes in a row that give only jobs that cannot be read.
  private static let unreadableTakes = 8

  package func take(_ request: HubJobRequest, of machine: Int64) throws -> HubTake {
    var taken = HubTake()
    for _ in 0..<Self.unreadableTakes {
      let before = taken.unreadable.count
      try take(request, of: machine, into: &taken)
      if !taken.jobs.isEmpty || taken.unreadable.count == before { break }
    }
    return taken
  }

  /// Takes jobs, and ends those that cannot be read.
  private func take(
    _ request: HubJobRequest, of machine: Int64, into taken: inout HubTake
  ) throws {
    let rows = try connection.run(
      """
      SELECT t.uid, t.handler, t.payload, t.requires, t.fence, m.name \
      FROM errand.take($1, $2, $3, $4, $5, $6, $7) AS t JOIN errand.machines AS m \
      ON m.number = t.machine ORDER BY t.due, t.number
      """,
      [
        "\(machine)", Self.array(request.handlers),
        "\(Requirement.mask(of: request.available))", request.name, "\(request.limit)",
        lease, Self.array(request.held.map(\.text)),
      ])
    for row in 0..<rows.count {
      let job = GlobalID(text: rows.text(row, 0)).flatMap { uid in
        HubJob(
          uid: uid, handler: rows.text(row, 1), payload: rows.text(row, 2),
          requires: rows.int(row, 3), fence: rows.int(row, 4), sender: rows.text(row, 5))
      }
      if let job {
        taken.jobs.append(job)
      } else {
        // Otherwise each request would return it again, ahead of all other jobs.
        try connection.run(
          "SELECT errand.end_job($1, $2, $3, 'dead', $4, NULL)",
          [
            "\(machine)", rows.text(row, 0), rows.text(row, 4),
            "the job cannot be read: its payload is not one that Errand writes",
          ])
        taken.unreadable.append((handler: rows.text(row, 1), sender: rows.text(row, 5)))
      }
    }
  }

  package func renew(_ leases: [HubLease], of machine: Int64) throws -> Set<GlobalID> {
    let rows = try connection.run(
      "SELECT * FROM errand.renew($1, $2, $3, $4)",
      [
        "\(machine)", Self.array(leases.map(\.uid.text)),
        Self.array(leases.map { "\($0.fence)" }), lease,
      ])
    return Set((0..<rows.count).compactMap { GlobalID(text: rows.text($0, 0)) })
  }

  package func win(
    _ occasion: String, of automation: String, for machine: Int64
  ) throws -> Bool {
    try connection.run(
      "SELECT errand.win($1, $2, $3)", ["\(machine)", automation, occasion]
    ).text(0, 0) == "t"
  }

  // MARK: People

  package func jobs(limit: Int) throws -> [HubJobEntry] {
    let rows = try connection.run(
      """
      SELECT j.number, j.handler, j.state, m.name, w.name, \(Self.microseconds("j.created")), \
      \(Self.microseconds("j.due")), \(Self.microseconds("j.started")), \
      \(Self.microseconds("j.ended")), j.run, j.failures, j.error FROM errand.jobs AS j \
      JOIN errand.machines AS m ON m.number = j.machine \
      LEFT JOIN errand.machines AS w ON w.number = j.worker \
      ORDER BY j.number DESC LIMIT $1
      """, ["\(limit)"])
    return (0..<rows.count).map { row in
      func time(_ column: Int) -> Timestamp? {
        rows.isNull(row, column) ? nil : Timestamp(microseconds: rows.int(row, column))
      }
      var entry = HubJobEntry(
        number: rows.int(row, 0), handler: rows.text(row, 1),
        state: Job.State(rawValue: rows.text(row, 2)) ?? .dead, sender: rows.text(row, 3))
      entry.worker = rows.isNull(row, 4) ? nil : rows.text(row, 4)
      entry.created = time(5) ?? entry.created
      entry.due = time(6) ?? entry.due
      (entry.started, entry.ended) = (time(7), time(8))
      entry.run = rows.isNull(row, 9) ? nil : rows.int(row, 9)
      (entry.failures, entry.error) = (Int(rows.int(row, 10)), rows.text(row, 11))
      return entry
    }
  }

  private static func microseconds(_ column: String) -> String {
    // Members may write a date that is not in the years 1 to 9999, or infinity.
    """
    CASE WHEN \(column) IS NOT NULL THEN \
    (least(greatest(extract(epoch FROM \(column)), -62135596800), 253402300799) * 1000000)::bigint \
    END
    """
  }

  package func change(_ numbers: [Int64], isRetry: Bool) throws -> [Int64] {
    let rows = try connection.run(
      "SELECT * FROM errand.change_jobs($1, $2)",
      [Self.array(numbers.map { "\($0)" }), isRetry ? "t" : "f"])
    try connection.run("NOTIFY \(HubSchema.channel)")
    return (0..<rows.count).map { rows.int($0, 0) }
  }

  // MARK: Files

  package func keep(_ bytes: [UInt8], named hash: String, of machine: Int64) throws {
    let known = try connection.run("SELECT 1 FROM errand.files WHERE hash = $1", [hash])
    guard known.count == 0 else { return }
    try connection.run(
      """
      INSERT INTO errand.files (hash, machine, bytes) VALUES ($1, $2, decode($3, 'base64')) \
      ON CONFLICT DO NOTHING
      """, [hash, "\(machine)", Base64.encode(bytes)])
  }

  /// Size of the largest file that is taken, as of those that are sent.
  private static let longestFile = 32 << 20

  package func bytes(named hash: String) throws -> [UInt8]? {
    let rows = try connection.run(
      """
      SELECT replace(encode(bytes, 'base64'), E'\\n', '') FROM errand.files \
      WHERE hash = $1 AND octet_length(bytes) <= \(Self.longestFile)
      """, [hash])
    return rows.count == 0 ? nil : Base64.decode(rows.text(0, 0))
  }
}
