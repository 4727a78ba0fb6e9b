import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import TestSupport
import Testing

/// The writes of one run: committed together, and undone as one change.
@Suite struct RunTests {
  private let folder: TemporaryFolder
  private let path: String
  private let store: Database

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.db"
    store = try StoreFixture(at: .file(path), StoreFixture.link).store
  }

  private func save(_ name: String, in store: Database? = nil) throws {
    _ = try (store ?? self.store).items.create(
      "Link", set: [("url", .string("https://\(name).org")), ("title", .string(name))])
  }

  /// The items visible to another process.
  private func seen() throws -> [String] {
    try StoreFixture(at: .file(path), StoreFixture.link).store
      .items.find(Query("Link", sort: [SortKey("id")])).compactMap { $0.text("title") }
  }

  @Test func writesAreGroupedUntilCommit() throws {
    try store.begin(WriteSession(), "r1")
    try save("a")
    try save("b")
    #expect(try seen() == [])
    try store.commit()
    #expect(try seen() == ["a", "b"])
    try save("c")
    #expect(try seen() == ["a", "b"])
    try store.endSession()
    #expect(try seen() == ["a", "b", "c"])
    try save("d")
    #expect(try seen() == ["a", "b", "c", "d"])
    #expect(try store.changes.entries().map(\.run) == ["r1", "r1", "r1", nil])
    #expect(try store.changes.entries().map(\.group) == [1, 1, 1, 4])
  }

  @Test func oldTransactionIsCommitted() throws {
    try store.begin(WriteSession(), "r1")
    try store.commitIfDue(after: .zero)
    try save("a")
    try store.commitIfDue(after: .seconds(3_600))
    #expect(try seen() == [])
    try store.commitIfDue(after: .zero)
    #expect(try seen() == ["a"])
  }

  @Test func failedStepRollsBackOnlyItself() throws {
    try store.begin(WriteSession(), "r1")
    try save("a")
    #expect(throws: StoreError.self) {
      try store.transaction {
        try save("b")
        try save("a")
      }
    }
    try save("c")
    try store.endSession()
    #expect(try seen() == ["a", "c"])
    #expect(try store.changes.undo().map(\.id) == [1])
    #expect(try seen() == [])
    #expect(try store.check() == [])
  }

  /// Only such a transaction skips fsync, and none after it.
  @Test func deferredSyncDoesNotAffectOthers() throws {
    func level() throws -> SQLValue? { try store.connection.first("PRAGMA synchronous") }
    try store.begin(WriteSession(), "r1", waitsForDisk: false)
    try save("a")
    #expect(try level() == .int(1))
    try store.commit()
    try save("b")
    #expect(try level() == .int(1))
    try store.endSession()
    #expect(try store.transaction { try level() } == .int(2))
    try store.begin(WriteSession(), "r2")
    try save("c")
    #expect(try level() == .int(2))
    try store.endSession()
    #expect(try seen() == ["a", "b", "c"])
  }

  /// A failed write must not make others wait.
  @Test func failedFirstWriteReleasesLock() throws {
    try store.begin(WriteSession(), "r1")
    #expect(throws: StoreError.self) {
      try store.items.delete(ItemReference(entity: "Link", id: 7))
    }
    let other = try StoreFixture(at: .file(path), StoreFixture.link).store
    try save("other", in: other)
    try save("own")
    try store.endSession()
    #expect(try seen() == ["other", "own"])
  }

  @Test func atomicIsAllOrNothing() throws {
    try store.begin(WriteSession(), "r1")
    try save("a")
    #expect(throws: StoreError.self) {
      try store.atomic {
        // Committed before it started.
        #expect(try seen() == ["a"])
        try save("b")
        try store.commit()
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
    try store.endSession()
    #expect(try store.changes.undo(.run("r1")).count == 1)
    #expect(try seen() == [])
    #expect(try store.check() == [])
  }

  /// The lock is taken before the first read, which excludes writes in between.
  @Test func concurrentAtomicCountersLoseNothing() throws {
    let task = EntitySchema(
      name: "Counter", properties: [PropertySchema(name: "next", type: .int)])
    try store.prepare(task)
    _ = try store.items.create("Counter", set: [("next", .int(0))])
    let counter = ItemReference(entity: "Counter", id: 1)
    let path = path
    func count(_ times: Int) throws -> [Int64] {
      let store = try StoreFixture(at: .file(path), task).store
      return try (0..<times).map { _ in
        try store.atomic {
          guard case .int(let next)? = try store.items.get("Counter", id: 1)?.field("next") else {
            return 0
          }
          _ = try store.items.update(counter, set: [("next", .int(next + 1))])
          return next
        }
      }
    }
    let other = try #require(BackgroundWork { try count(40) })
    let numbers = try count(40) + other.value()
    #expect(numbers.sorted() == Array(0..<80))
  }

  @Test func runIsUndoneAndRedoneAsAWhole() throws {
    try save("kept")
    try store.begin(WriteSession(), "r1")
    for number in 0..<20 { try save("n\(number)") }
    try store.commit()
    // Another process writes meanwhile.
    let other = try StoreFixture(at: .file(path), StoreFixture.link).store
    try save("other", in: other)
    for id in 2...21 as ClosedRange<Int64> {
      _ = try store.items.update(
        ItemReference(entity: "Link", id: id), set: [("tags", ["read", "new"])])
    }
    try store.items.delete(ItemReference(entity: "Link", id: 1))
    try store.endSession()
    let after = try store.items.find(Query("Link", sort: [SortKey("id")]))
    let texts = after.map { "\($0.id ?? 0) \($0.uid ?? "") \($0.text("title") ?? "")" }

    #expect(try store.changes.undo(.run("r1")).count == 22)
    #expect(try seen() == ["kept", "other"])
    #expect(try store.check() == [])
    #expect(try store.changes.redo().count == 22)
    let again = try store.items.find(Query("Link", sort: [SortKey("id")]))
    #expect(again.map { "\($0.id ?? 0) \($0.uid ?? "") \($0.text("title") ?? "")" } == texts)
    #expect(try store.items.find(Query("Link", match: "tags:read")).count == 20)
    #expect(try store.check() == [])
    #expect(try store.changes.redo() == [])
    // Once more, from the start.
    #expect(try store.changes.undo(.run("r1")).count == 22)
    #expect(try seen() == ["kept", "other"])
    #expect(try store.changes.undo(.run("r1")) == [])
    #expect(try store.changes.undo(.run("r2")) == [])
  }

  @Test func laterChangesAreNamed() throws {
    try store.begin(WriteSession(), "r1")
    for name in ["a", "b", "c"] { try save(name) }
    try store.endSession()
    let other = try StoreFixture(at: .file(path), StoreFixture.link).store
    other.session.cause = "rename"
    for id in [1, 3] as [Int64] {
      _ = try other.items.update(ItemReference(entity: "Link", id: id), set: [("title", "other")])
    }
    let error = #expect(throws: StoreError.self) { try store.changes.undo(.run("r1")) }
    #expect(error?.code == .conflict)
    #expect(
      error?.message
        == "link:1, link:3 were changed later by rename (change 5): undo that first; "
        + "nothing was undone")
    #expect(try seen() == ["other", "b", "other"])
    for _ in 0..<2 { _ = try store.changes.undo(.cause("rename")) }
    #expect(try store.changes.undo(.run("r1")).count == 1)
    #expect(try seen() == [])
  }

  @Test func logPrunesWholeRuns() throws {
    for run in ["r1", "r2"] {
      try store.begin(WriteSession(), run)
      for number in 0..<10 { try save("\(run)n\(number)") }
      try store.endSession()
    }
    try store.changes.prune(keeping: 11)
    #expect(try store.changes.entries().count == 20)
    try store.changes.prune(keeping: 10)
    #expect(try store.changes.entries().map(\.run) == Array(repeating: "r2", count: 10))
    try store.changes.prune(keeping: 3)
    #expect(try store.changes.entries().count == 10)
    #expect(try store.changes.undo().count == 1)
    #expect(try seen().count == 10)
  }

  /// A killed run leaves its committed changes, and its lock is released.
  @Test func uncommittedWritesDieWithProcess() throws {
    let lost = try StoreFixture(at: .file(path), StoreFixture.link).store
    try lost.begin(WriteSession(), "r1")
    try save("a", in: lost)
    try lost.commit()
    try save("b", in: lost)
    lost.shutDown()
    #expect(try seen() == ["a"])
    try save("c")
    #expect(try seen() == ["a", "c"])
  }

  @Test func logOfEarlierReleaseIsExtended() throws {
    try save("a")
    for column in ["run", "reverts", "after"] {
      try store.connection.run("ALTER TABLE errand_changes DROP COLUMN \(raw: column)")
    }
    try store.connection.run("DELETE FROM errand_meta WHERE key = 'log'")
    let later = try StoreFixture(at: .file(path), StoreFixture.link).store
    #expect(try later.changes.entries().map(\.run) == [nil])
    #expect(try later.changes.undo(.run("r1")) == [])
    try later.begin(WriteSession(), "r1")
    try save("b", in: later)
    try later.endSession()
    #expect(try later.changes.entries().map(\.run) == [nil, "r1"])
    #expect(try later.changes.undo().map(\.id) == [2])
    #expect(try later.changes.redo().map(\.id) == [2])
    #expect(try seen() == ["a", "b"])
    #expect(try later.check() == [])
  }
}
