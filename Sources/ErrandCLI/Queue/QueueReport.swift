import CEL
import Engine
import Source
import Store

/// What is known of the queue as a whole: jobs by state, ages, rates, workers, the last failures.
struct QueueReport {
  /// For how long back rates are counted, in seconds.
  private static let lately: Int64 = 86_400
  /// How many failures are shown.
  private static let shownFailures = 5

  private let invocation: Invocation
  private let session: Run
  private let summary: EntityStore.QueueSummary
  private let workers: [(process: Int32, silence: Int64)]
  private let failures: [Job]

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    session = try invocation.session()
    if try invocation.absentStore() != nil {
      (summary, workers, failures) = (EntityStore.QueueSummary(), [], [])
      return
    }
    let store = try session.store()
    let since = Timestamp(seconds: session.host.now().seconds - Self.lately)
    summary = try store.queueSummary(since: since)
    workers = try store.seats?.others() ?? []
    // What was cancelled says why, too: it is no failure.
    failures = try store.jobs().filter { job in
      !job.error.isEmpty && job.state != .done && job.state != .cancelled
    }
    .sorted { ($0.started ?? $0.created) > ($1.started ?? $1.created) }
    .prefix(Self.shownFailures).map { $0 }
  }

  /// Writes it as the call wants it.
  func write() throws {
    guard invocation.mode.isPlain else { return try invocation.resultWriter.write(value) }
    for line in lines { invocation.console.out("\(line)\n") }
  }

  /// The share of jobs that were done of those that came to an end lately; nil where none did.
  private var rate: Double? {
    let ended = summary.doneLately + summary.deadLately
    return ended == 0 ? nil : Double(summary.doneLately) / Double(ended)
  }

  /// What came of the jobs of the last day, in words; nil where none came to an end.
  private var recent: String? {
    rate.map { rate in
      "\(summary.doneLately) done, \(summary.deadLately) given up, "
        + "\(Int((rate * 100).rounded())) % done"
    }
  }

  /// How many jobs are in each state, in words.
  var counts: String {
    let parts = Job.State.allCases.compactMap { state -> String? in
      guard let count = summary.counts[state], count > 0 else { return nil }
      return "\(count) \(state.rawValue)"
    }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  /// How many jobs there are.
  var isEmpty: Bool { summary.counts.isEmpty }

  /// What to do about it.
  var advice: [String] {
    var lines: [String] = []
    if let dead = summary.counts[.dead], dead > 0 {
      lines.append(
        "`errand queue list --state dead` tells why; `errand queue retry` does them again")
    }
    if let suspended = summary.counts[.suspended], suspended > 0 {
      lines.append(
        "jobs of a restored backup wait: `errand queue retry --state suspended` lets them be done")
    }
    return lines
  }

  /// What is known beside the numbers: since when the oldest waits, what came of those of the last day,
  /// and the last failures.
  var details: (times: [String], failures: [String]) {
    var times: [String] = []
    if let oldest = summary.oldestDue {
      times.append("oldest waiting: since \(session.renderer.text(of: .timestamp(oldest)))")
    }
    if let recent { times.append("last 24 hours: \(recent)") }
    return (
      times, failures.map { "job \($0.number) \($0.handler), \($0.state.rawValue): \($0.error)" }
    )
  }

  private var lines: [String] {
    var lines = ["jobs: \(counts)"] + details.times
    lines.append(
      workers.isEmpty
        ? "workers: none"
        : "workers: \(workers.map { "process \($0.process)" }.joined(separator: ", "))")
    return lines + details.failures
  }

  /// The same for programs.
  var value: Value {
    .map(
      MapValue([
        (
          "jobs",
          .map(
            MapValue(
              Job.State.allCases.map { ($0.rawValue, .int(Int64(summary.counts[$0] ?? 0))) }))
        ),
        ("oldestWaiting", summary.oldestDue.map(Value.timestamp) ?? .null),
        ("doneInADay", .int(Int64(summary.doneLately))),
        ("givenUpInADay", .int(Int64(summary.deadLately))),
        ("successRate", rate.map(Value.double) ?? .null),
        ("failures", .int(Int64(summary.failures))),
        (
          "workers",
          .list(
            workers.map { worker in
              .map(
                MapValue([
                  ("process", .int(Int64(worker.process))),
                  ("silentMs", .int(worker.silence / 1_000_000)),
                ]))
            })
        ),
        ("lastFailures", .list(failures.map(JobListing.value))),
      ]))
  }
}
