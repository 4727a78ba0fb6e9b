import Glibc
import Store
import StoreFixtures
import TestSupport
import Testing

/// Jobs of one handler that are merged.
@Suite struct JoinedJobTests {
  private let folder: TemporaryFolder
  private let clock = QueueClock()
  private let store: Database

  init() throws {
    folder = try TemporaryFolder()
    store = try clock.store(at: folder.path + "/library.db")
  }

  private func put(
    _ ids: String, _ more: String = "", handler: String = "look", key: String? = nil
  ) throws -> Int64 {
    var job = NewJob(
      handler: handler, arguments: "{\"ids\":\(ids)\(more)}", key: key, origin: "test")
    job.isJoined = true
    return try #require(try store.jobs.enqueue(job))
  }

  @Test func waitingJobsAreMerged() throws {
    let first = try put("[1]", key: "1")
    let second = try put("[2,3]")
    let other = try put("[4]", handler: "read")
    let taken = try #require(try store.jobs.take())
    #expect(taken.number == first)
    #expect(taken.arguments == #"{"ids":[1,2,3]}"#)
    #expect(try store.jobs.job(second)?.state == .cancelled)
    #expect(try store.jobs.job(second)?.error == "merged into job \(first)")
    #expect(try store.jobs.job(other)?.state == .waiting)
    // A job that arrives while they run waits, regardless of its key.
    let later = try put("[1]", key: "1")
    try store.jobs.finish()
    #expect(try store.jobs.take()?.number == other)
    try store.jobs.finish()
    #expect(try store.jobs.take()?.number == later)
  }

  @Test func aWaitingJobTakesUpThoseWithItsKey() throws {
    let first = try put("[1]", #","attempt":1"#, key: "again")
    for (ids, attempt) in [("[2,1]", 1), ("[3]", 2)] {
      var job = NewJob(
        handler: "look", arguments: "{\"ids\":\(ids),\"attempt\":\(attempt)}", key: "again",
        origin: "test")
      job.isJoined = true
      #expect(try store.jobs.enqueue(job) == nil)
    }
    #expect(try store.jobs.all().map(\.number) == [first])
    #expect(try store.jobs.take()?.arguments == #"{"ids":[1,2,3],"attempt":1}"#)
  }

  @Test func jobsWithOtherDifferencesAreNotMerged() throws {
    _ = try put("[1]", #","deep":true"#)
    let left = try put("[2]", #","deep":false"#)
    let also = try put("[3]")
    _ = try put("[4]", #","deep":true"#)
    #expect(try store.jobs.take()?.arguments == #"{"ids":[1,4],"deep":true}"#)
    #expect(try store.jobs.job(left)?.state == .waiting)
    #expect(try store.jobs.job(also)?.state == .waiting)
  }

  @Test func jobsWithOtherPermissionsAreNotMerged() throws {
    var held = NewJob(handler: "look", arguments: #"{"ids":[1]}"#, key: "1", origin: "test")
    held.isJoined = true
    held.permissions = "[]"
    let first = try #require(try store.jobs.enqueue(held))
    // It does not replace a job with its key that has more permissions.
    let free = try put("[1]", key: "1")
    #expect(try store.jobs.enqueue(held) == nil)
    let taken = try #require(try store.jobs.take())
    #expect(taken.number == first)
    #expect(taken.permissions == "[]")
    #expect(taken.arguments == #"{"ids":[1]}"#)
    try store.jobs.finish()
    #expect(try store.jobs.take()?.number == free)
    #expect(try store.jobs.job(free)?.permissions == nil)
  }

  @Test func mergedJobsAreExclusive() throws {
    _ = try put("[1]")
    let other = try clock.store(at: folder.path + "/library.db")
    _ = try #require(try store.jobs.take())
    _ = try put("[2]")
    #expect(try other.jobs.take() == nil)
    try store.jobs.finish()
    #expect(try other.jobs.take()?.arguments == #"{"ids":[2]}"#)
  }

  @Test func failureKeepsMergedJobs() throws {
    let first = try put("[1]")
    _ = try put("[2]")
    _ = try store.jobs.take()
    let due = try #require(try store.jobs.fail("no"))
    clock.microseconds = due
    let again = try #require(try store.jobs.take())
    #expect(again.number == first)
    #expect(again.arguments == #"{"ids":[1,2]}"#)
  }

  /// Takes a job in a process that then dies.
  private func die() throws -> String? {
    try take(by: clock.store(at: folder.path + "/library.db"))
  }

  /// Takes a job once its former process is known to be dead: a program that another test starts meanwhile
  /// holds its locks, too, until it has replaced its parent.
  private func take(by store: Database) throws -> String? {
    for _ in 0..<2_000 {
      if let job = try store.jobs.take() { return job.arguments }
      usleep(5_000)
    }
    return nil
  }

  @Test func deathOfProcessSplitsMergedJobs() throws {
    let first = try put("[1]")
    let poisonous = try put("[2,3]", key: "2")
    let last = try put("[4]")
    #expect(try die() == #"{"ids":[1,2,3,4]}"#)
    #expect(try take(by: store) == #"{"ids":[1]}"#)
    try store.jobs.finish()
    for _ in 0..<4 { #expect(try die() == #"{"ids":[2,3]}"#) }
    #expect(try take(by: store) == #"{"ids":[4]}"#)
    try store.jobs.finish()
    #expect(try store.jobs.take() == nil)
    #expect(
      try [first, poisonous, last].map { try store.jobs.job($0)?.state } == [.done, .dead, .done])
    #expect(try store.jobs.job(last)?.failures == 0)
  }

  @Test func deathAfterFailureSplitsMergedJobs() throws {
    _ = try put("[1]")
    _ = try put("[2]")
    _ = try store.jobs.take()
    clock.microseconds = try #require(try store.jobs.fail("no"))
    _ = try put("[3]")
    #expect(try die() == #"{"ids":[1,2,3]}"#)
    var done = [try take(by: store)]
    try store.jobs.finish()
    while let job = try store.jobs.take() {
      done.append(job.arguments)
      try store.jobs.finish()
    }
    #expect(done == [#"{"ids":[1]}"#, #"{"ids":[2]}"#, #"{"ids":[3]}"#])
  }

  @Test func splitJobYieldsToLaterJobWithSameKey() throws {
    _ = try put("[1]")
    let earlier = try put("[2]", key: "2")
    let process = try clock.store(at: folder.path + "/library.db")
    _ = try process.jobs.take()
    let later = try put("[2]", key: "2")
    process.jobs.forget()
    process.jobs.seats?.leave()
    #expect(try store.jobs.take()?.arguments == #"{"ids":[1]}"#)
    try store.jobs.finish()
    #expect(try store.jobs.take()?.arguments == #"{"ids":[2]}"#)
    #expect(try store.jobs.job(earlier)?.state == .cancelled)
    #expect(try store.jobs.job(later)?.state == .running)
  }

  @Test func selectionLimitsMerging() throws {
    let first = try put("[1]")
    let second = try put("[2]")
    let taken = try store.jobs.take(among: JobSelection(numbers: [second]))
    #expect(taken?.arguments == #"{"ids":[2]}"#)
    #expect(try store.jobs.job(first)?.state == .waiting)
  }
}
