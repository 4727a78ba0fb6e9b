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
    summary = try store.queueSummary(since: Timestamp(seconds: now.seconds - Self.recent))
    workers = try store.seats?.others() ?? []
    failures = try store.lastFailures(limit: Self.toldFailures)
  }

  /// The report for programs.
  package var value: Value {
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
        ("lastFailures", .list(failures.map(\.value))),
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
