package import CEL
package import Engine
import POSIX
package import Store

/// Queue statistics: jobs by state, ages, success rates, workers and the latest failures.
package struct QueueReport {
  /// The window for rates.
  private static let recent = Duration.seconds(24 * 3_600)
  /// The number of failures to list.
  private static let toldFailures = 5
  /// The states that a job leaves again.
  package static let passing: [Job.State] = [.waiting, .running, .suspended, .dead]

  package let summary: QueueSummary
  /// The live workers, with the time since each last reported.
  package let workers: [(process: Int32, silence: Duration)]
  /// The latest failed jobs, latest first.
  package let failures: [Job]
  package let now: Timestamp

  /// Reads the statistics of a run's store; empty ones if there is no store.
  package init(_ run: Run, hasStore: Bool) throws {
    now = run.host.now()
    guard hasStore else {
      (summary, workers, failures) = (QueueSummary(), [], [])
      return
    }
    let store = try run.store()
    summary = try store.jobs.summary(
      since: Timestamp(seconds: now.seconds - Self.recent.wholeSeconds))
    workers = try store.jobs.seats?.others() ?? []
    failures = try store.jobs.lastFailures(limit: Self.toldFailures)
  }

  /// The report for machine-readable output.
  package var value: Value {
    .record([
      "jobs": each(of: Job.State.allCases) { summary.counts[$0] ?? 0 },
      // The age of the oldest job in each state, in seconds.
      "ages": each(of: Self.passing) { summary.oldest[$0].map { Age(since: $0, at: now).seconds } },
      "oldestWaiting": summary.oldest[.waiting], "nextDue": summary.nextDue,
      "waitingAgain": summary.waitingAgain, "doneInADay": summary.lately.done,
      "givenUpInADay": summary.lately.dead, "successRate": summary.lately.success,
      "successRateOfAll": summary.kept.success, "failures": summary.failures,
      "names": summary.handlers.map(value),
      "workers": workers.map { worker in
        Value.record(["process": worker.process, "silentMs": worker.silence.milliseconds])
      },
      "lastFailures": failures.map(\.value),
    ])
  }

  private func each(of states: [Job.State], _ field: (Job.State) -> any FieldValue) -> Value {
    .record(Record(states.map { ($0.rawValue, field($0).fieldValue) }))
  }

  private func value(_ handler: QueueSummary.Handler) -> Value {
    .record([
      "name": handler.name, "open": handler.open, "doneInADay": handler.lately.done,
      "givenUpInADay": handler.lately.dead, "successRate": handler.lately.success,
      "averageMs": handler.averageTime.map { Double($0.microseconds) / 1000 },
    ])
  }
}
