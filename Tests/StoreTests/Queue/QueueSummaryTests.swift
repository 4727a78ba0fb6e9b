import CEL
import Items
import Store
import StoreFixtures
import TestSupport
import Testing

/// Statistics of the queue.
@Suite struct QueueSummaryTests {
  private static let minute: Int64 = 60_000_000

  private let folder: TemporaryFolder
  private let clock = QueueClock()
  private let store: Database

  init() throws {
    folder = try TemporaryFolder()
    store = try clock.store(at: folder.path + "/library.db")
  }

  private func put(_ handler: String, retries: Int = 0) throws {
    var job = NewJob(handler: handler, input: "1", key: nil, origin: "test")
    job.retry.times = retries
    _ = try store.jobs.enqueue(job)
  }

  private func now() -> Timestamp { Timestamp(microseconds: clock.microseconds) }

  /// Two jobs are done (the first long ago), one is dead, one waits after a failure, one is
  /// running.
  private func fill() throws {
    let begun = clock.microseconds
    func pass(_ minutes: Int64) { clock.microseconds = begun + minutes * Self.minute }
    try put("early")
    _ = try store.jobs.take()
    pass(1)
    try store.jobs.finish()
    pass(2000)
    try put("tidy")
    _ = try store.jobs.take()
    pass(2003)
    try store.jobs.finish()
    try put("tidy")
    _ = try store.jobs.take()
    pass(2004)
    try store.jobs.fail("No luck.")
    try put("again", retries: 1)
    _ = try store.jobs.take()
    pass(2006)
    try store.jobs.fail("Not yet.")
    try put("slow")
    _ = try store.jobs.take()
    pass(2010)
  }

  @Test func summaryCountsStatesAgesAndSuccess() throws {
    try fill()
    let day = Timestamp(microseconds: clock.microseconds - 24 * 60 * Self.minute)
    let summary = try store.jobs.summary(since: day)
    #expect(summary.counts == [.done: 2, .dead: 1, .waiting: 1, .running: 1])
    func age(_ state: Job.State) -> Int64? {
      summary.oldest[state].map { (clock.microseconds - $0.microseconds) / Self.minute }
    }
    #expect(age(.running) == 4)
    #expect(age(.dead) == 6)
    #expect(age(.waiting) == 6)
    #expect(summary.waitingAgain == 1)
    #expect(summary.nextDue == Timestamp(microseconds: clock.microseconds + 11 * Self.minute))
    #expect(summary.lately.done == 1)
    #expect(summary.lately.success == 0.5)
    #expect(summary.kept.done == 2)
    #expect(summary.failures == 2)
    #expect(summary.handlers.map(\.name) == ["tidy", "again", "slow"])
    #expect(summary.handlers[0].averageTime == .seconds(3 * 60))
    #expect(summary.handlers[0].lately.success == 0.5)
    #expect(summary.handlers[2].open == 1)
  }

  @Test func lastFailuresOmitReleasedJobs() throws {
    try fill()
    // A released job did not fail.
    try store.jobs.release(because: "the worker was asked to end")
    #expect(try store.jobs.lastFailures(limit: 5).map(\.error) == ["Not yet.", "No luck."])
    #expect(try store.jobs.lastFailures(limit: 1).map(\.handler) == ["again"])
  }

  @Test func emptyQueueHasEmptySummary() throws {
    let summary = try store.jobs.summary(since: now())
    #expect(summary.counts.isEmpty)
    #expect(summary.lately.success == nil)
    #expect(try store.jobs.lastFailures(limit: 5).isEmpty)
  }
}
