package import CEL

/// What is known of all jobs together: how many are in each state, for how long, and what came of them.
package struct QueueSummary: Sendable {
  /// What came of the jobs that were over within some time.
  package struct Rate: Sendable {
    package var done = 0
    /// Those that were given up.
    package var dead = 0

    /// No job.
    package init() {}

    /// Those that are done, of all that came to an end; nil where none did.
    package var success: Double? {
      done + dead == 0 ? nil : Double(done) / Double(done + dead)
    }
  }

  /// What is known of the jobs of one intent, shortcut or automation.
  package struct Handler: Sendable {
    package let name: String
    /// How many wait, or are done at the moment.
    package var open = 0
    package var lately = Rate()
    /// How long those that were done lately took, on average, in microseconds.
    package var averageTime: Int64?
  }

  package var counts: [Job.State: Int] = [:]
  /// Since when the oldest job in a state is in it; one that waits, since it was put in.
  package var oldest: [Job.State: Timestamp] = [:]
  /// From when on the first of those that wait may be done.
  package var nextDue: Timestamp?
  /// How many of those that wait have failed before.
  package var waitingAgain = 0
  /// What came of jobs since the moment that was asked for.
  package var lately = Rate()
  /// What came of all that are kept.
  package var kept = Rate()
  /// How often jobs that are kept have failed.
  package var failures = 0
  /// The handlers that have jobs to do or had some lately, those that gave up most of them first.
  package var handlers: [Handler] = []

  /// No job.
  package init() {}
}

extension JobQueue {
  /// Counts the jobs by what became of them.
  ///
  /// - Parameter since: from when on those that are over are counted as lately.
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
      handler.averageTime = row.isNull(4) ? nil : Int64(row.double(4).rounded())
      if handler.open > 0 || handler.lately.success != nil { summary.handlers.append(handler) }
      return true
    }
  }

  /// The jobs that failed last, the latest first: those that were given up, and those that wait to be
  /// done again.
  ///
  /// What was cancelled or put back says why, too, and is no failure.
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
