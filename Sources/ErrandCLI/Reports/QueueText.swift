import CEL
import Catalog
import Engine
import ErrandKit
import Source
import Store

/// The queue report as text.
struct QueueText {
  /// Number of handlers shown to a person.
  private static let shownHandlers = 10

  private let invocation: Invocation
  private let run: Run
  let report: QueueReport
  private var summary: QueueSummary { report.summary }

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    run = try invocation.openRun()
    report = try QueueReport(run, hasStore: invocation.absentStore() == nil)
  }

  /// Writes the report in the output mode.
  func write() throws {
    guard invocation.mode.isPlain else { return try invocation.resultWriter.write(report.value) }
    let console = invocation.console
    for line in lines {
      let parts = console.stdoutIsTerminal ? line.wrapped(to: console.width) : [line]
      for part in parts { console.out("\(part)\n") }
    }
  }

  /// Success rate of jobs, in words; nil if none has ended.
  private static func text(_ rate: QueueSummary.Rate) -> String? {
    rate.success.map { success in
      // 100 % only if none failed, 0 % only if none succeeded.
      let percent = Int((success * 100).rounded())
      let shown = rate.dead > 0 && percent == 100 ? 99 : rate.done > 0 ? max(1, percent) : percent
      return "\(rate.done) done, \(rate.dead) given up, \(shown) % done"
    }
  }

  /// Number of jobs by state, in words.
  var counts: String {
    let parts = Job.State.allCases.compactMap { state -> String? in
      guard let count = summary.counts[state], count > 0 else { return nil }
      return "\(count) \(state.rawValue)"
    }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  /// Whether there are no jobs.
  var isEmpty: Bool { summary.counts.isEmpty }

  /// Suggested commands.
  var advice: [String] {
    var lines: [String] = []
    if let dead = summary.counts[.dead], dead > 0 {
      lines.append(
        "`errand queue list --state dead` shows why; `errand queue retry --state dead` runs them again"
      )
    }
    if let suspended = summary.counts[.suspended], suspended > 0 {
      lines.append(
        "jobs of a restored backup are suspended: `errand queue retry --state suspended` runs them")
    }
    return lines
  }

  /// Jobs without a worker, or automations that nothing runs, with the line that starts one; nil if
  /// nothing waits for a worker.
  var missingWorker: String? {
    guard report.workers.isEmpty else { return nil }
    let waiting = summary.counts[.waiting] ?? 0
    // The built-in ones are there for everybody, whether anything sets them off or not.
    let automations = run.catalog.automationNames.count { name in
      run.catalog.place(ofAction: name)?.layer != .builtIn
        && (try? run.catalog.action(name)?.automation?.isEnabled) ?? false
    }
    let parts = [
      waiting > 0 ? waiting.counted("job") : nil,
      automations > 0 ? automations.counted("automation") : nil,
    ].compactMap(\.self)
    if parts.isEmpty { return nil }
    let verb = parts.count == 1 && (waiting == 1 || automations == 1) ? "waits" : "wait"
    return "worker: none runs, and \(parts.joined(separator: " and ")) \(verb) for one"
  }

  /// Further details: ages, success rates, workers and the last failures.
  var details: [String] {
    var lines = QueueReport.passing.compactMap(age)
    if summary.waitingAgain > 0 { lines.append("waiting after a failure: \(summary.waitingAgain)") }
    if let due = summary.nextDue, due > report.now { lines.append("next: \(text(due))") }
    if let lately = Self.text(summary.lately) { lines.append("last 24 hours: \(lately)") }
    let isMore = summary.kept.done + summary.kept.dead > summary.lately.done + summary.lately.dead
    if isMore, let kept = Self.text(summary.kept) { lines.append("all that are kept: \(kept)") }
    lines.append(
      report.workers.isEmpty
        ? "workers: none"
        : "workers: \(report.workers.map { "process \($0.process)" }.joined(separator: ", "))")
    return lines
      + report.failures.map { job in
        "job \(job.number) \(job.handler), \(job.state.rawValue), "
          + "\(Age(since: Self.failed(job), at: report.now).text) ago: \(job.error)"
      }
  }

  /// Age of the oldest job in a state; nil if there is none.
  private func age(_ state: Job.State) -> String? {
    summary.oldest[state].map { since in
      "oldest \(state.rawValue): \(Age(since: since, at: report.now).text), since \(text(since))"
    }
  }

  private func text(_ time: Timestamp) -> String { run.renderer.text(of: .timestamp(time)) }

  private static func failed(_ job: Job) -> Timestamp { job.ended ?? job.started ?? job.created }

  private var lines: [String] {
    var lines = ["jobs: \(counts)"] + details
    // The totals already cover a single handler.
    guard summary.handlers.count > 1 else { return lines }
    for handler in summary.handlers.prefix(Self.shownHandlers) {
      var parts = handler.open > 0 ? ["\(handler.open) to do"] : []
      if let lately = Self.text(handler.lately) { parts.append(lately) }
      if let time = handler.averageTime { parts.append("\(Age.text(of: time)) each") }
      lines.append("\(handler.name): \(parts.joined(separator: ", "))")
    }
    return lines
  }
}
