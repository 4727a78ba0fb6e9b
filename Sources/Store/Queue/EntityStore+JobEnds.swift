import CEL
package import Items

/// How jobs that were taken end.
extension EntityStore {
  /// Notes that the job which was taken is done.
  ///
  /// Does nothing when its run has noted it already.
  ///
  /// - Parameter reason: what could not be done all the same, for people.
  /// - Throws: `superseded` when another process has taken it over.
  package func finishJob(_ reason: String = "") throws {
    guard let lease = jobLease else { return }
    try write { try finish(lease, reason) }
    jobLease = nil
  }

  /// Notes within the open transaction that a job is done.
  func finish(_ lease: JobLease, _ reason: String = "") throws {
    guard try expectTaken(lease) != nil else { return }
    try connection.run(
      """
      UPDATE errand_jobs SET state = 'done', error = \(.text(reason)), seat = NULL, \
      ended = \(.int(context.now().microseconds)) WHERE number = \(.int(lease.job))
      """)
    if lease.job % Self.jobPruningInterval == 0 { try pruneJobs() }
  }

  /// Notes that the job which was taken has failed; it is done again later, or given up.
  ///
  /// - Parameters:
  ///   - reason: why, for people.
  ///   - isFinal: whether it would fail again whenever it is done.
  /// - Returns: From when on it is done again; nil when it is given up.
  /// - Throws: `superseded`.
  @discardableResult
  package func failJob(_ reason: String, isFinal: Bool = false) throws -> Int64? {
    guard let lease = jobLease else { return nil }
    let due = try write { () throws -> Int64? in
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
    jobLease = nil
    return due
  }

  /// Puts the job which was taken back, as if nobody had tried it.
  ///
  /// - Parameters:
  ///   - requirements: what it is known now to wait for, too.
  ///   - delay: for how long it is not done, in microseconds.
  /// - Throws: `superseded`.
  package func releaseJob(
    requiring requirements: [Requirement] = [], after delay: Int64 = 0,
    because reason: String? = nil
  ) throws {
    guard let lease = jobLease else { return }
    try write {
      guard try expectTaken(lease) != nil else { return }
      try connection.run(
        """
        UPDATE errand_jobs SET requires = requires | \(.int(Requirement.mask(of: requirements))) \
        WHERE number = \(.int(lease.job))
        """)
      try putBack(lease.job, .waiting, after: delay, error: reason)
    }
    jobLease = nil
  }

  /// Gives up the right to write for the job which was taken, whatever becomes of it.
  package func forgetJob() { jobLease = nil }

  /// The job of a taking that still counts; nil when it is over already by its run.
  private func expectTaken(_ lease: JobLease) throws -> Job? {
    guard let job = try job(lease.job), job.fence == lease.fence else { throw Self.jobTakenOver }
    switch job.state {
    case .running: return job
    case .done: return nil
    case .waiting, .dead, .cancelled, .suspended: throw Self.jobTakenOver
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
}
