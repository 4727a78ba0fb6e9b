import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import TestSupport
import Testing

/// The queue of a recovered store.
@Suite struct RescuedJobsTests {
  private let folder: TemporaryFolder
  private let clock = QueueClock()
  private let store: Database

  init() throws {
    folder = try TemporaryFolder()
    store = try clock.store(at: folder.path + "/library.db")
  }

  private func rescue() throws -> (store: Database, jobs: RecordRescue?) {
    var jobs: RecordRescue?
    _ = try Database.rescue(
      [StoreFixture.link], from: folder.path + "/library.db", to: folder.path + "/saved.db",
      context: StoreFixture.context(), records: { jobs = $0.first { $0.kind == "jobs" } })
    return (try clock.store(at: folder.path + "/saved.db"), jobs)
  }

  @Test func waitingJobsAreSuspended() throws {
    _ = try store.items.create("Link", set: [("url", .string("https://a.org"))])
    var first = NewJob(
      handler: "look", input: #"{"a":1}"#, key: "k", requires: [.network], origin: "save")
    first.isJoined = true
    _ = try store.jobs.enqueue(first)
    _ = try store.jobs.enqueue(NewJob(handler: "tidy", origin: "test", retry: JobRetry(times: 7)))
    _ = try store.jobs.enqueue(NewJob(handler: "done", origin: "test"))
    // One is running when the store is damaged, and one is done.
    _ = try store.jobs.take(among: JobSelection(handler: "done"))
    try store.jobs.finish()
    _ = try store.jobs.take(among: JobSelection(handler: "tidy"))
    let (saved, jobs) = try rescue()
    #expect(jobs?.isWhole == true)
    let kept = try saved.jobs.all().filter { $0.state != .done }.sorted { $0.handler < $1.handler }
    #expect(kept.map(\.handler) == ["look", "tidy"])
    #expect(kept.map(\.state) == [.suspended, .suspended])
    #expect(kept.first?.input == #"{"a":1}"#)
    #expect(kept.first?.requires == [.network])
    #expect(kept.first?.key == "k")
    #expect(kept.last?.retry.times == 7)
    // None runs before someone confirms it.
    #expect(try saved.jobs.take() == nil)
    #expect(try saved.jobs.retry(JobSelection(states: [.suspended])).count == 2)
    #expect(try saved.jobs.take() != nil)
    #expect(try saved.check().isEmpty)
  }

  @Test func storeWithoutQueueReportsNoJobs() throws {
    _ = try store.items.create("Link", set: [("url", .string("https://a.org"))])
    #expect(try rescue().jobs == nil)
  }

  @Test func invalidRowsAreSkipped() throws {
    _ = try store.items.create("Link", set: [("url", .string("https://a.org"))])
    _ = try store.jobs.enqueue(NewJob(handler: "a", origin: "test"))
    _ = try store.jobs.enqueue(NewJob(handler: "b", origin: "test"))
    try store.connection.run("UPDATE errand_jobs SET due = 'soon' WHERE handler = 'b'")
    let (saved, jobs) = try rescue()
    #expect(jobs?.saved == 1)
    #expect(jobs?.isWhole == false)
    #expect(try saved.jobs.all().map(\.handler) == ["a"])
  }
}
