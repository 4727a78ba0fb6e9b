import CEL
package import Items

/// How jobs that were taken end.
extension JobQueue {
  /// Notes that the job which was taken is done.
  ///
  /// Does nothing when its run has noted it already.
  ///
  /// - Parameter reason: what could not be done all the same, for people.
  /// - Throws: `superseded` when another process has taken it over.
  package func finish(_ reason: String = "") throws {
    guard let lease = session.job else { return }
    try database.transaction { try finish(lease, reason) }
    session.job = nil
  }

  /// Notes within the open transaction that a job is done.
  func finish(_ lease: JobLease, _ reason: String = "") throws {
    guard try expectTaken(lease) != nil else { return }
    try connection.run(
      """
      UPDATE errand_jobs SET state = 'done', error = \(.text(reason)), seat = NULL, \
      ended = \(.int(context.now().microseconds)) WHERE number = \(.int(lease.job))
      """)
    if lease.job % Self.pruningInterval == 0 { try prune() }
  }

  /// Notes that the job which was taken has failed; it is done again later, or given up.
  ///
  /// - Parameters:
  ///   - reason: why, for people.
  ///   - isFinal: whether it would fail again whenever it is done.
  /// - Returns: From when on it is done again; nil when it is given up.
  /// - Throws: `superseded`.
  @discardableResult
  package func fail(_ reason: String, isFinal: Bool = false) throws -> Int64? {
    guard let lease = session.job else { return nil }
    let due = try database.transaction { () throws -> Int64? in
      guard let job = try expectTaken(lease) else { return nil }
      let failures = job.failures + 1
      let delay = isFinal ? nil : job.retry.delay(after: failures)
      try connection.run(
        """
        UPDATE errand_jobs SET attempts = \(.int(Int64(failures))) \
        WHERE number = \(.int(lease.job))
        """)
      try putBack(lease.job, delay == nil ? .dead : .waiting, after: delay ?? 0, error: reason)
      return delay.map { $0 + context.now().microseconds }
    }
    session.job = nil
    return due
  }

  /// Puts the job which was taken back, as if nobody had tried it.
  ///
  /// - Parameters:
  ///   - requirements: what it is known now to wait for, too.
  ///   - delay: for how long it is not done, in microseconds.
  /// - Throws: `superseded`.
  package func release(
    requiring requirements: [Requirement] = [], after delay: Int64 = 0,
    because reason: String? = nil
  ) throws {
    guard let lease = session.job else { return }
    try database.transaction {
      guard try expectTaken(lease) != nil else { return }
      try connection.run(
        """
        UPDATE errand_jobs SET requires = requires | \(.int(Requirement.mask(of: requirements))) \
        WHERE number = \(.int(lease.job))
        """)
      try putBack(lease.job, .waiting, after: delay, error: reason)
    }
    session.job = nil
  }

  /// Gives up the right to write for the job which was taken, whatever becomes of it.
  package func forget() { session.job = nil }

  /// The job of a taking that still counts; nil when it is over already by its run.
  private func expectTaken(_ lease: JobLease) throws -> Job? {
    guard let job = try job(lease.job), job.fence == lease.fence else { throw Self.takenOver }
    switch job.state {
    case .running: return job
    case .done: return nil
    case .waiting, .dead, .cancelled, .suspended: throw Self.takenOver
    }
  }

  /// Lets a job wait again, or gives it up.
  func putBack(
    _ number: Int64, _ state: Job.State, after delay: Int64 = 0, error: String?
  ) throws {
    let now = context.now().microseconds
    try connection.run(
      """
      UPDATE OR IGNORE errand_jobs SET state = \(.text(state.rawValue)), fence = NULL, \
      seat = NULL, due = \(.int(now + delay)), stamped = \(.int(now)), \
      ended = \(state.isOver ? SQLValue.int(now) : .null), \
      error = coalesce(\(error.map(SQLValue.text) ?? .null), error) \
      WHERE number = \(.int(number))
      """)
    guard connection.changes == 0 else { return }
    // A later job of its key waits, which does the same.
    try connection.run(
      """
      UPDATE errand_jobs SET state = 'cancelled', fence = NULL, seat = NULL, ended = \(.int(now)), \
      error = 'a later job of its key took its place' WHERE number = \(.int(number))
      """)
  }

  // MARK: How long jobs are kept, and clocks that are set back

  /// After how many jobs those that are done are looked through.
  static let pruningInterval: Int64 = 64
  /// For how long jobs that are done are kept, in microseconds: seven days.
  private static let keptJobTime: Int64 = 7 * 86_400 * 1_000_000
  /// How many jobs are looked at from the latest on: those that are done and stand behind them are
  /// forgotten within the week, so that a queue without rest does not grow without end.
  private static let keptJobs: Int64 = 1_000_000
  /// How many are forgotten in one go at most.
  private static let prunedJobs: Int64 = 1_024

  /// Forgets jobs that were done or cancelled for long enough, the first ones first; dead ones stay.
  ///
  /// - Complexity: O(1,024 + jobs that are not over and stand before).
  func prune() throws {
    let cutoff = context.now().microseconds - Self.keptJobTime
    try connection.run(
      """
      DELETE FROM errand_jobs WHERE number IN (SELECT number FROM errand_jobs \
      WHERE state IN ('done', 'cancelled') ORDER BY number LIMIT \(.int(Self.prunedJobs))) \
      AND (ended < \(.int(cutoff)) \
      OR number <= (SELECT max(number) FROM errand_jobs) - \(.int(Self.keptJobs)))
      """)
  }

  /// Lets no job wait for longer than it was meant to because the clock was set back.
  ///
  /// Delays are kept as times of the day, so one that was set at a time that is still to come is set
  /// again from now.
  package func mendDelays() throws {
    guard try isThere else { return }
    let now = SQLValue.int(context.now().microseconds)
    let isAhead: SQL = "state = 'waiting' AND stamped > \(now)"
    guard try connection.exists("SELECT 1 FROM errand_jobs WHERE \(isAhead) LIMIT 1") else {
      return
    }
    try database.transaction {
      try connection.run(
        """
        UPDATE errand_jobs SET due = \(now) + max(0, due - stamped), stamped = \(now) \
        WHERE \(isAhead)
        """)
    }
  }
}

extension Connection {
  /// Suspends the jobs of a copy of a store: whoever puts it in place of the store decides whether
  /// they are done again.
  package func suspendJobs() throws {
    guard try hasTable("errand_jobs") else { return }
    try run(
      """
      UPDATE errand_jobs SET state = 'suspended', fence = NULL, seat = NULL \
      WHERE state IN ('waiting', 'running')
      """)
  }
}
