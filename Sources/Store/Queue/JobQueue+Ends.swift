import CEL
package import Items
import POSIX

/// Completing, failing and releasing dequeued jobs.
extension JobQueue {
  /// Completes the current job.
  ///
  /// Does nothing when its run has already completed it.
  ///
  /// - Parameter reason: A readable reason why the work was skipped.
  /// - Throws: `superseded` when another process has taken the job over.
  package func finish(_ reason: String = "") throws {
    guard let lease = session.job else { return }
    if try !lease.isDone || expectTaken(lease) != nil {
      try database.transaction { try finish(lease, reason) }
    }
    session.job = nil
  }

  /// Completes a job within the open transaction, and dequeues the next one.
  func finish(_ lease: JobLease, _ reason: String = "") throws {
    try connection.run(
      """
      UPDATE errand_jobs SET state = 'done', error = \(.text(reason)), seat = NULL, \
      ended = \(.int(context.world.now().microseconds)) WHERE number = \(.int(lease.job)) \
      AND fence = \(.int(lease.fence)) AND state = 'running'
      """)
    guard connection.changes == 1 else {
      _ = try expectTaken(lease)
      return
    }
    if lease.job % Self.pruningInterval == 0 { try prune() }
    session.job?.isDone = true
    if let succession = database.succession { succession.next = try succession.take() }
  }

  /// Records that the current job failed; it is retried later or becomes dead.
  ///
  /// - Parameters:
  ///   - reason: The error, for people.
  ///   - isFinal: Whether a retry would fail again.
  /// - Returns: The time of the retry; nil when the job is dead.
  /// - Throws: `superseded`.
  @discardableResult
  package func fail(_ reason: String, isFinal: Bool = false) throws -> Int64? {
    guard let lease = session.job else { return nil }
    let due = try database.transaction { () throws -> Int64? in
      guard let job = try expectTaken(lease) else { return nil }
      var failures = job.failures + 1
      let delay = isFinal ? nil : job.retry.delay(after: failures)
      if delay == nil { failures += try replaceDead(before: job) }
      try connection.run(
        """
        UPDATE errand_jobs SET attempts = \(.int(Int64(failures))) \
        WHERE number = \(.int(lease.job))
        """)
      try putBack(lease.job, delay == nil ? .dead : .waiting, after: delay ?? .zero, error: reason)
      return delay.map { $0.microseconds + context.world.now().microseconds }
    }
    session.job = nil
    return due
  }

  /// Deletes earlier dead jobs of the same trigger of an automation, so that one that fails each
  /// time stays one row.
  ///
  /// - Returns: The number of their failed attempts.
  private func replaceDead(before job: Job) throws -> Int {
    guard let key = job.key, job.origin.hasPrefix("automation ") else { return 0 }
    return try connection.map(
      """
      DELETE FROM errand_jobs WHERE state = 'dead' AND handler = \(.text(job.handler)) \
      AND key = \(.text(key)) AND origin = \(.text(job.origin)) AND number < \(.int(job.number)) \
      RETURNING attempts
      """
    ) { Int($0.int(0)) }.reduce(0, +)
  }

  /// Returns the current job to the queue without counting an attempt.
  ///
  /// - Parameters:
  ///   - requirements: Further requirements that were found.
  ///   - delay: The delay until the job is due.
  /// - Throws: `superseded`.
  package func release(
    requiring requirements: [Requirement] = [], after delay: Duration = .zero,
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

  /// Drops the lease of the current job without changing the job.
  package func forget() { session.job = nil }

  /// The job of a valid lease; nil when its run has already completed it.
  private func expectTaken(_ lease: JobLease) throws -> Job? {
    guard let job = try job(lease.job), job.fence == lease.fence else { throw Self.takenOver }
    switch job.state {
    case .running: return job
    case .done: return nil
    case .waiting, .dead, .cancelled, .suspended: throw Self.takenOver
    }
  }

  /// Sets a job to waiting or dead.
  func putBack(
    _ number: Int64, _ state: Job.State, after delay: Duration = .zero, error: String?
  ) throws {
    let now = context.world.now().microseconds
    try connection.run(
      """
      UPDATE OR IGNORE errand_jobs SET state = \(.text(state.rawValue)), fence = NULL, \
      seat = NULL, due = \(.int(now + delay.microseconds)), stamped = \(.int(now)), \
      ended = \(state.isOver ? SQLValue.int(now) : .null), \
      error = coalesce(\(error.map(SQLValue.text) ?? .null), error) \
      WHERE number = \(.int(number))
      """)
    guard connection.changes == 0 else { return }
    // A later job with the same key is waiting, so this one is redundant.
    try connection.run(
      """
      UPDATE errand_jobs SET state = 'cancelled', fence = NULL, seat = NULL, ended = \(.int(now)), \
      error = 'replaced by a later job with the same key' WHERE number = \(.int(number))
      """)
  }

  // MARK: Retention, and clocks that are set back

  /// The number of jobs between prunings.
  static let pruningInterval: Int64 = 64
  /// The retention of completed jobs: seven days.
  private static let keptJobTime = Duration.seconds(7 * 86_400)
  /// The maximum number of jobs before completed ones are pruned early, so that a busy queue does
  /// not grow without bound.
  private static let keptJobs: Int64 = 1_000_000
  /// The maximum number of jobs deleted at once.
  private static let prunedJobs: Int64 = 1_024

  /// Deletes old completed and cancelled jobs, oldest first; dead ones are kept.
  ///
  /// - Complexity: O(1,024 + unfinished jobs before them).
  func prune() throws {
    let cutoff = context.world.now().microseconds - Self.keptJobTime.microseconds
    try connection.run(
      """
      DELETE FROM errand_jobs WHERE number IN (SELECT number FROM errand_jobs \
      WHERE state IN ('done', 'cancelled') ORDER BY number LIMIT \(.int(Self.prunedJobs))) \
      AND (ended < \(.int(cutoff)) \
      OR number <= (SELECT max(number) FROM errand_jobs) - \(.int(Self.keptJobs)))
      """)
  }

  /// Corrects the due times of jobs after the clock was set back.
  ///
  /// Due times are absolute, so a job stamped in the future is rescheduled from now with the same
  /// delay.
  package func repairDelays() throws {
    guard try isThere else { return }
    let now = SQLValue.int(context.world.now().microseconds)
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
  /// Suspends the jobs in a copy of a store; the user who restores it may resume them.
  package func suspendJobs() throws {
    guard try hasTable("errand_jobs") else { return }
    try run(
      """
      UPDATE errand_jobs SET state = 'suspended', fence = NULL, seat = NULL \
      WHERE state IN ('waiting', 'running')
      """)
  }
}
