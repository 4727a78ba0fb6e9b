package import CEL

/// How long jobs are kept, what is known of them all, and clocks that are set back.
extension EntityStore {
  /// After how many jobs those that are done are looked through.
  static let jobPruningInterval: Int64 = 64
  /// For how long jobs that are done are kept, in microseconds: seven days.
  private static let keptJobTime: Int64 = 7 * 86_400 * 1_000_000
  /// How many jobs that are done are kept at most.
  private static let keptJobs: Int64 = 10_000

  /// Forgets jobs that were done or cancelled for long enough; dead ones stay.
  func pruneJobs() throws {
    let cutoff = context.now().microseconds - Self.keptJobTime
    try connection.run(
      """
      DELETE FROM errand_jobs WHERE state IN ('done', 'cancelled') AND (ended < \(.int(cutoff)) \
      OR number <= (SELECT max(number) FROM errand_jobs) - \(.int(Self.keptJobs)))
      """)
  }

  /// Lets no job wait for longer than it was meant to because the clock was set back.
  ///
  /// Delays are kept as times of the day, so one that was set at a time that is still to come is set
  /// again from now.
  package func mendDelays() throws {
    guard try hasQueue else { return }
    let now = SQLValue.int(context.now().microseconds)
    let isAhead: SQL = "state = 'waiting' AND stamped > \(now)"
    guard try connection.first("SELECT 1 FROM errand_jobs WHERE \(isAhead) LIMIT 1") != nil else {
      return
    }
    try write {
      try connection.run(
        """
        UPDATE errand_jobs SET due = \(now) + max(0, due - stamped), stamped = \(now) \
        WHERE \(isAhead)
        """)
    }
  }

  /// Suspends the jobs of a copy of a store: whoever puts it in place of the store decides whether
  /// they are done again.
  static func suspendJobs(in copy: Connection) throws {
    let table = "SELECT 1 FROM sqlite_schema WHERE name = 'errand_jobs'"
    guard try copy.first("\(raw: table)") != nil else { return }
    try copy.run(
      """
      UPDATE errand_jobs SET state = 'suspended', fence = NULL, seat = NULL \
      WHERE state IN ('waiting', 'running')
      """)
  }

  /// What is known of all jobs together.
  package struct QueueSummary: Sendable {
    package var counts: [Job.State: Int] = [:]
    /// From when on the oldest waiting job might have been done.
    package var oldestDue: Timestamp?
    /// How many were done, and given up, since a moment.
    package var doneLately = 0
    package var deadLately = 0
    /// How often jobs that are kept have failed.
    package var failures = 0

    /// No job.
    package init() {}
  }

  /// Counts the jobs by what became of them.
  ///
  /// - Parameter since: from when on those that are over are counted as lately.
  /// - Complexity: O(jobs that are kept).
  package func queueSummary(since moment: Timestamp) throws -> QueueSummary {
    var summary = QueueSummary()
    guard try hasQueue else { return summary }
    let since = SQLValue.int(moment.microseconds)
    try connection.rows(
      """
      SELECT state, count(*), sum(ended >= \(since)), sum(attempts), min(due) FROM errand_jobs \
      GROUP BY state
      """
    ) { row in
      guard let state = Job.State(rawValue: row.text(0)) else { return true }
      summary.counts[state] = Int(row.int(1))
      summary.failures += Int(row.int(3))
      switch state {
      case .done: summary.doneLately = Int(row.int(2))
      case .dead: summary.deadLately = Int(row.int(2))
      case .waiting: summary.oldestDue = Timestamp(microseconds: row.int(4))
      case .running, .cancelled, .suspended: break
      }
      return true
    }
    return summary
  }
}
