import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import TestSupport
import Testing

/// The job queue in the store.
@Suite struct QueueTests {
  private let folder: TemporaryFolder
  private let path: String
  private let clock = QueueClock()
  private let store: Database

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.db"
    store = try clock.store(at: path)
  }

  private func another() throws -> Database { try clock.store(at: path) }

  private func job(_ handler: String = "tidy", key: String? = nil) -> NewJob {
    NewJob(handler: handler, input: #"{"a":1}"#, key: key, origin: "test")
  }

  @Test func jobIsEnqueuedDequeuedAndCompleted() throws {
    let number = try #require(try store.jobs.enqueue(job()))
    #expect(try store.jobs.job(number)?.state == .waiting)
    let other = try another()
    let taken = try #require(try other.jobs.take())
    #expect(taken.number == number)
    #expect(taken.state == .running)
    #expect(taken.input == #"{"a":1}"#)
    #expect(try store.jobs.take() == nil)
    try other.jobs.finish()
    #expect(try store.jobs.job(number)?.state == .done)
    #expect(try store.jobs.take() == nil)
  }

  /// A queue from before jobs had permissions.
  @Test func queueOfFirstVersionIsReadAndUpgraded() throws {
    let first = try #require(try store.jobs.enqueue(job()))
    try store.transaction {
      try store.connection.run("DROP INDEX errand_jobs_key")
      try store.connection.run("ALTER TABLE errand_jobs DROP COLUMN permissions")
      try store.connection.run(
        """
        CREATE UNIQUE INDEX errand_jobs_key ON errand_jobs (handler, key) \
        WHERE state = 'waiting' AND key IS NOT NULL
        """)
      try store.setMetadata("queue", to: "1")
    }
    let (reader, writer) = (try another(), try another())
    #expect(try reader.jobs.job(first)?.permissions == nil)
    var held = job(key: "k")
    held.permissions = "[]"
    let second = try #require(try writer.jobs.enqueue(held))
    // A process that read the first version sees the upgrade made by another.
    #expect(try reader.jobs.all().map(\.permissions) == ["[]", nil])
    #expect(try reader.jobs.enqueue(job(key: "k")) != nil)
    #expect(try reader.jobs.enqueue(job(key: "k")) == nil)
    #expect(try another().jobs.take()?.number == first)
    #expect(try reader.jobs.job(second)?.state == .waiting)
  }

  @Test func storeWithoutQueueHasNoJobs() throws {
    #expect(try store.jobs.take() == nil)
    #expect(try store.jobs.all().isEmpty)
    #expect(try store.jobs.nextDue() == nil)
    #expect(try store.jobs.cancel(JobSelection()).isEmpty)
    #expect(try store.jobs.summary(since: Timestamp(seconds: 0)).counts.isEmpty)
  }

  @Test func enqueuingIsAtomicWithItsChange() throws {
    struct Ending: Error {}
    #expect(throws: Ending.self) {
      try store.transaction {
        _ = try store.items.create("Link", set: [("url", .string("https://a.org"))])
        _ = try store.jobs.enqueue(job())
        throw Ending()
      }
    }
    #expect(try another().jobs.all().isEmpty)
    try store.transaction {
      _ = try store.items.create("Link", set: [("url", .string("https://a.org"))])
      _ = try store.jobs.enqueue(job())
    }
    #expect(try another().jobs.all().count == 1)
  }

  @Test func keyDeduplicatesWaitingJobs() throws {
    let first = try #require(try store.jobs.enqueue(job(key: "one")))
    #expect(try store.jobs.enqueue(job(key: "one")) == nil)
    #expect(try store.jobs.enqueue(job("other", key: "one")) != nil)
    #expect(try store.jobs.enqueue(job()) != nil)
    #expect(try store.jobs.take()?.number == first)
    // One that is running may have missed the latest change.
    #expect(try store.jobs.enqueue(job(key: "one")) != nil)
  }

  @Test func failedJobYieldsToLaterJobWithSameKey() throws {
    let first = try #require(try store.jobs.enqueue(job(key: "one")))
    _ = try store.jobs.take()
    let second = try #require(try store.jobs.enqueue(job(key: "one")))
    try store.jobs.fail("no")
    #expect(try store.jobs.job(first)?.state == .cancelled)
    #expect(try store.jobs.job(second)?.state == .waiting)
  }

  @Test func retriesBackOffUntilJobIsDead() throws {
    let number = try #require(try store.jobs.enqueue(job()))
    var waits: [Int64] = []
    for attempt in 1...4 {
      let taken = try #require(try store.jobs.take())
      #expect(taken.failures == attempt - 1)
      let due = try store.jobs.fail("attempt \(attempt)")
      if let due {
        waits.append((due - clock.microseconds) / 60_000_000)
        clock.microseconds = due - 1
        #expect(try store.jobs.take() == nil)
        clock.microseconds = due
      }
    }
    #expect(waits == [15, 60, 240])
    let dead = try #require(try store.jobs.job(number))
    #expect(dead.state == .dead)
    #expect(dead.error == "attempt 4")
    #expect(try store.jobs.take() == nil)
    #expect(try store.jobs.retry(JobSelection(numbers: [number])).map(\.number) == [number])
    #expect(try store.jobs.take()?.failures == 0)
  }

  @Test(
    arguments: [
      (JobRetry(times: 0), [nil]),
      (JobRetry(times: 2, delay: .seconds(10), backoff: 1), [.seconds(10), .seconds(10), nil]),
      (
        JobRetry(times: 3, delay: .seconds(10), backoff: 3, longest: .seconds(40)),
        [.seconds(10), .seconds(30), .seconds(40), nil]
      ),
    ] as [(JobRetry, [Duration?])])
  func delaysFollowRetryPolicy(retry: JobRetry, expected: [Duration?]) {
    #expect(expected.indices.map { retry.delay(after: $0 + 1) } == expected)
  }

  @Test func delayNeverOverflows() {
    let retry = JobRetry(
      times: .max, delay: .nanoseconds(Int64.max), backoff: .greatestFiniteMagnitude,
      longest: .seconds(7))
    #expect(retry.delay(after: 1000) == .seconds(7))
  }

  @Test func releaseIsNotAnAttempt() throws {
    let number = try #require(try store.jobs.enqueue(job()))
    _ = try store.jobs.take()
    try store.jobs.release(requiring: [.network])
    let released = try #require(try store.jobs.job(number))
    #expect(released.failures == 0)
    #expect(released.requires == [.network])
    #expect(try store.jobs.take(having: [.power, .idle]) == nil)
    #expect(try store.jobs.missingRequirements() == [.network])
    #expect(try store.jobs.take(having: [.network])?.number == number)
  }

  @Test func jobIsNotDequeuedBeforeItIsDue() throws {
    var later = job()
    later.notBefore = Timestamp(microseconds: clock.microseconds + 5)
    _ = try store.jobs.enqueue(later)
    #expect(try store.jobs.take() == nil)
    #expect(try store.jobs.nextDue() == clock.microseconds + 5)
    clock.microseconds += 5
    #expect(try store.jobs.take() != nil)
  }

  @Test func exclusiveJobsRunOneAtATime() throws {
    var exclusive = job()
    exclusive.isExclusive = true
    _ = try store.jobs.enqueue(exclusive)
    _ = try store.jobs.enqueue(exclusive)
    let other = try another()
    #expect(try store.jobs.take() != nil)
    #expect(try other.jobs.take() == nil)
    try store.jobs.finish()
    #expect(try other.jobs.take() != nil)
  }

  // MARK: Leases

  @Test func deadProcessLosesItsJob() throws {
    let number = try #require(try store.jobs.enqueue(job()))
    do {
      let gone = try another()
      #expect(try gone.jobs.take() != nil)
      #expect(try store.jobs.take() == nil)
    }
    #expect(try store.jobs.take()?.number == number)
    #expect(try store.jobs.job(number)?.deaths == 1)
    #expect(try store.jobs.job(number)?.failures == 0)
  }

  @Test func jobThatKillsItsProcessesBecomesDead() throws {
    let number = try #require(try store.jobs.enqueue(job()))
    for _ in 1...5 { #expect(try another().jobs.take() != nil) }
    #expect(try another().jobs.take() == nil)
    #expect(try store.jobs.job(number)?.state == .dead)
  }

  @Test func staleFenceCannotWrite() throws {
    let number = try #require(try store.jobs.enqueue(job()))
    let frozen = try another()
    _ = try frozen.jobs.take()
    // With a limit below zero, any process counts as frozen.
    #expect(try store.jobs.take(frozenAfter: .seconds(-1))?.number == number)
    for body in [
      { try frozen.jobs.finish() }, { _ = try frozen.jobs.fail("no") },
      { try frozen.jobs.release() },
      { _ = try frozen.items.create("Link", set: [("url", .string("https://a.org"))]) },
    ] as [() throws -> Void] {
      let error = #expect(throws: StoreError.self) { try body() }
      #expect(error?.code == .superseded)
    }
    frozen.jobs.forget()
    _ = try frozen.items.create("Link", set: [("url", .string("https://a.org"))])
    try store.jobs.finish()
    #expect(try store.jobs.job(number)?.state == .done)
  }

  @Test func cancelledJobCannotWrite() throws {
    let number = try #require(try store.jobs.enqueue(job()))
    _ = try store.jobs.take()
    #expect(try another().jobs.cancel(JobSelection(numbers: [number])).map(\.state) == [.running])
    let error = #expect(throws: StoreError.self) { try store.jobs.finish() }
    #expect(error?.code == .superseded)
    #expect(try store.jobs.job(number)?.state == .cancelled)
  }

  @Test func endOfRunCompletesItsJob() throws {
    let number = try #require(try store.jobs.enqueue(job()))
    _ = try store.jobs.take()
    let run = try store.runs.record(
      NewRun(
        id: "r", name: "tidy", isDurable: false, mode: nil, process: 1, call: "{}",
        definitions: []))
    #expect(try store.jobs.job(number)?.run == run)
    try store.runs.setState(.done, ofRun: run)
    #expect(try another().jobs.job(number)?.state == .done)
    // Later writes belong to it, and so does its end.
    _ = try store.items.create("Link", set: [("url", .string("https://a.org"))])
    try store.jobs.finish()
    #expect(try another().jobs.job(number)?.state == .done)
  }

  // MARK: Clocks

  @Test func clockSetBackDoesNotDelayJobs() throws {
    _ = try store.jobs.enqueue(job())
    _ = try store.jobs.take()
    try store.jobs.fail("no")
    let set = clock.microseconds
    clock.microseconds -= 3_600_000_000
    try store.jobs.repairDelays()
    #expect(try store.jobs.nextDue() == clock.microseconds + 15 * 60_000_000)
    clock.microseconds = set
    try store.jobs.repairDelays()
    #expect(try store.jobs.take() != nil)
  }

  // MARK: Keeping

  @Test func oldCompletedJobsArePrunedDeadOnesKept() throws {
    let dead = try #require(try store.jobs.enqueue(job("bad")))
    _ = try store.jobs.take()
    try store.jobs.fail("no", isFinal: true)
    for _ in 1...70 {
      _ = try store.jobs.enqueue(job())
      _ = try store.jobs.take()
      try store.jobs.finish()
    }
    clock.microseconds += 8 * 86_400_000_000
    for _ in 1...70 {
      _ = try store.jobs.enqueue(job())
      _ = try store.jobs.take()
      try store.jobs.finish()
    }
    let kept = try store.jobs.all()
    #expect(kept.count < 80)
    #expect(kept.contains { $0.number == dead })
    let summary = try store.jobs.summary(since: Timestamp(seconds: 0))
    #expect(summary.counts[.dead] == 1)
    #expect(summary.lately.dead == 1)
  }

  @Test func backupSuspendsJobs() throws {
    let number = try #require(try store.jobs.enqueue(job()))
    let copy = folder.path + "/copy.db"
    try store.backup(to: copy)
    let restored = try clock.store(at: copy)
    #expect(try restored.jobs.job(number)?.state == .suspended)
    #expect(try restored.jobs.take() == nil)
    #expect(try store.jobs.job(number)?.state == .waiting)
    #expect(try restored.jobs.retry(JobSelection(states: [.suspended])).count == 1)
    #expect(try restored.jobs.take()?.number == number)
  }

  @Test func damagedQueueIsRecreated() throws {
    _ = try store.jobs.enqueue(job())
    try store.connection.run("UPDATE errand_jobs SET state = 'odd'")
    #expect(try another().check().map(\.kind) == [.init(.queue)])
    let repair = try another().repair()
    #expect(repair.left.isEmpty)
    #expect(try another().jobs.enqueue(job()) != nil)
  }

  @Test func completedJobsAreKeptForAWeek() throws {
    _ = try store.jobs.enqueue(job("first"))
    try store.transaction {
      try store.connection.run(
        """
        INSERT INTO errand_jobs (state, handler, input, arguments, requires, exclusive, origin, \
        created, due, stamped, times, delay, backoff, longest, ended) \
        WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 12031) \
        SELECT 'done', 'many', 'null', '{}', 0, 0, 'test', \(.int(clock.microseconds)), 0, 0, 0, 0, \
        1, 0, \(.int(clock.microseconds)) FROM n
        """)
    }
    func finish(_ count: Int) throws {
      for _ in 0..<count {
        _ = try store.jobs.enqueue(job())
        _ = try store.jobs.take()
        try store.jobs.finish()
      }
    }
    // Every 64 jobs, completed ones are pruned.
    try finish(64)
    #expect(try store.jobs.all(JobSelection(handler: "many")).count == 12_030)
    clock.microseconds += 8 * 86_400 * 1_000_000
    try finish(64)
    #expect(try store.jobs.all(JobSelection(handler: "many")).count < 12_030 - 1_000)
    try finish(64 * 11)
    #expect(try store.jobs.all(JobSelection(handler: "many")).isEmpty)
  }
}
