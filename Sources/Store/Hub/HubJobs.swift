import CEL
import Items
import JSON

/// Jobs that this machine sends to a hub, and jobs of a hub that it runs.
///
/// A job that was taken is one of the machine's own queue, with a lease of the hub beside it: it is
/// run, recorded and recovered as any other, and its end goes to the hub together with the changes
/// it made.
package struct HubJobs {
  let database: Database
  private var connection: Connection { database.connection }
  private var hub: HubStore { database.hub }

  // MARK: Sending

  /// Puts a job into the outbox, within the open transaction if there is one.
  ///
  /// - Parameter target: The name of the only machine that may run it; nil for any.
  /// - Throws: `notFound` for a store without a hub.
  package func post(_ job: NewJob, target: String?) throws {
    try database.transaction {
      guard try hub.membership() != nil else {
        throw StoreError(.notFound, "this library has no hub; `errand hub join` connects it")
      }
      let uid = database.makeUID()
      let text = try HubJob(job, uid: uid, target: target, delay: .zero)
        .text(due: job.notBefore?.microseconds)
      try hub.outbox.post(.job, text, of: uid, entity: job.handler)
    }
  }

  // MARK: Offering

  private static let offers = "hub-offers"

  /// The intents and shortcuts that this machine runs for others, with the permissions of their
  /// runs in the engine's encoding.
  package func offered() throws -> [String: String] {
    guard let text = try database.metadata(Self.offers),
      case .map(let map)? = try? JSONParser().parse(text)
    else { return [:] }
    var names: [String: String] = [:]
    for case (.string(let name), .string(let permissions)) in map.entries {
      names[name] = permissions
    }
    return names
  }

  /// Records the handlers that this machine offers, with their permissions.
  package func setOffered(_ names: [String: String]) throws {
    let entries = names.sorted { $0.key < $1.key }.map { ($0.key, Value.string($0.value)) }
    try database.setMetadata(
      Self.offers, to: entries.isEmpty ? nil : LoggedColumns.text(of: .map(MapValue(entries))))
  }

  // MARK: Running

  /// Puts a job of the hub into this machine's queue, with its lease.
  ///
  /// - Parameter permissions: Those of the offer.
  func accept(_ job: HubJob, permissions: String) throws {
    try database.transaction {
      try hub.makeTables()
      var local = NewJob(
        handler: job.handler, input: try localized(job.input),
        arguments: try localized(job.arguments), requires: job.requires,
        origin: "hub \(job.sender)", retry: JobRetry(times: 0))
      local.permissions = Self.common(permissions, job.permissions)
      guard let number = try database.jobs.enqueue(local) else { return }
      try connection.run(
        """
        INSERT OR REPLACE INTO errand_hub_jobs (uid, job, fence) \
        VALUES (\(.blob(job.uid.bytes)), \(.int(number)), \(.int(job.fence)))
        """)
    }
  }

  /// The permissions that two lists have in common; a missing list has all.
  private static func common(_ offered: String, _ asked: String?) -> String {
    guard let asked, case .list(let allowed)? = try? JSONParser().parse(offered),
      case .list(let others)? = try? JSONParser().parse(asked)
    else { return offered }
    let both = Value.list(allowed.filter(others.contains))
    return (try? JSONWriter(escapesInvisible: false).text(of: both)) ?? "[]"
  }

  /// Gives the items in an encoded value the ids that they have here; one that is not here keeps
  /// its values.
  private func localized(_ text: String) throws -> String {
    guard text.contains("\"uid\""), let value = try? JSONParser().parse(text) else { return text }
    return try JSONWriter(escapesInvisible: false).text(of: localized(value))
  }

  private func localized(_ value: Value) throws -> Value {
    switch value {
    case .list(let values): return .list(try values.map(localized))
    case .map(let map):
      guard map["$"] == .string("i") else {
        return .map(MapValue(entries: try map.entries.map { ($0.key, try localized($0.value)) }))
      }
      var item = map
      item["id"] = .null
      if case .string(let text)? = map["uid"], let uid = GlobalID(text: text) {
        let shared = SharedItems(database: database)
        item["id"] = try shared.item(shared.winner(of: uid))?.id.map(Value.int) ?? .null
      }
      if let values = map["v"] { item["v"] = try localized(values) }
      return .map(item)
    default: return value
    }
  }

  /// The leases that this machine holds or held, and whose end the hub does not know.
  func leases() throws -> [HubLease] {
    guard try hub.hasTables else { return [] }
    return try connection.map("SELECT uid, fence, job FROM errand_hub_jobs ORDER BY job") { row in
      GlobalID(bytes: row.blob(0)).map {
        HubLease(uid: $0, fence: row.int(1), job: row.int(2))
      }
    }.compactMap { $0 }
  }

  /// The ends of jobs that the hub does not know.
  func ended() throws -> [HubJobEnd] {
    try leases().compactMap { lease in
      guard let job = try database.jobs.job(lease.job) else {
        // Ended so long ago that it is forgotten.
        return HubJobEnd(lease, .cancelled, error: "forgotten")
      }
      switch job.state {
      case .done: return HubJobEnd(lease, .done, error: job.error, run: job.run)
      case .dead: return HubJobEnd(lease, .failed, error: job.error, run: job.run)
      case .cancelled: return HubJobEnd(lease, .cancelled, error: job.error, run: job.run)
      case .waiting, .running, .suspended: return nil
      }
    }
  }

  /// Whether there are ends of jobs that the hub does not know, or undecided claims.
  func hasNews() throws -> Bool {
    try connection.exists(
      """
      SELECT 1 FROM errand_hub_claims UNION ALL \
      SELECT 1 FROM errand_hub_jobs AS h LEFT JOIN errand_jobs AS j ON j.number = h.job \
      WHERE j.state IS NULL OR j.state IN ('done', 'dead', 'cancelled') LIMIT 1
      """)
  }

  /// The number of jobs of the hub that have not ended here.
  package func openCount() throws -> Int {
    guard try hub.hasTables else { return 0 }
    return Int(
      try connection.number(
        """
        SELECT count(*) FROM errand_hub_jobs AS h JOIN errand_jobs AS j ON j.number = h.job \
        WHERE j.state IN ('waiting', 'running', 'suspended')
        """) ?? 0)
  }

  /// Removes leases whose end the hub knows, or which it has given to others.
  func forget(_ jobs: [GlobalID]) throws {
    try database.transaction {
      for uid in jobs {
        try connection.run("DELETE FROM errand_hub_jobs WHERE uid = \(.blob(uid.bytes))")
      }
    }
  }

  /// Ends the jobs here that a machine with another number has taken.
  func dropLeases() throws {
    let open = try leases()
    _ = try database.jobs.cancel(JobSelection(numbers: open.map(\.job)))
    try forget(open.map(\.uid))
  }

  // MARK: Jobs that cannot be read

  private static let deadCountKey = "hub-dead-jobs"

  /// The number of jobs of other machines that could not be read here, since a person last listed
  /// the jobs of the hub.
  package func deadCount() throws -> Int {
    try database.metadata(Self.deadCountKey).flatMap { Int($0) } ?? 0
  }

  /// Adds to the number of jobs that could not be read.
  func countDead(_ count: Int) throws {
    try database.setMetadata(Self.deadCountKey, to: "\(deadCount() + count)")
  }

  /// Removes the number of jobs that could not be read.
  package func forgetDead() throws {
    guard try deadCount() > 0 else { return }
    try database.setMetadata(Self.deadCountKey, to: nil)
  }

  // MARK: Occasions

  /// A job of an automation with `once: hub`, which waits until one machine has won its occasion.
  struct Claim: Sendable {
    let automation: String
    let occasion: String
    let job: NewJob
  }

  /// Keeps a job until the hub has decided which machine runs it, within the open transaction.
  package func claim(_ job: NewJob, occasion: String) throws {
    guard try hub.membership() != nil else { return }
    try hub.makeTables()
    let text = try HubJob(job, uid: database.makeUID(), target: nil, delay: .zero).text(due: nil)
    try connection.run(
      """
      INSERT OR IGNORE INTO errand_hub_claims (name, occasion, job, origin, exclusive) VALUES \
      (\(.text(job.handler)), \(.text(occasion)), \(.text(text)), \(.text(job.origin)), \
      \(.int(JobQueue.exclusion(of: job))))
      """)
  }

  /// The claims that are not decided, oldest occasion first.
  func claims(limit: Int) throws -> [Claim] {
    guard try hub.hasTables else { return [] }
    return try connection.map(
      """
      SELECT name, occasion, job, origin, exclusive FROM errand_hub_claims \
      ORDER BY name, occasion LIMIT \(.int(Int64(limit)))
      """
    ) { row -> Claim? in
      guard
        let kept = HubJob(
          uid: .init(high: 0, low: 0), handler: row.text(0), text: row.text(2), now: 0)
      else { return nil }
      var job = NewJob(
        handler: kept.handler, input: kept.input, arguments: kept.arguments, key: kept.key,
        requires: kept.requires, origin: row.text(3), retry: kept.retry)
      job.isExclusive = row.int(4) > 0
      job.chain = [kept.handler]
      return Claim(automation: row.text(0), occasion: row.text(1), job: job)
    }.compactMap { $0 }
  }

  /// Runs the job of a claim if this machine has won it, and removes the claim.
  func decide(_ claim: Claim, isWon: Bool) throws {
    try database.transaction {
      if isWon { _ = try database.jobs.enqueue(claim.job) }
      try connection.run(
        """
        DELETE FROM errand_hub_claims WHERE name = \(.text(claim.automation)) \
        AND occasion = \(.text(claim.occasion))
        """)
    }
  }
}
