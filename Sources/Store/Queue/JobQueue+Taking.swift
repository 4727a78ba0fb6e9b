import CEL
import Glibc
package import Items

/// Dequeuing jobs, and recovering those of dead processes.
///
/// The fencing token alone decides whether a process may still write; liveness locks only decide
/// when its job is given to another process.
extension JobQueue {
  /// The number of process deaths after which a job is given up.
  private static let survivableDeaths = 5

  /// The liveness locks of workers; nil in memory, where there is only one process.
  package var seats: WorkerLocks? { database.seats }

  /// Dequeues the job that is due first; nil when none is ready.
  ///
  /// Until the job is completed, failed or released, all writes are checked against its lease.
  /// - Parameters:
  ///   - available: The requirements that are met.
  ///   - selection: The jobs that may be dequeued.
  package func take(
    having available: [Requirement] = Requirement.allCases,
    among selection: JobSelection = JobSelection(),
    frozenAfter limitOfSilence: Duration = RunStore.frozenAfter
  ) throws -> Job? {
    session.job = nil
    guard try isThere else { return nil }
    if let next = try successor() { return next }
    // A read that finds nothing needs no write lock.
    if try !connection.exists(candidate(available, selection)), try deadJobs(limitOfSilence).isEmpty
    {
      return nil
    }
    let lease = try database.transaction {
      try recover(limitOfSilence)
      return try takeFirst(available, selection)
    }
    guard let lease else { return nil }
    session.job = lease
    return try job(lease.job)
  }

  /// Dequeues the job that is due first, within the open transaction.
  private func takeFirst(
    _ available: [Requirement], _ selection: JobSelection
  ) throws -> JobLease? {
    let seat = try seats?.take()
    let fence = newFence()
    let taken = try connection.map(
      """
      UPDATE errand_jobs SET state = 'running', fence = \(.int(fence)), \
      seat = \(seat.map(SQLValue.int) ?? .null), process = \(.int(Int64(getpid()))), \
      started = \(.int(context.world.now().microseconds)), ended = NULL \
      WHERE number = (\(candidate(available, selection))) \
      RETURNING number, exclusive = 2 AND deaths = 0
      """
    ) { row in (number: row.int(0), joinsOthers: row.int(1) == 1) }.first
    guard let taken else { return nil }
    if taken.joinsOthers { try joinOthers(with: taken.number, available, selection) }
    return JobLease(job: taken.number, fence: fence)
  }

  // MARK: Chaining

  /// Chains jobs until `stop` is called: each one that completes dequeues the next in the same
  /// transaction, and `take` then returns that one.
  ///
  /// Jobs of dead processes are recovered only by `take` itself.
  /// - Parameter available: The requirements that are met; nil to end the chain.
  package func goOn(
    among selection: JobSelection, having available: @escaping () -> [Requirement]?
  ) {
    database.succession = JobSuccession { [unowned database] in
      guard let available = available() else { return nil }
      return try database.jobs.takeFirst(available, selection)
    }
  }

  /// Ends the chaining, and releases a job that was dequeued but not started.
  package func stop() throws {
    defer { database.succession = nil }
    if try successor() != nil { try release() }
  }

  /// The job dequeued when the previous one completed; nil if that transaction was rolled back.
  private func successor() throws -> Job? {
    guard let succession = database.succession, let lease = succession.next else { return nil }
    succession.next = nil
    guard let job = try job(lease.job), job.fence == lease.fence, job.state == .running else {
      return nil
    }
    session.job = lease
    return job
  }

  /// The due time of the next waiting job; nil when none waits.
  ///
  /// - Parameters:
  ///   - available: The requirements that are met; jobs that need more are ignored.
  ///   - selection: The jobs that count.
  package func nextDue(
    having available: [Requirement] = Requirement.allCases,
    among selection: JobSelection = JobSelection()
  ) throws -> Int64? {
    guard try isThere else { return nil }
    let missing = ~Requirement.mask(of: available)
    return try connection.number(
      """
      SELECT due FROM errand_jobs WHERE state = 'waiting' AND requires & \(.int(missing)) = 0 \
      AND \(Self.condition(of: selection)) ORDER BY due LIMIT 1
      """)
  }

  /// The unmet requirements of jobs that are due.
  package func missingRequirements() throws -> [Requirement] {
    guard try isThere else { return [] }
    let masks = try connection.numbers(
      """
      SELECT DISTINCT requires FROM errand_jobs WHERE state = 'waiting' \
      AND due <= \(.int(context.world.now().microseconds))
      """)
    return Requirement.all(in: masks.reduce(0) { $0 | $1 })
  }

  /// Whether any process is running a job.
  package func isAnyRunning() throws -> Bool {
    guard try isThere else { return false }
    return try connection.exists("SELECT 1 FROM errand_jobs WHERE state = 'running' LIMIT 1")
  }

  private func candidate(_ available: [Requirement], _ selection: JobSelection) -> SQL {
    """
    SELECT number FROM errand_jobs WHERE state = 'waiting' \
    AND due <= \(.int(context.world.now().microseconds)) \
    AND requires & \(.int(~Requirement.mask(of: available))) = 0 \
    AND (NOT exclusive OR handler NOT IN (SELECT handler FROM errand_jobs WHERE state = 'running')) \
    AND \(Self.condition(of: selection)) ORDER BY due, number LIMIT 1
    """
  }

  private func newFence() -> Int64 {
    context.world.randomBytes(8).reduce(Int64(0)) { ($0 & (.max >> 8)) << 8 | Int64($1) }
  }

  // MARK: Dead processes

  /// The running jobs whose processes are dead or frozen.
  private func deadJobs(_ limitOfSilence: Duration) throws -> [(number: Int64, deaths: Int64)] {
    guard let seats else { return [] }
    let running = try connection.map(
      "SELECT number, seat, deaths FROM errand_jobs WHERE state = 'running'"
    ) { row in
      (number: row.int(0), seat: row.optionalInt(1), deaths: row.int(2))
    }
    return try running.filter { job in
      guard let seat = job.seat else { return true }
      // This process is not running a job now, so one with its seat is from a former owner.
      return try seat == seats.own || !seats.isAlive(seat, silentFor: limitOfSilence)
    }.map { ($0.number, $0.deaths) }
  }

  /// Requeues the jobs of dead or frozen processes.
  private func recover(_ limitOfSilence: Duration) throws {
    for job in try deadJobs(limitOfSilence) {
      let isGivenUp = job.deaths + 1 >= Self.survivableDeaths
      try connection.run(
        "UPDATE errand_jobs SET deaths = deaths + 1 WHERE number = \(.int(job.number))")
      try separateOthers(from: job.number)
      try putBack(
        job.number, isGivenUp ? .dead : .waiting,
        error: isGivenUp ? "its process died \(Self.survivableDeaths) times" : nil)
    }
  }

  /// Checks that the process still owns its job; a run may go on writing after its job is done.
  ///
  /// - Throws: `superseded`.
  func expectTaken() throws {
    guard let lease = session.job else { return }
    let isTaken = try connection.exists(
      """
      SELECT 1 FROM errand_jobs WHERE number = \(.int(lease.job)) \
      AND fence = \(.int(lease.fence)) AND state IN ('running', 'done')
      """)
    if !isTaken { throw Self.takenOver }
  }

  static var takenOver: StoreError {
    StoreError(.superseded, "the job was ended or taken over by another process")
  }
}
