import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import TestSupport
import Testing

/// The journal of runs in the store, and their leases.
@Suite struct JournalTests {
  private let folder: TemporaryFolder
  private let path: String
  private let store: Database

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.db"
    store = try StoreFixture(at: .file(path), StoreFixture.link).store
  }

  private func another() throws -> Database {
    try StoreFixture(at: .file(path), StoreFixture.link).store
  }

  private func newItem(_ name: String = "nightly", isDurable: Bool = true) -> NewRun {
    // An id may start with any digit, and sort before a number as text.
    NewRun(
      id: "0-\(name)", name: name, isDurable: isDurable, mode: "single", process: 1, call: "{}",
      definitions: [("hash-\(name)", "shortcut: \(name)\nsteps: []\n")])
  }

  private func line(_ number: Int64, _ data: String = "") -> JournalLine {
    JournalLine(
      number: number, key: "\(number)", kind: .done, name: "step", time: Timestamp(seconds: 1),
      took: .microseconds(5), data: data)
  }

  private func save(_ name: String, in store: Database) throws {
    _ = try store.items.create(
      "Link", set: [("url", .string("https://\(name).org")), ("title", .string(name))])
  }

  @Test func runAndLinesAreStored() throws {
    let number = try store.runs.record(newItem())
    try store.runs.append([line(1, "\"a\""), line(2)], toRun: number)
    let run = try #require(try another().runs.run(number))
    #expect(run.name == "nightly")
    #expect(run.id == "0-nightly")
    // No process holds its lock.
    #expect(run.state == .interrupted)
    #expect(try another().runs.lines(ofRun: number).map(\.data) == ["\"a\"", ""])
    #expect(try another().runs.definitions(ofRun: run) == ["shortcut: nightly\nsteps: []\n"])
    try store.runs.setState(.done, ofRun: number, result: "7")
    #expect(try another().runs.latest()?.state == .done)
    #expect(try another().runs.latest()?.result == "7")
    #expect(try another().runs.run(id: "0-nig")?.number == number)
    #expect(try another().runs.run(99) == nil)
  }

  @Test func definitionsAreStoredOnce() throws {
    _ = try store.runs.record(newItem())
    _ = try store.runs.record(newItem())
    #expect(
      try store.connection.first("SELECT count(*) FROM errand_contents") == .int(1))
  }

  @Test func linesAreCommittedWithTheirWrites() throws {
    let number = try store.runs.record(newItem())
    let session = WriteSession()
    session.record = PendingRun(newItem(), number: number)
    try store.begin(session, "0-nightly")
    session.record?.append(line(1))
    try save("a", in: store)
    #expect(try another().runs.lines(ofRun: number).isEmpty)
    try store.commit()
    #expect(try another().runs.lines(ofRun: number).count == 1)
    session.record?.append(line(2))
    try save("b", in: store)
    try store.abandonSession()
    #expect(try another().runs.lines(ofRun: number).count == 1)
    #expect(try another().items.find(Query("Link")).count == 1)
  }

  // MARK: Leases

  private func lease(_ name: String = "nightly", in store: Database, fence: Int64 = 1) throws
    -> RunLease
  {
    RunLease(run: try store.runs.record(newItem(name)), fence: fence)
  }

  private func isGranted(_ answer: RunStore.LeaseAnswer) -> Bool {
    if case .granted = answer { true } else { false }
  }

  @Test func leaseIsHeldUntilProcessDies() throws {
    let first = try lease(in: store)
    #expect(
      isGranted(try store.runs.askForLease(first, name: "nightly", limit: 1, keepsPlace: false)))
    #expect(try store.runs.locks?.lock(first.run) == true)
    let other = try another()
    let second = try lease(in: other, fence: 2)
    let answer = try other.runs.askForLease(second, name: "nightly", limit: 1, keepsPlace: false)
    guard case .taken(let holders) = answer else {
      Issue.record("both run")
      return
    }
    #expect(holders.map(\.number) == [first.run])
    #expect(holders.first?.state == .running)
    #expect(
      isGranted(
        try other.runs.askForLease(
          try lease("other", in: other), name: "other", limit: 1, keepsPlace: false)))
    #expect(
      isGranted(try other.runs.askForLease(second, name: "nightly", limit: 2, keepsPlace: false)))
    store.runs.locks?.unlock(first.run)
    let third = try lease(in: other, fence: 3)
    #expect(
      isGranted(try other.runs.askForLease(third, name: "nightly", limit: 1, keepsPlace: false)))
  }

  @Test func waitingRunsAreGrantedInOrder() throws {
    var stores: [Database] = []
    var leases: [RunLease] = []
    for _ in 0..<3 {
      let store = try another()
      let lease = try lease(in: store)
      _ = try store.runs.askForLease(lease, name: "nightly", limit: 1, keepsPlace: true)
      #expect(try store.runs.locks?.lock(lease.run) == true)
      stores.append(store)
      leases.append(lease)
    }
    func asks(_ index: Int) throws -> Bool {
      isGranted(
        try stores[index].runs.askForLease(
          leases[index], name: "nightly", limit: 1, keepsPlace: true))
    }
    #expect(try !asks(2))
    try stores[0].runs.setState(.done, ofRun: leases[0].run)
    stores[0].runs.locks?.unlock(leases[0].run)
    #expect(try !asks(2))
    #expect(try asks(1))
    // A waiting run whose process died is skipped.
    try stores[1].runs.setState(.failed, ofRun: leases[1].run)
    #expect(try asks(2))
  }

  @Test func frozenRunCannotWrite() throws {
    let old = try lease(in: store)
    _ = try store.runs.askForLease(old, name: "nightly", limit: 1, keepsPlace: false)
    #expect(try store.runs.locks?.lock(old.run) == true)
    let session = WriteSession()
    session.lease = old
    try store.begin(session, "0-nightly")
    try save("before", in: store)
    try store.commit()
    // It holds its lock and its heartbeat is too old.
    let other = try another()
    let new = try lease(in: other, fence: 2)
    #expect(
      isGranted(
        try other.runs.askForLease(
          new, name: "nightly", limit: 1, keepsPlace: false, frozenAfter: .seconds(-1))))
    other.session.lease = new
    try save("other", in: other)
    #expect(throws: StoreError.self) { try save("after", in: store) }
    #expect(throws: StoreError.self) {
      try store.atomic { try save("after", in: store) }
    }
    #expect(throws: StoreError.self) { try store.runs.append([line(1)], toRun: old.run) }
    #expect(throws: StoreError.self) { try store.runs.expectLease() }
    store.session.lease = nil
    #expect(try another().items.find(Query("Link", sort: [SortKey("id")])).count == 2)
    // Its old lease is of no use once it has a new one.
    store.session.lease = RunLease(run: new.run, fence: 1)
    #expect(throws: StoreError.self) { try store.runs.expectLease() }
  }

  @Test func takeoverWaitsForOpenTransaction() throws {
    let old = try lease(in: store)
    _ = try store.runs.askForLease(old, name: "nightly", limit: 1, keepsPlace: false)
    #expect(try store.runs.locks?.lock(old.run) == true)
    let session = WriteSession()
    session.lease = old
    try store.begin(session, "0-nightly")
    try save("inside", in: store)
    // A lease cannot be revoked while its owner writes: the store is locked, and the wait ends.
    var asked = false
    var context = StoreFixture.context()
    context.events.isCancelled = {
      asked = true
      return true
    }
    let other = try Database(at: .file(path), context: context)
    #expect(throws: StoreError.self) {
      try other.runs.askForLease(
        RunLease(run: 99, fence: 2), name: "nightly", limit: 1, keepsPlace: false,
        frozenAfter: .seconds(-1))
    }
    #expect(asked)
    try store.endSession()
    #expect(try another().items.find(Query("Link")).count == 1)
  }

  // MARK: Care

  @Test func finishedRunsArePruned() throws {
    var numbers: [Int64] = []
    for index in 0..<5 {
      let number = try store.runs.record(newItem("n\(index)"))
      try store.runs.append(
        [line(1, String(repeating: "x", count: 2000)), line(2, "y")], toRun: number)
      numbers.append(number)
      if index > 0 { try store.runs.setState(.done, ofRun: number) }
    }
    #expect(try store.runs.prune(keeping: 2) == 2)
    // The first can still be resumed, regardless of age.
    #expect(
      try store.runs.recorded(RunSelection(limit: 10)).map(\.number) == [
        numbers[4], numbers[3], numbers[0],
      ])
    #expect(try store.runs.lines(ofRun: numbers[1]).isEmpty)
    #expect(try store.runs.lines(ofRun: numbers[3]).map(\.data) == ["", "y"])
    #expect(try store.runs.lines(ofRun: numbers[0])[0].data.utf8.count == 2000)
    #expect(try store.connection.first("SELECT count(*) FROM errand_contents") == .int(3))
    #expect(try store.runs.prune(olderThan: .zero, keeping: 10) == 2)
  }

  @Test func backupIncludesJournal() throws {
    let number = try store.runs.record(newItem())
    try store.runs.append([line(1)], toRun: number)
    try store.backup(to: folder.path + "/copy.db")
    let copy = try StoreFixture(at: .file(folder.path + "/copy.db"), StoreFixture.link).store
    #expect(try copy.runs.run(number)?.state == .interrupted)
    #expect(try copy.runs.lines(ofRun: number).count == 1)
  }

  @Test func writesOfResumableRunAreNotUndone() throws {
    let number = try store.runs.record(newItem())
    try store.begin(WriteSession(), "0-nightly")
    try save("a", in: store)
    try store.endSession()
    #expect(throws: StoreError.self) { try store.changes.undo() }
    try store.runs.setState(.cancelled, ofRun: number)
    #expect(try store.changes.undo().count == 1)
  }

  @Test func incompleteJournalIsRecreated() throws {
    try save("a", in: store)
    let number = try store.runs.record(newItem())
    try store.runs.append([line(1)], toRun: number)
    #expect(try store.check().isEmpty)
    try store.connection.run("DROP TABLE errand_journal")
    #expect(try another().check().map(\.kind) == [.init(.journal)])
    let repair = try another().repair()
    #expect(repair.left.isEmpty)
    #expect(repair.losses.count == 1)
    #expect(try another().runs.recorded(RunSelection(limit: 10)).isEmpty)
    #expect(try another().items.find(Query("Link")).count == 1)
    let store = try another()
    #expect(try store.runs.record(newItem()) > 0)
  }

  @Test func orphanedLinesAreDetected() throws {
    let number = try store.runs.record(newItem())
    try store.runs.append([line(1)], toRun: number)
    try store.connection.run("DELETE FROM errand_runs")
    #expect(try another().check().map(\.kind) == [.init(.journal)])
  }

  /// Recovers the store, and returns the result for runs.
  private func rescue() throws -> (RecordRescue?, Database) {
    let saved = folder.path + "/saved.db"
    var records: [RecordRescue] = []
    _ = try Database.rescue(
      [StoreFixture.link], from: path, to: saved, context: StoreFixture.context(),
      records: { records = $0 })
    return (
      records.first { $0.kind == "runs" },
      try StoreFixture(at: .file(saved), StoreFixture.link).store
    )
  }

  @Test func recoveryKeepsRuns() throws {
    try save("a", in: store)
    let number = try store.runs.record(newItem())
    try store.runs.append([line(1), line(2)], toRun: number)
    let over = try store.runs.record(newItem())
    try store.runs.setState(.done, ofRun: over)
    let (result, copy) = try rescue()
    #expect(result?.saved == 2)
    #expect(result?.isWhole == true)
    #expect(try copy.items.find(Query("Link")).count == 1)
    let run = try #require(try copy.runs.run(number))
    #expect(run.state == .interrupted)
    #expect(
      try copy.runs.lines(ofRun: number).map(\.key) == store.runs.lines(ofRun: number).map(\.key))
    #expect(try copy.runs.definitions(ofRun: run) == store.runs.definitions(ofRun: run))
    #expect(try copy.check() == [])
    #expect(try copy.runs.record(newItem()) == over + 1)
  }

  @Test func recoveryEndsRunsWithLostLines() throws {
    try save("a", in: store)
    let number = try store.runs.record(newItem())
    try store.runs.append([line(1)], toRun: number)
    try store.connection.run("UPDATE errand_journal SET data = '{'")
    let (result, copy) = try rescue()
    #expect(result?.saved == 1)
    #expect(result?.ended == 1)
    #expect(result?.isWhole == false)
    #expect(try copy.runs.run(number)?.state == .cancelled)
  }

  @Test func recoveryCountsLostRuns() throws {
    try save("a", in: store)
    _ = try store.runs.record(newItem())
    try store.connection.run("DROP TABLE errand_runs")
    let (result, copy) = try rescue()
    #expect(result?.saved == 0)
    #expect(result?.lost == nil)
    #expect(result?.isWhole == false)
    #expect(try copy.runs.recorded(RunSelection(limit: 1)).isEmpty)
  }

  @Test(
    arguments: [
      "UPDATE errand_journal SET data = '{' WHERE line = 1",
      "UPDATE errand_journal SET data = '#' || hex(randomblob(32)) WHERE line = 1",
      "DELETE FROM errand_contents", "UPDATE errand_runs SET call = '['",
    ])
  func runThatCannotContinueIsReportedAndEnded(_ damage: String) throws {
    try save("a", in: store)
    let number = try store.runs.record(newItem())
    try store.runs.append([line(1), line(2)], toRun: number)
    let other = try store.runs.record(newItem())
    try store.runs.setState(.done, ofRun: other)
    try store.connection.run("\(raw: damage)")
    let found = try another().check()
    #expect(found.map(\.kind) == [.run])
    #expect(found.first?.message.hasPrefix("run \(number) of `nightly` cannot continue: ") == true)
    let repair = try another().repair()
    #expect(repair.left == [])
    #expect(repair.losses.count == 1)
    #expect(try another().runs.run(number)?.state == .cancelled)
    #expect(try another().runs.run(other)?.state == .done)
    #expect(try another().runs.lines(ofRun: number).count == 2)
  }
}
