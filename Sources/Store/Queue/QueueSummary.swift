package import CEL

/// Statistics of the queue: job counts, ages and success rates.
package struct QueueSummary: Sendable {
  /// Outcomes of the jobs that ended within a period.
  package struct Rate: Sendable {
    package var done = 0
    /// The number of jobs that were given up.
    package var dead = 0

    /// An empty rate.
    package init() {}

    /// The share of completed jobs; nil when none ended.
    package var success: Double? {
      done + dead == 0 ? nil : Double(done) / Double(done + dead)
    }
  }

  /// Statistics of one intent, shortcut or automation.
  package struct Handler: Sendable {
    package let name: String
    /// The number of waiting and running jobs.
    package var open = 0
    package var lately = Rate()
    /// The average time of recently completed jobs.
    package var averageTime: Duration?
  }

  package var counts: [Job.State: Int] = [:]
  /// For each state, the time when its oldest job entered it; for waiting jobs, the time of
  /// enqueuing.
  package var oldest: [Job.State: Timestamp] = [:]
  /// The earliest due time of a waiting job.
  package var nextDue: Timestamp?
  /// The number of waiting jobs that have failed before.
  package var waitingAgain = 0
  /// Outcomes since the requested time.
  package var lately = Rate()
  /// Outcomes of all jobs that are kept.
  package var kept = Rate()
  /// The number of failed attempts of all jobs that are kept.
  package var failures = 0
  /// The handlers with open or recent jobs, those with the most dead ones first.
  package var handlers: [Handler] = []

  /// An empty summary.
  package init() {}
}

extension JobQueue {
  /// Computes the statistics of the queue.
  ///
  /// - Parameter moment: The start of the recent period.
  /// - Complexity: O(jobs that are kept).
  package func summary(since moment: Timestamp) throws -> QueueSummary {
    var summary = QueueSummary()
    guard try isThere else { return summary }
    try connection.reading {
      try countStates(&summary, since: .int(moment.microseconds))
      try countHandlers(&summary, since: .int(moment.microseconds))
    }
    return summary
  }

  private func countStates(_ summary: inout QueueSummary, since: SQLValue) throws {
    try connection.rows(
      """
      SELECT state, count(*), sum(ended >= \(since)), sum(attempts), sum(attempts > 0), min(due), \
      min(CASE state WHEN 'running' THEN started WHEN 'done' THEN ended WHEN 'dead' THEN ended \
      WHEN 'cancelled' THEN ended ELSE created END) FROM errand_jobs GROUP BY state
      """
    ) { row in
      guard let state = Job.State(rawValue: row.text(0)) else { return true }
      let count = Int(row.int(1))
      summary.counts[state] = count
      summary.failures += Int(row.int(3))
      if !row.isNull(6) { summary.oldest[state] = Timestamp(microseconds: row.int(6)) }
      switch state {
      case .done: (summary.lately.done, summary.kept.done) = (Int(row.int(2)), count)
      case .dead: (summary.lately.dead, summary.kept.dead) = (Int(row.int(2)), count)
      case .waiting:
        summary.nextDue = Timestamp(microseconds: row.int(5))
        summary.waitingAgain = Int(row.int(4))
      case .running, .cancelled, .suspended: break
      }
      return true
    }
  }

  private func countHandlers(_ summary: inout QueueSummary, since: SQLValue) throws {
    try connection.rows(
      """
      SELECT handler, sum(state IN ('waiting', 'running')), sum(state = 'done' AND ended >= \(since)), \
      sum(state = 'dead' AND ended >= \(since)) AS dead, \
      avg(CASE WHEN state = 'done' AND ended >= \(since) THEN max(0, ended - started) END) \
      FROM errand_jobs GROUP BY handler ORDER BY dead DESC, count(*) DESC, handler
      """
    ) { row in
      var handler = QueueSummary.Handler(name: row.text(0))
      handler.open = Int(row.int(1))
      handler.lately.done = Int(row.int(2))
      handler.lately.dead = Int(row.int(3))
      handler.averageTime = row.isNull(4) ? nil : .microseconds(row.double(4))
      if handler.open > 0 || handler.lately.success != nil { summary.handlers.append(handler) }
      return true
    }
  }

  /// The jobs that failed last, latest first: dead ones, and those waiting for a retry.
  ///
  /// Jobs that were cancelled or released have a reason too, but did not fail.
  package func lastFailures(limit: Int) throws -> [Job] {
    guard try isThere else { return [] }
    return try connection.map(
      """
      SELECT \(try jobColumns) FROM errand_jobs WHERE error <> '' \
      AND state NOT IN ('done', 'cancelled') AND (state = 'dead' OR attempts + deaths > 0) \
      ORDER BY coalesce(started, ended, created) DESC, number DESC LIMIT \(.int(Int64(limit)))
      """
    ) { row in Self.job(row) }
  }
}
