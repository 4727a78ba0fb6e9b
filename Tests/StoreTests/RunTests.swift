import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import Testing

/// What one run writes: committed together, and one change to take back.
@Suite struct RunTests {
  private let folder: TemporaryFolder
  private let path: String
  private let store: EntityStore

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.db"
    store = try StoreFixture(at: .file(path), StoreFixture.link).store
  }

  private func save(_ name: String, in store: EntityStore? = nil) throws {
    _ = try (store ?? self.store).create(
      "Link", set: [("url", .string("https://\(name).org")), ("title", .string(name))])
  }

  /// What another process sees of the store.
  private func seen() throws -> [String] {
    try StoreFixture(at: .file(path), StoreFixture.link).store
      .find(Query("Link", sort: [SortKey("id")])).compactMap { $0.text("title") }
  }

  @Test func writesAreCommittedTogetherAndOnDemand() throws {
    try store.beginRun("r1")
    try save("a")
    try save("b")
    #expect(try seen() == [])
    try store.commitRun()
    #expect(try seen() == ["a", "b"])
    try save("c")
    #expect(try seen() == ["a", "b"])
    try store.endRun()
    #expect(try seen() == ["a", "b", "c"])
    try save("d")
    #expect(try seen() == ["a", "b", "c", "d"])
    #expect(try store.changes().map(\.run) == ["r1", "r1", "r1", nil])
    #expect(try store.changes().map(\.group) == [1, 1, 1, 4])
  }

  @Test func aTransactionThatIsOpenForLongEnoughIsCommitted() throws {
    try store.beginRun("r1")
    try store.commitRunIfDue(after: 0)
    try save("a")
    try store.commitRunIfDue(after: .max)
    #expect(try seen() == [])
    try store.commitRunIfDue(after: 0)
    #expect(try seen() == ["a"])
  }

  @Test func aStepThatFailsTakesBackNothingButItself() throws {
    try store.beginRun("r1")
    try save("a")
    #expect(throws: StoreError.self) {
      try store.transaction {
        try save("b")
        try save("a")
      }
    }
    try save("c")
    try store.endRun()
    #expect(try seen() == ["a", "c"])
    #expect(try store.undo().map(\.id) == [1])
    #expect(try seen() == [])
    #expect(try store.check() == [])
  }

  /// Only what says so does not wait, and nothing after it.
  @Test func whatNeedNotBeOnTheDiskAtOnceIsNoRuleForOthers() throws {
    func level() throws -> SQLValue? { try store.connection.first("PRAGMA synchronous") }
    try store.beginRun("r1", waitsForDisk: false)
    try save("a")
    #expect(try level() == .int(1))
    try store.commitRun()
    try save("b")
    #expect(try level() == .int(1))
    try store.endRun()
    #expect(try store.transaction { try level() } == .int(2))
    try store.beginRun("r2")
    try save("c")
    #expect(try level() == .int(2))
    try store.endRun()
    #expect(try seen() == ["a", "b", "c"])
  }

  /// Whoever fails at once keeps nobody waiting.
  @Test func aFailedFirstWriteHoldsNoLock() throws {
    try store.beginRun("r1")
    #expect(throws: StoreError.self) {
      try store.delete(ItemReference(entity: "Link", id: 7))
    }
    let other = try StoreFixture(at: .file(path), StoreFixture.link).store
    try save("other", in: other)
    try save("own")
    try store.endRun()
    #expect(try seen() == ["other", "own"])
  }

  @Test func anAtomicPartIsAllOrNothing() throws {
    try store.beginRun("r1")
    try save("a")
    #expect(throws: StoreError.self) {
      try store.atomic {
        // Committed before it began.
        #expect(try seen() == ["a"])
        try save("b")
        try store.commitRun()
        #expect(try seen() == ["a"])
        try save("a")
      }
    }
    #expect(try seen() == ["a"])
    try store.atomic {
      try save("c")
      try save("d")
    }
    #expect(try seen() == ["a", "c", "d"])
    try store.endRun()
    #expect(try store.undo(.run("r1")).count == 1)
    #expect(try seen() == [])
    #expect(try store.check() == [])
  }

  /// The lock is taken before the first read, so that nobody writes in between.
  @Test func twoAtomicCountersLoseNoNumber() throws {
    let task = EntitySchema(
      name: "Counter", properties: [PropertySchema(name: "next", type: .int)])
    try store.prepare(task)
    _ = try store.create("Counter", set: [("next", .int(0))])
    let counter = ItemReference(entity: "Counter", id: 1)
    let path = path
    func count(_ times: Int) throws -> [Int64] {
      let store = try StoreFixture(at: .file(path), task).store
      return try (0..<times).map { _ in
        try store.atomic {
          guard case .int(let next)? = try store.get("Counter", id: 1)?.field("next") else {
            return 0
          }
          _ = try store.update(counter, set: [("next", .int(next + 1))])
          return next
        }
      }
    }
    let other = try #require(BackgroundWork { try count(40) })
    let numbers = try count(40) + other.value()
    #expect(numbers.sorted() == Array(0..<80))
  }

  @Test func allThatARunWroteIsTakenBackAndMadeAgain() throws {
    try save("kept")
    try store.beginRun("r1")
    for number in 0..<20 { try save("n\(number)") }
    try store.commitRun()
    // Another process writes meanwhile.
    let other = try StoreFixture(at: .file(path), StoreFixture.link).store
    try save("other", in: other)
    for id in 2...21 as ClosedRange<Int64> {
      _ = try store.update(
        ItemReference(entity: "Link", id: id), set: [("tags", ["read", "new"])])
    }
    try store.delete(ItemReference(entity: "Link", id: 1))
    try store.endRun()
    let after = try store.find(Query("Link", sort: [SortKey("id")]))
    let texts = after.map { "\($0.id ?? 0) \($0.uid ?? "") \($0.text("title") ?? "")" }

    #expect(try store.undo(.run("r1")).count == 22)
    #expect(try seen() == ["kept", "other"])
    #expect(try store.check() == [])
    #expect(try store.redo().count == 22)
    let again = try store.find(Query("Link", sort: [SortKey("id")]))
    #expect(again.map { "\($0.id ?? 0) \($0.uid ?? "") \($0.text("title") ?? "")" } == texts)
    #expect(try store.find(Query("Link", match: "tags:read")).count == 20)
    #expect(try store.check() == [])
    #expect(try store.redo() == [])
    // And once more, from the beginning.
    #expect(try store.undo(.run("r1")).count == 22)
    #expect(try seen() == ["kept", "other"])
    #expect(try store.undo(.run("r1")) == [])
    #expect(try store.undo(.run("r2")) == [])
  }

  @Test func whatOthersChangedLaterIsNamed() throws {
    try store.beginRun("r1")
    for name in ["a", "b", "c"] { try save(name) }
    try store.endRun()
    let other = try StoreFixture(at: .file(path), StoreFixture.link).store
    other.cause = "rename"
    for id in [1, 3] as [Int64] {
      _ = try other.update(ItemReference(entity: "Link", id: id), set: [("title", "other")])
    }
    let error = #expect(throws: StoreError.self) { try store.undo(.run("r1")) }
    #expect(error?.code == .conflict)
    #expect(
      error?.message
        == "link:1, link:3 were changed later by rename (change 5): take that back first; "
        + "nothing was taken back")
    #expect(try seen() == ["other", "b", "other"])
    for _ in 0..<2 { _ = try store.undo(.cause("rename")) }
    #expect(try store.undo(.run("r1")).count == 1)
    #expect(try seen() == [])
  }

  @Test func theLogForgetsRunsAsAWhole() throws {
    for run in ["r1", "r2"] {
      try store.beginRun(run)
      for number in 0..<10 { try save("\(run)n\(number)") }
      try store.endRun()
    }
    try store.pruneChanges(keeping: 11)
    #expect(try store.changes().count == 20)
    try store.pruneChanges(keeping: 10)
    #expect(try store.changes().map(\.run) == Array(repeating: "r2", count: 10))
    try store.pruneChanges(keeping: 3)
    #expect(try store.changes().count == 10)
    #expect(try store.undo().count == 1)
    #expect(try seen().count == 10)
  }

  /// A run that is killed leaves what it committed, and its lock goes with it.
  @Test func whatWasNotCommittedIsGoneWithTheProcess() throws {
    let lost = try StoreFixture(at: .file(path), StoreFixture.link).store
    try lost.beginRun("r1")
    try save("a", in: lost)
    try lost.commitRun()
    try save("b", in: lost)
    lost.shutDown()
    #expect(try seen() == ["a"])
    try save("c")
    #expect(try seen() == ["a", "c"])
  }

  @Test func aLogOfAnEarlierReleaseGoesOn() throws {
    try save("a")
    for column in ["run", "reverts", "after"] {
      try store.connection.run("ALTER TABLE errand_changes DROP COLUMN \(raw: column)")
    }
    try store.connection.run("DELETE FROM errand_meta WHERE key = 'log'")
    let later = try StoreFixture(at: .file(path), StoreFixture.link).store
    #expect(try later.changes().map(\.run) == [nil])
    #expect(try later.undo(.run("r1")) == [])
    try later.beginRun("r1")
    try save("b", in: later)
    try later.endRun()
    #expect(try later.changes().map(\.run) == [nil, "r1"])
    #expect(try later.undo().map(\.id) == [2])
    #expect(try later.redo().map(\.id) == [2])
    #expect(try seen() == ["a", "b"])
    #expect(try later.check() == [])
  }
}
