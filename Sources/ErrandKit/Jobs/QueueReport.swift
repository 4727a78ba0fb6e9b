package import CEL
package import Engine
package import Store

/// The queue as a whole: jobs by state, ages, rates of success, workers, the last failures.
package struct QueueReport {
  /// For how long back rates are counted, in seconds.
  private static let recent: Int64 = 86_400
  /// How many failures are told.
  private static let toldFailures = 5
  /// The states that a job is to leave again.
  package static let passing: [Job.State] = [.waiting, .running, .suspended, .dead]

  package let summary: QueueSummary
  /// The workers that are awake, and for how many nanoseconds each has been silent.
  package let workers: [(process: Int32, silence: Int64)]
  /// The last jobs that failed, the latest first.
  package let failures: [Job]
  package let now: Timestamp

  /// The report of a run's store; that of an empty queue where there is none.
  package init(_ run: Run, hasStore: Bool) throws {
    now = run.host.now()
    guard hasStore else {
      (summary, workers, failures) = (QueueSummary(), [], [])
      return
    }
    let store = try run.store()
    summary = try store.jobs.summary(since: Timestamp(seconds: now.seconds - Self.recent))
    workers = try store.jobs.seats?.others() ?? []
    failures = try store.jobs.lastFailures(limit: Self.toldFailures)
  }

  /// The report for programs.
  package var value: Value {
    .record([
      "jobs": each(of: Job.State.allCases) { summary.counts[$0] ?? 0 },
      // For how many seconds the oldest job in each state is in it.
      "ages": each(of: Self.passing) { summary.oldest[$0].map { Age(since: $0, at: now).seconds } },
      "oldestWaiting": summary.oldest[.waiting], "nextDue": summary.nextDue,
      "waitingAgain": summary.waitingAgain, "doneInADay": summary.lately.done,
      "givenUpInADay": summary.lately.dead, "successRate": summary.lately.success,
      "successRateOfAll": summary.kept.success, "failures": summary.failures,
      "names": summary.handlers.map(value),
      "workers": workers.map { worker in
        Value.record(["process": worker.process, "silentMs": worker.silence / 1_000_000])
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
      "averageMs": handler.averageTime.map { Double($0) / 1000 },
    ])
  }
}
