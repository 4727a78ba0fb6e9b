import Store
import StoreFixtures
import Testing

/// Jobs of a handler that are done together.
@Suite struct JoinedJobTests {
  private let folder: TemporaryFolder
  private let clock = QueueClock()
  private let store: EntityStore

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
    return try #require(try store.enqueue(job))
  }

  @Test func thoseThatWaitAreDoneInOneRun() throws {
    let first = try put("[1]", key: "1")
    let second = try put("[2,3]")
    let other = try put("[4]", handler: "read")
    let taken = try #require(try store.takeJob())
    #expect(taken.number == first)
    #expect(taken.arguments == #"{"ids":[1,2,3]}"#)
    #expect(try store.job(second)?.state == .cancelled)
    #expect(try store.job(second)?.error == "it is done with job \(first)")
    #expect(try store.job(other)?.state == .waiting)
    // One that comes while they are done waits, whatever its key.
    let later = try put("[1]", key: "1")
    try store.finishJob()
    #expect(try store.takeJob()?.number == other)
    try store.finishJob()
    #expect(try store.takeJob()?.number == later)
  }

  @Test func whatDiffersInMoreThanListsIsLeft() throws {
    _ = try put("[1]", #","deep":true"#)
    let left = try put("[2]", #","deep":false"#)
    let also = try put("[3]")
    _ = try put("[4]", #","deep":true"#)
    #expect(try store.takeJob()?.arguments == #"{"ids":[1,4],"deep":true}"#)
    #expect(try store.job(left)?.state == .waiting)
    #expect(try store.job(also)?.state == .waiting)
  }

  @Test func whatIsHeldToSomethingElseIsLeft() throws {
    var held = NewJob(handler: "look", arguments: #"{"ids":[1]}"#, key: "1", origin: "test")
    held.isJoined = true
    held.permissions = "[]"
    let first = try #require(try store.enqueue(held))
    // It takes no place of one with its key that may do more.
    let free = try put("[1]", key: "1")
    #expect(try store.enqueue(held) == nil)
    let taken = try #require(try store.takeJob())
    #expect(taken.number == first)
    #expect(taken.permissions == "[]")
    #expect(taken.arguments == #"{"ids":[1]}"#)
    try store.finishJob()
    #expect(try store.takeJob()?.number == free)
    #expect(try store.job(free)?.permissions == nil)
  }

  @Test func oneRunOfThemGoesOnAtATime() throws {
    _ = try put("[1]")
    let other = try clock.store(at: folder.path + "/library.db")
    _ = try #require(try store.takeJob())
    _ = try put("[2]")
    #expect(try other.takeJob() == nil)
    try store.finishJob()
    #expect(try other.takeJob()?.arguments == #"{"ids":[2]}"#)
  }

  @Test func aFailureKeepsAllOfThem() throws {
    let first = try put("[1]")
    _ = try put("[2]")
    _ = try store.takeJob()
    let due = try #require(try store.failJob("no"))
    clock.microseconds = due
    let again = try #require(try store.takeJob())
    #expect(again.number == first)
    #expect(again.arguments == #"{"ids":[1,2]}"#)
  }

  /// Takes a job in a process that then dies.
  private func die() throws -> String? {
    try clock.store(at: folder.path + "/library.db").takeJob()?.arguments
  }

  @Test func whenTheirProcessDiesEachIsDoneAlone() throws {
    let first = try put("[1]")
    let poisonous = try put("[2,3]", key: "2")
    let last = try put("[4]")
    #expect(try die() == #"{"ids":[1,2,3,4]}"#)
    #expect(try store.takeJob()?.arguments == #"{"ids":[1]}"#)
    try store.finishJob()
    for _ in 0..<4 { #expect(try die() == #"{"ids":[2,3]}"#) }
    #expect(try store.takeJob()?.arguments == #"{"ids":[4]}"#)
    try store.finishJob()
    #expect(try store.takeJob() == nil)
    #expect(
      try [first, poisonous, last].map { try store.job($0)?.state } == [.done, .dead, .done])
    #expect(try store.job(last)?.failures == 0)
  }

  @Test func afterAFailureADeathSeparatesThemToo() throws {
    _ = try put("[1]")
    _ = try put("[2]")
    _ = try store.takeJob()
    clock.microseconds = try #require(try store.failJob("no"))
    _ = try put("[3]")
    #expect(try die() == #"{"ids":[1,2,3]}"#)
    var done: [String] = []
    while let job = try store.takeJob() {
      done.append(job.arguments)
      try store.finishJob()
    }
    #expect(done == [#"{"ids":[1]}"#, #"{"ids":[2]}"#, #"{"ids":[3]}"#])
  }

  @Test func oneWhoseKeyALaterJobHasIsDoneWithThat() throws {
    _ = try put("[1]")
    let earlier = try put("[2]", key: "2")
    let process = try clock.store(at: folder.path + "/library.db")
    _ = try process.takeJob()
    let later = try put("[2]", key: "2")
    process.forgetJob()
    process.seats?.leave()
    #expect(try store.takeJob()?.arguments == #"{"ids":[1]}"#)
    try store.finishJob()
    #expect(try store.takeJob()?.arguments == #"{"ids":[2]}"#)
    #expect(try store.job(earlier)?.state == .cancelled)
    #expect(try store.job(later)?.state == .running)
  }

  @Test func onlyThoseThatAreMeantAreTaken() throws {
    let first = try put("[1]")
    let second = try put("[2]")
    let taken = try store.takeJob(among: JobSelection(numbers: [second]))
    #expect(taken?.arguments == #"{"ids":[2]}"#)
    #expect(try store.job(first)?.state == .waiting)
  }
}
