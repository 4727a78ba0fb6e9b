import CEL
package import Items
import Replication

/// Sends the changes of a store to its hub, and merges those of other machines.
///
/// It may be ended at any point: a change leaves the outbox after the hub has it, and is merged in
/// the transaction that moves the cursor.
package struct HubSync {
  /// The counts of a sync.
  package struct Outcome: Sendable {
    package var sent = 0
    package var received = 0
    package var changed = 0
    package var conflicts = 0
    /// The rows of the log with numbers that the hub never gave.
    package var strays = 0
    /// Whether the hub was restored from a backup, so that all was sent again.
    package var wasRestored = false
    /// Whether the store turned out to be a copy of another machine's, and has a new number.
    package var wasCopied = false
    /// The jobs that the hub gave to others before they ended here, with their runs here.
    package var lostJobs: [(handler: String, run: Int64?)] = []

    package init() {}
  }

  private let database: Database
  private let transport: any HubTransport
  private let progress: (Outcome) -> Void
  /// Reverts the changes of a run whose job the hub gave to another machine.
  package var revert: (_ run: Int64) throws -> Void = { _ in }
  /// Called with jobs that cannot be read and are dead now.
  package var didRefuse: (_ jobs: [(handler: String, sender: String)]) -> Void = { _ in }
  private var hub: HubStore { database.hub }

  /// Difference of clocks below which the machine's own time is used, in microseconds: a second.
  private static let noise: UInt64 = 1_000_000

  /// The number of messages in one push or pull.
  package static let batch = 2_000

  package init(
    _ database: Database, _ transport: any HubTransport,
    progress: @escaping (Outcome) -> Void = { _ in }
  ) {
    self.database = database
    self.transport = transport
    self.progress = progress
  }

  /// Runs until nothing is left to send or to merge.
  ///
  /// - Throws: `notFound` for a store without a hub, `conflict` for the wrong hub; errors of the
  ///   store and of the transport. Completed steps are kept.
  package func run() throws -> Outcome {
    var outcome = Outcome()
    guard let start = try hub.membership() else {
      throw StoreError(.notFound, "this library has no hub; `errand hub join` connects it")
    }
    let greeting = try transport.begin(start)
    guard greeting.hub == start.hub else {
      throw StoreError(
        .conflict,
        "this is another hub than the one that the library joined: check its address, or leave the "
          + "old one with `errand hub leave` and join this one")
    }
    outcome.strays = greeting.strays
    try settleTurn(greeting, &outcome)
    try dropLostJobs(&outcome)
    var isDone: Bool
    repeat {
      isDone = false
      var clock = try clock(greeting)
      try hub.merger.stage(&clock)
      // All changes of the jobs that have ended are in the outbox.
      let ended = try database.transaction {
        try hub.merger.stage(&clock)
        return try hub.jobs.ended()
      }
      try hub.merger.repairStamps(&clock)
      try hub.merger.followDefinitions(&clock)
      do { try push(ended, &outcome) } catch let error as HubFenceLost {
        try drop(error.jobs, &outcome)
        continue
      }
      // The push may have found that the store is a copy, which needs a new machine number.
      clock = try self.clock(greeting)
      try pull(&clock, &outcome)
      isDone = try hub.outbox.isEmpty() && hub.jobs.ended().isEmpty
    } while !isDone
    try hub.conflicts.prune()
    let now = database.context.world.now().microseconds
    try hub.update { ($0.synced, $0.isSettled) = (now, true) }
    return outcome
  }

  private func clock(_ greeting: HubGreeting) throws -> HybridClock {
    let member = try hub.membership()
    let (offset, overflows) = greeting.now.subtractingReportingOverflow(
      database.context.world.now().microseconds)
    return HybridClock(
      machine: member?.machine ?? 0,
      // Small differences are the time that the question took.
      offset: overflows || offset.magnitude < Self.noise ? 0 : offset,
      now: greeting.now, last: member?.lastStamp ?? 0)
  }

  /// Compares the machine's turn with the hub's.
  private func settleTurn(_ greeting: HubGreeting, _ outcome: inout Outcome) throws {
    guard let member = try hub.membership() else { return }
    if greeting.turn < member.turn || !greeting.knowsSeen {
      // Restored from a backup. All is compared by its stamps; a copy of this machine may already
      // have sent something under its number.
      outcome.wasRestored = true
      try takeNewNumber()
      try database.transaction {
        try hub.update { ($0.seen, $0.seenName) = (0, "") }
        try hub.outbox.markFilesUnsent()
      }
      try hub.outbox.stageEverything()
    } else if greeting.turn > member.turn {
      // The answer to the last push was lost, unless this is a copy.
      if greeting.turn == member.turn + 1, let name = greeting.turnName,
        let last = try hub.outbox.number(of: name)
          ?? (hub.jobs.leases().contains { $0.uid == name } ? 0 : nil)
      {
        try acknowledge(upTo: last, turn: greeting.turn, name)
      } else {
        try becomeNewMachine(&outcome)
      }
    } else if greeting.turnName?.text ?? "" != member.turnName {
      // As many pushes, but not the same.
      try becomeNewMachine(&outcome)
    }
  }

  private func becomeNewMachine(_ outcome: inout Outcome) throws {
    outcome.wasCopied = true
    try takeNewNumber()
  }

  private func takeNewNumber() throws {
    guard let member = try hub.membership() else { return }
    let random = Int64(database.makeUID().low & 0xFFFF_FFFF)
    try hub.becomeNewMachine((member.machine &+ random) & (Stamp.highestMachine - 1) + 1)
    if let renamed = try hub.membership() { _ = try transport.begin(renamed) }
  }

  /// Sends the outbox; with jobs or their ends, all in one transaction.
  private func push(_ ended: [HubJobEnd], _ outcome: inout Outcome) throws {
    var ended = ended
    while true {
      // A job must not arrive before its items.
      let isWhole = try !ended.isEmpty || hub.outbox.hasJobs()
      var (batch, last) = try hub.outbox.batch(limit: isWhole ? .max : Self.batch)
      batch.ends = ended
      batch.lastName = batch.lastName ?? ended.first?.lease.uid
      guard !batch.isEmpty, let member = try hub.membership() else { return }
      do {
        try transport.push(batch, of: member.machine, turn: member.turn + 1)
      } catch is HubTurnTaken {
        try becomeNewMachine(&outcome)
        continue
      }
      try acknowledge(
        upTo: last, turn: member.turn + 1, batch.lastName, ended: ended.map(\.lease.uid))
      ended = []
      outcome.sent += batch.messages.count + batch.jobs.count
      progress(outcome)
    }
  }

  /// Removes messages and ended jobs that the hub has acknowledged.
  ///
  /// - Parameter name: The name of the last message.
  private func acknowledge(
    upTo last: Int64, turn: Int64, _ name: GlobalID?, ended: [GlobalID] = []
  ) throws {
    try database.transaction {
      try hub.outbox.remove(upTo: last)
      try hub.jobs.forget(ended)
      try hub.update { ($0.turn, $0.turnName) = (turn, name?.text ?? "") }
    }
  }

  private func pull(_ clock: inout HybridClock, _ outcome: inout Outcome) throws {
    while true {
      guard let member = try hub.membership() else { return }
      let page = try transport.pull(
        after: member.seen, without: member.machine, limit: Self.batch)
      clock.advance(to: page.now)
      if page.last > member.seen {
        let (changed, conflicts) = try hub.merger.apply(
          page.messages, upTo: page.last, named: page.lastName, &clock)
        outcome.received += page.messages.count
        outcome.changed += changed
        outcome.conflicts += conflicts
        progress(outcome)
      }
      if page.isLast { return }
    }
  }

  // MARK: Jobs

  /// Renews the leases of this machine, and drops the jobs that the hub has given to others.
  ///
  /// - Throws: `HubFailure`.
  package func dropLostJobs(_ outcome: inout Outcome) throws {
    guard let queue = transport as? any HubQueue, let member = try hub.membership() else { return }
    // Without a live worker, unfinished jobs are left to other machines.
    let leases = try isServed() ? hub.jobs.leases() : hub.jobs.ended().map(\.lease)
    guard !leases.isEmpty else { return }
    let kept = try queue.renew(leases, of: member.machine)
    try drop(leases.map(\.uid).filter { !kept.contains($0) }, &outcome)
  }

  /// Whether a worker of this machine is alive.
  private func isServed() throws -> Bool {
    guard let seats = database.jobs.seats else { return true }
    return try seats.own != nil || seats.others().contains { $0.silence < RunStore.frozenAfter }
  }

  /// Ends jobs here that another machine has, and reverts their changes.
  private func drop(_ jobs: [GlobalID], _ outcome: inout Outcome) throws {
    guard !jobs.isEmpty else { return }
    let lost = Set(jobs)
    for lease in try hub.jobs.leases() where lost.contains(lease.uid) {
      // From here on its run cannot write.
      _ = try database.jobs.cancel(JobSelection(numbers: [lease.job]))
      let job = try database.jobs.job(lease.job)
      if let run = job?.run { try revert(run) }
      outcome.lostJobs.append((job?.handler ?? "", job?.run))
    }
    try hub.jobs.forget(jobs)
  }

  /// Takes jobs for this machine's workers, and decides which machine runs automations that run on
  /// one.
  ///
  /// - Parameter limit: The most jobs that the machine's workers may have.
  /// - Returns: The number of jobs taken or won.
  package func takeJobs(limit: Int, having available: [Requirement]) throws -> Int {
    guard let queue = transport as? any HubQueue, let member = try hub.membership() else {
      return 0
    }
    var count = 0
    for claim in try hub.jobs.claims(limit: Self.batch) {
      let isWon = try queue.win(
        claim.occasion, of: claim.automation, for: member.machine)
      try hub.jobs.decide(claim, isWon: isWon)
      if isWon { count += 1 }
    }
    let offered = try hub.jobs.offered()
    let room = try limit - hub.jobs.openCount()
    guard !offered.isEmpty, room > 0 else { return count }
    let request = HubJobRequest(
      handlers: offered.keys.sorted(), available: available, name: member.name,
      held: try hub.jobs.leases().map(\.uid), limit: room)
    let taken = try queue.take(request, of: member.machine)
    let jobs = taken.jobs
    if !taken.unreadable.isEmpty {
      try hub.jobs.countDead(taken.unreadable.count)
      didRefuse(taken.unreadable)
    }
    if !jobs.isEmpty {
      // The items that the jobs reference reached the hub before them.
      var clock = try clock(transport.begin(member))
      var outcome = Outcome()
      try pull(&clock, &outcome)
    }
    for job in jobs {
      try hub.jobs.accept(job, permissions: offered[job.handler] ?? "[]")
      count += 1
    }
    return count
  }
}
