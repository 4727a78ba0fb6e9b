import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import Testing

/// The journal of runs in the store, and who may write.
@Suite struct JournalTests {
  private let folder: TemporaryFolder
  private let path: String
  private let store: EntityStore

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.db"
    store = try StoreFixture(at: .file(path), StoreFixture.link).store
  }

  private func another() throws -> EntityStore {
    try StoreFixture(at: .file(path), StoreFixture.link).store
  }

  private func draft(_ name: String = "nightly", isDurable: Bool = true) -> RunDraft {
    // An id may begin with any digit, and be less than a number is as text.
    RunDraft(
      id: "0-\(name)", name: name, isDurable: isDurable, mode: "single", process: 1, call: "{}",
      definitions: [("hash-\(name)", "shortcut: \(name)\nsteps: []\n")])
  }

  private func line(_ number: Int64, _ data: String = "") -> JournalLine {
    JournalLine(
      number: number, key: "\(number)", kind: .done, name: "step", time: Timestamp(seconds: 1),
      took: 5, data: data)
  }

  private func save(_ name: String, in store: EntityStore) throws {
    _ = try store.items.create(
      "Link", set: [("url", .string("https://\(name).org")), ("title", .string(name))])
  }

  @Test func aRunAndItsLinesAreKept() throws {
    let number = try store.runs.record(draft())
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

  @Test func definitionsAreKeptOnce() throws {
    _ = try store.runs.record(draft())
    _ = try store.runs.record(draft())
    #expect(
      try store.database.connection.first("SELECT count(*) FROM errand_contents") == .int(1))
  }

  @Test func linesAreCommittedWithWhatTheyTellOf() throws {
    let number = try store.runs.record(draft())
    let session = WriteSession()
    session.record = RunRecord(draft(), number: number)
    try store.database.begin(session, "0-nightly")
    session.record?.append(line(1))
    try save("a", in: store)
    #expect(try another().runs.lines(ofRun: number).isEmpty)
    try store.database.commit()
    #expect(try another().runs.lines(ofRun: number).count == 1)
    session.record?.append(line(2))
    try save("b", in: store)
    try store.database.abandonSession()
    #expect(try another().runs.lines(ofRun: number).count == 1)
    #expect(try another().items.find(Query("Link")).count == 1)
  }

  // MARK: Leases

  private func lease(_ name: String = "nightly", in store: EntityStore, fence: Int64 = 1) throws
    -> RunLease
  {
    RunLease(run: try store.runs.record(draft(name)), fence: fence)
  }

  private func isGranted(_ answer: RunStore.LeaseAnswer) -> Bool {
    if case .granted = answer { true } else { false }
  }

  @Test func oneOfANameHasALeaseUntilItsProcessIsGone() throws {
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

  @Test func whoeverWaitsComesInTheOrderOfNumbers() throws {
    var stores: [EntityStore] = []
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
    // One that waits and whose process dies is passed over.
    try stores[1].runs.setState(.failed, ofRun: leases[1].run)
    #expect(try asks(2))
  }

  @Test func whoeverWasFrozenWritesNothingMore() throws {
    let old = try lease(in: store)
    _ = try store.runs.askForLease(old, name: "nightly", limit: 1, keepsPlace: false)
    #expect(try store.runs.locks?.lock(old.run) == true)
    let session = WriteSession()
    session.lease = old
    try store.database.begin(session, "0-nightly")
    try save("before", in: store)
    try store.database.commit()
    // It holds its lock and has been silent for longer than is borne.
    let other = try another()
    let new = try lease(in: other, fence: 2)
    #expect(
      isGranted(
        try other.runs.askForLease(
          new, name: "nightly", limit: 1, keepsPlace: false, frozenAfter: -1)))
    other.session.lease = new
    try save("other", in: other)
    #expect(throws: StoreError.self) { try save("after", in: store) }
    #expect(throws: StoreError.self) {
      try store.database.atomic { try save("after", in: store) }
    }
    #expect(throws: StoreError.self) { try store.runs.append([line(1)], toRun: old.run) }
    #expect(throws: StoreError.self) { try store.runs.expectLease() }
    store.session.lease = nil
    #expect(try another().items.find(Query("Link", sort: [SortKey("id")])).count == 2)
    // Its old right is of no use to it once it has a new one.
    store.session.lease = RunLease(run: new.run, fence: 1)
    #expect(throws: StoreError.self) { try store.runs.expectLease() }
  }

  @Test func aTakeoverWaitsForTheTransactionOfTheFrozenOne() throws {
    let old = try lease(in: store)
    _ = try store.runs.askForLease(old, name: "nightly", limit: 1, keepsPlace: false)
    #expect(try store.runs.locks?.lock(old.run) == true)
    let session = WriteSession()
    session.lease = old
    try store.database.begin(session, "0-nightly")
    try save("inside", in: store)
    // Nobody can take a right away while its owner writes: the store is held, and the wait ends.
    var asked = false
    var context = StoreFixture.context()
    context.isCancelled = {
      asked = true
      return true
    }
    let other = try EntityStore(at: .file(path), context: context)
    #expect(throws: StoreError.self) {
      try other.runs.askForLease(
        RunLease(run: 99, fence: 2), name: "nightly", limit: 1, keepsPlace: false,
        frozenAfter: -1)
    }
    #expect(asked)
    try store.database.endSession()
    #expect(try another().items.find(Query("Link")).count == 1)
  }

  // MARK: Care

  @Test func runsThatAreOverAreForgottenInTime() throws {
    var numbers: [Int64] = []
    for index in 0..<5 {
      let number = try store.runs.record(draft("n\(index)"))
      try store.runs.append(
        [line(1, String(repeating: "x", count: 2000)), line(2, "y")], toRun: number)
      numbers.append(number)
      if index > 0 { try store.runs.setState(.done, ofRun: number) }
    }
    #expect(try store.runs.prune(keeping: 2) == 2)
    // The first can still go on, whatever its age.
    #expect(
      try store.runs.recorded(RunSelection(limit: 10)).map(\.number) == [
        numbers[4], numbers[3], numbers[0],
      ])
    #expect(try store.runs.lines(ofRun: numbers[1]).isEmpty)
    #expect(try store.runs.lines(ofRun: numbers[3]).map(\.data) == ["", "y"])
    #expect(try store.runs.lines(ofRun: numbers[0])[0].data.utf8.count == 2000)
    #expect(try store.database.connection.first("SELECT count(*) FROM errand_contents") == .int(3))
    #expect(try store.runs.prune(olderThan: 0, keeping: 10) == 2)
  }

  @Test func aBackupHasTheJournal() throws {
    let number = try store.runs.record(draft())
    try store.runs.append([line(1)], toRun: number)
    try store.database.backup(to: folder.path + "/copy.db")
    let copy = try StoreFixture(at: .file(folder.path + "/copy.db"), StoreFixture.link).store
    #expect(try copy.runs.run(number)?.state == .interrupted)
    #expect(try copy.runs.lines(ofRun: number).count == 1)
  }

  @Test func whatARunGoesOnWithIsNotTakenBack() throws {
    let number = try store.runs.record(draft())
    try store.database.begin(WriteSession(), "0-nightly")
    try save("a", in: store)
    try store.database.endSession()
    #expect(throws: StoreError.self) { try store.changes.undo() }
    try store.runs.setState(.cancelled, ofRun: number)
    #expect(try store.changes.undo().count == 1)
  }

  @Test func aMissingPartIsFoundAndTheJournalBeginsAnew() throws {
    try save("a", in: store)
    let number = try store.runs.record(draft())
    try store.runs.append([line(1)], toRun: number)
    #expect(try store.database.check().isEmpty)
    try store.database.connection.run("DROP TABLE errand_journal")
    #expect(try another().database.check().map(\.kind) == [.init(.journal)])
    let repair = try another().database.repair()
    #expect(repair.left.isEmpty)
    #expect(repair.losses.count == 1)
    #expect(try another().runs.recorded(RunSelection(limit: 10)).isEmpty)
    #expect(try another().items.find(Query("Link")).count == 1)
    let store = try another()
    #expect(try store.runs.record(draft()) > 0)
  }

  @Test func linesOfNoRunAreFound() throws {
    let number = try store.runs.record(draft())
    try store.runs.append([line(1)], toRun: number)
    try store.database.connection.run("DELETE FROM errand_runs")
    #expect(try another().database.check().map(\.kind) == [.init(.journal)])
  }

  /// Rescues the store, and gives what became of the runs.
  private func rescue() throws -> (RecordRescue?, EntityStore) {
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

  @Test func aRescueTakesRunsAlong() throws {
    try save("a", in: store)
    let number = try store.runs.record(draft())
    try store.runs.append([line(1), line(2)], toRun: number)
    let over = try store.runs.record(draft())
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
    #expect(try copy.database.check() == [])
    #expect(try copy.runs.record(draft()) == over + 1)
  }

  @Test func aRunOfWhichLinesAreLostIsEndedByARescue() throws {
    try save("a", in: store)
    let number = try store.runs.record(draft())
    try store.runs.append([line(1)], toRun: number)
    try store.database.connection.run("UPDATE errand_journal SET data = '{'")
    let (result, copy) = try rescue()
    #expect(result?.saved == 1)
    #expect(result?.ended == 1)
    #expect(result?.isWhole == false)
    #expect(try copy.runs.run(number)?.state == .cancelled)
  }

  @Test func aRescueCountsRunsThatAreGone() throws {
    try save("a", in: store)
    _ = try store.runs.record(draft())
    try store.database.connection.run("DROP TABLE errand_runs")
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
  func aRunThatCannotGoOnIsToldAndEnded(_ damage: String) throws {
    try save("a", in: store)
    let number = try store.runs.record(draft())
    try store.runs.append([line(1), line(2)], toRun: number)
    let other = try store.runs.record(draft())
    try store.runs.setState(.done, ofRun: other)
    try store.database.connection.run("\(raw: damage)")
    let found = try another().database.check()
    #expect(found.map(\.kind) == [.run])
    #expect(found.first?.message.hasPrefix("run \(number) of `nightly` can't go on: ") == true)
    let repair = try another().database.repair()
    #expect(repair.left == [])
    #expect(repair.losses.count == 1)
    #expect(try another().runs.run(number)?.state == .cancelled)
    #expect(try another().runs.run(other)?.state == .done)
    #expect(try another().runs.lines(ofRun: number).count == 2)
  }
}
