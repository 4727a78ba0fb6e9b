import CEL

/// How long jobs are kept, and clocks that are set back.
extension EntityStore {
  /// After how many jobs those that are done are looked through.
  static let jobPruningInterval: Int64 = 64
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
  func pruneJobs() throws {
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
  package static func suspendJobs(in copy: Connection) throws {
    let table = "SELECT 1 FROM sqlite_schema WHERE name = 'errand_jobs'"
    guard try copy.first("\(raw: table)") != nil else { return }
    try copy.run(
      """
      UPDATE errand_jobs SET state = 'suspended', fence = NULL, seat = NULL \
      WHERE state IN ('waiting', 'running')
      """)
  }
}
