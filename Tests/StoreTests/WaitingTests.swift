import CEL
import Glibc
import Items
import Store
import StoreFixtures
import StoreRepair
import Synchronization
import TestSupport
import Testing

/// Waiting for other processes, and reading a store that they change.
@Suite struct WaitingTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/library.db" }

  init() throws { folder = try TemporaryFolder() }

  @Test func longWaitReportsLockHolder() throws {
    let holder = try StoreFixture(at: .file(path), StoreFixture.link).store
    let heard = Mutex<[LockHolder?]>([])
    var context = StoreFixture.context()
    context.events.isWaiting = { holder in heard.withLock { $0.append(holder) } }
    // The lock is released once the wait is reported, which ends the wait.
    context.events.isCancelled = { heard.withLock { !$0.isEmpty } }
    let waiter = try Database(at: .file(path), context: context)
    try waiter.prepare(StoreFixture.link)
    try holder.transaction {
      let error = #expect(throws: StoreError.self) {
        try waiter.items.create("Link", set: [("url", "https://a.org")])
      }
      #expect(error?.code == .busy)
    }
    let told = heard.withLock { $0 }
    #expect(told.count == 1)
    #expect(told.first??.process == getpid())
    #expect(told.first??.name?.isEmpty == false)
  }

  @Test func cancellationEndsLongStatement() throws {
    var context = StoreFixture.context()
    let asked = Mutex(0)
    context.events.isCancelled = {
      asked.withLock { $0 += 1 }
      return true
    }
    let store = try Database(at: .memory, context: context)
    let error = #expect(throws: StoreError.self) {
      try store.connection.run(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
        """)
    }
    #expect(error?.code == .cancelled)
    #expect(asked.withLock { $0 } == 1)
  }

  /// A migration in progress is not damage.
  @Test func checkDuringMigrationsFindsNothing() throws {
    func form(_ isOther: Bool) -> EntitySchema {
      EntitySchema(
        name: "Note",
        properties: [
          PropertySchema(name: "text", type: .string, searchWeight: isOther ? nil : 1),
          PropertySchema(
            name: "tags", type: .list(.string), default: ["x"], searchWeight: isOther ? 1 : nil,
            isIndexed: isOther),
        ], identity: isOther ? "text" : nil)
    }
    let path = path
    let store = try StoreFixture(at: .file(path), form(false)).store
    for number in 0..<200 {
      _ = try store.items.create("Note", set: [("text", .string("n\(number)"))])
    }
    let isOver = Atomic(false)
    let work = try #require(
      BackgroundWork {
        var isOther = true
        while !isOver.load(ordering: .relaxed) {
          _ = try StoreFixture(at: .file(path), form(isOther))
          isOther.toggle()
        }
      })
    var alarms: [StoreProblem] = []
    for _ in 0..<40 { alarms += try store.check() }
    isOver.store(true, ordering: .relaxed)
    try work.value()
    #expect(alarms == [])
  }

  /// A slow reader does not keep the log from being checkpointed.
  @Test func longReadAllowsCheckpoints() throws {
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    let importer = Importer(into: store) { _, _ in }
    for number in 0..<5_000 {
      try importer.add(
        NewItem("Link", [("url", .string("https://a.org/\(number)"))]), line: number)
    }
    _ = try importer.finish()
    let writer = try StoreFixture(at: .file(path), StoreFixture.link).store
    var seen: [Int64] = []
    var sizes: [Int] = []
    let query = Query("Link", sort: [SortKey("createdAt"), SortKey("id")])
    try store.items.forEach(query) { item in
      seen.append(item.id ?? 0)
      if seen.count % 500 == 0 {
        for id in 1...300 as ClosedRange<Int64> {
          _ = try writer.items.update(
            ItemReference(entity: "Link", id: id), set: [("title", .string("\(seen.count)"))])
        }
        var status = stat()
        stat(path + "-wal", &status)
        sizes.append(Int(status.st_size))
      }
      return true
    }
    #expect(seen == Array(1...5_000))
    // SQLite checkpoints from 1,000 pages on.
    #expect(sizes.max() ?? 0 < 3 * 1_000 * 4_096, "\(sizes)")
  }

  @Test func leftoversOfKilledStartAreRemoved() throws {
    let child = try StoreProcess(["find", folder.path + "/other.db"])
    _ = child.readLines()
    _ = child.wait()
    let names = [
      "library.db.\(child.number).1234567.new", "library.db.\(child.number).1234567.new-wal",
    ]
    for name in names { try folder.write("half", to: name) }
    try folder.write("kept", to: "library.db.new")
    _ = try StoreFixture(at: .file(path), StoreFixture.link)
    #expect(try folder.names().filter { $0.contains(".new") } == ["library.db.new"])
  }

  @Test func storeWithoutChangeLogSuggestsRepair() throws {
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    try store.connection.run("DROP TABLE errand_changes")
    let later = try StoreFixture(at: .file(path), StoreFixture.link).store
    for body in [
      { _ = try later.items.create("Link", set: [("url", "https://a.org")]) },
      { _ = try later.changes.undo() },
      { _ = try later.changes.entries(limit: 1) },
    ] {
      let error = #expect(throws: StoreError.self) { try body() }
      #expect(error?.code == .corrupt)
      #expect(error?.remedy == .repair)
    }
    _ = try later.repair()
    _ = try later.items.create("Link", set: [("url", "https://a.org")])
    #expect(try later.changes.undo().map(\.id) == [1])
  }

  @Test func newestBackupsPerEntityAreKept() throws {
    func form(_ name: String, _ count: Int) -> EntitySchema {
      EntitySchema(
        name: name,
        properties: (0...count).map {
          PropertySchema(name: "p\($0)", type: .int, default: .int(0))
        })
    }
    for name in ["Note", "Memo"] {
      let store = try StoreFixture(at: .file(path), form(name, 0)).store
      _ = try store.items.create(name, set: [])
    }
    try folder.write("", to: "library.db.2020-earlier.backup")
    for count in 1...5 { _ = try StoreFixture(at: .file(path), form("Note", count)) }
    for count in 1...2 { _ = try StoreFixture(at: .file(path), form("Memo", count)) }
    let store = try StoreFixture(at: .file(path)).store
    let copies = store.migrationCopies().map { $0.path }
    #expect(copies.count { $0.hasSuffix(".Note.backup") } == 3)
    #expect(copies.count { $0.hasSuffix(".Memo.backup") } == 2)
    #expect(copies.count == 6)
    // The newest ones remain.
    let newest = try #require(copies.last { $0.hasSuffix(".Note.backup") })
    let names = try StoreFixture(at: .file(newest)).store.metadata("columns:Note")
    #expect(names?.split(separator: "\n").count == 5)
  }
}
