import CEL
import Engine
import Source
import Store

/// What is known of the queue as a whole: jobs by state, ages, rates of success, workers, the last
/// failures.
struct QueueReport {
  /// For how long back rates are counted, in seconds.
  private static let lately: Int64 = 86_400
  /// How many failures are shown.
  private static let shownFailures = 5
  /// How many intents, shortcuts and automations are shown to a person.
  private static let shownHandlers = 10
  /// The states in which a job is to leave again.
  private static let passing: [Job.State] = [.waiting, .running, .suspended, .dead]

  private let invocation: Invocation
  private let session: Run
  private let summary: QueueSummary
  private let workers: [(process: Int32, silence: Int64)]
  private let failures: [Job]
  private let now: Timestamp

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    session = try invocation.session()
    now = session.host.now()
    if try invocation.absentStore() != nil {
      (summary, workers, failures) = (QueueSummary(), [], [])
      return
    }
    let store = try session.store()
    summary = try store.queueSummary(since: Timestamp(seconds: now.seconds - Self.lately))
    workers = try store.seats?.others() ?? []
    failures = try store.lastFailures(limit: Self.shownFailures)
  }

  /// Writes it as the call wants it.
  func write() throws {
    guard invocation.mode.isPlain else { return try invocation.resultWriter.write(value) }
    let console = invocation.console
    for line in lines {
      let parts = console.stdoutIsTerminal ? line.wrapped(to: console.width) : [line]
      for part in parts { console.out("\(part)\n") }
    }
  }

  /// What came of some jobs, in words; nil where none came to an end.
  private static func text(_ rate: QueueSummary.Rate) -> String? {
    rate.success.map { success in
      // Not all is done while one was given up, and not nothing while one was done.
      let percent = Int((success * 100).rounded())
      let shown = rate.dead > 0 && percent == 100 ? 99 : rate.done > 0 ? max(1, percent) : percent
      return "\(rate.done) done, \(rate.dead) given up, \(shown) % done"
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
        "`errand queue list --state dead` shows why; `errand queue retry` runs them again")
    }
    if let suspended = summary.counts[.suspended], suspended > 0 {
      lines.append(
        "jobs of a restored backup are suspended: `errand queue retry --state suspended` runs them")
    }
    return lines
  }

  /// What is known beside the numbers: ages, rates of success, workers and the last failures.
  var details: [String] {
    var lines = Self.passing.compactMap(age)
    if summary.waitingAgain > 0 {
      lines.append("waiting after a failure: \(summary.waitingAgain)")
    }
    if let due = summary.nextDue, due > now { lines.append("next: \(text(due))") }
    if let lately = Self.text(summary.lately) { lines.append("last 24 hours: \(lately)") }
    let isMore = summary.kept.done + summary.kept.dead > summary.lately.done + summary.lately.dead
    if isMore, let kept = Self.text(summary.kept) { lines.append("all that are kept: \(kept)") }
    lines.append(
      workers.isEmpty
        ? "workers: none"
        : "workers: \(workers.map { "process \($0.process)" }.joined(separator: ", "))")
    return lines
      + failures.map { job in
        "job \(job.number) \(job.handler), \(job.state.rawValue), "
          + "\(Age(since: Self.failed(job), at: now).text) ago: \(job.error)"
      }
  }

  /// Since when the oldest job in a state is in it; nil where there is none.
  private func age(_ state: Job.State) -> String? {
    summary.oldest[state].map { since in
      "oldest \(state.rawValue): \(Age(since: since, at: now).text), since \(text(since))"
    }
  }

  private func text(_ time: Timestamp) -> String { session.renderer.text(of: .timestamp(time)) }

  private static func failed(_ job: Job) -> Timestamp { job.ended ?? job.started ?? job.created }

  private var lines: [String] {
    var lines = ["jobs: \(counts)"] + details
    // Of one alone this is said already.
    guard summary.handlers.count > 1 else { return lines }
    for handler in summary.handlers.prefix(Self.shownHandlers) {
      var parts = handler.open > 0 ? ["\(handler.open) to do"] : []
      if let lately = Self.text(handler.lately) { parts.append(lately) }
      if let time = handler.averageTime {
        parts.append("\(RunListing.text(microseconds: time)) each")
      }
      lines.append("\(handler.name): \(parts.joined(separator: ", "))")
    }
    return lines
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
        ("ages", ages),
        ("oldestWaiting", time(summary.oldest[.waiting])), ("nextDue", time(summary.nextDue)),
        ("waitingAgain", .int(Int64(summary.waitingAgain))),
        ("doneInADay", .int(Int64(summary.lately.done))),
        ("givenUpInADay", .int(Int64(summary.lately.dead))),
        ("successRate", number(summary.lately.success)),
        ("successRateOfAll", number(summary.kept.success)),
        ("failures", .int(Int64(summary.failures))),
        ("names", .list(summary.handlers.map(value))),
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

  /// For how many seconds the oldest job in each state is in it.
  private var ages: Value {
    .map(
      MapValue(
        Self.passing.map { state in
          (
            state.rawValue,
            summary.oldest[state].map { .int(Age(since: $0, at: now).seconds) } ?? .null
          )
        }))
  }

  private func value(_ handler: QueueSummary.Handler) -> Value {
    .map(
      MapValue([
        ("name", .string(handler.name)), ("open", .int(Int64(handler.open))),
        ("doneInADay", .int(Int64(handler.lately.done))),
        ("givenUpInADay", .int(Int64(handler.lately.dead))),
        ("successRate", number(handler.lately.success)),
        ("averageMs", number(handler.averageTime.map { Double($0) / 1000 })),
      ]))
  }

  private func time(_ time: Timestamp?) -> Value { time.map(Value.timestamp) ?? .null }
  private func number(_ number: Double?) -> Value { number.map(Value.double) ?? .null }
}
