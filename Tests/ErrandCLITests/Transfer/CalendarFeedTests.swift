import CEL
import Catalog
import DefinitionTesting
import Engine
import Items
import Store
import TestSupport
import Testing
import Worker

@testable import ErrandCLI

/// Calendars of a worker, in a world whose time passes only where a test says so.
@Suite struct CalendarFeedTests {
  private final class StillWorld: WorkerWorld {
    var now = Timestamp(seconds: 1_767_258_000)
    let isEnding = false
    let session: (boot: String, slept: Duration) = ("first", .zero)
    private let system = SystemWorld(home: nil, ending: Interrupt())

    func available() -> [Requirement] { [] }
    func wait(until time: Timestamp?, watching folders: [String], forMachine: Bool) {}
    func expanded(_ path: String) -> String { path }
    func files(in folder: String) -> [WatchedFile]? { system.files(in: folder) }
  }

  @Test func itFollowsFilesAndChangesAtOnce() throws {
    let sandbox = try Sandbox()
    func write(_ title: String) throws {
      try sandbox.write(
        """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        UID:\(title)
        SUMMARY:\(title)
        DTSTART:20260105T090000Z
        END:VEVENT
        END:VCALENDAR

        """, to: "work/\(title).ics")
    }
    try write("A")
    let host = try TestWorld(TestFakes()).host
    let workspace = Workspace(catalog: DefinitionCatalog(), host: host) {
      try Database(at: .memory, context: $0)
    }
    let session = try WorkerSession(workspace) { workspace, _ in
      Run(workspace, host: host, front: SilentFront(), answers: PresetAnswers())
    }
    let items = try session.makeRun(workspace, nil).store(for: "Event").items
    try session.store.calendars.put(
      .init(name: "Work", place: sandbox.path + "/work", isReadOnly: false, takesTasks: false))
    let world = StillWorld()
    let feed = CalendarFeed()
    let log = WorkerLog(isJSON: false, now: { world.now }, write: nil)
    /// Looks some seconds later; returns the seconds until the next look, and the titles.
    func look(after seconds: Int64, hasFileNews: Bool = false) throws -> (Int64?, String) {
      world.now = Timestamp(seconds: world.now.seconds + seconds)
      let next = try feed.look(session, world, hasFileNews: hasFileNews, log)
      let titles = try items.find(Query("Event", sort: [SortKey("title")])).compactMap {
        $0.field("title")?.text
      }
      return (next.map { $0.seconds - world.now.seconds }, titles.joined())
    }
    #expect(try look(after: 0) == (60, "A"))
    #expect(feed.folders == [sandbox.path + "/work"])
    try write("B")
    #expect(try look(after: 10) == (50, "A"))
    #expect(try look(after: 10, hasFileNews: true) == (40, "AB"))
    // Soon after a sync, the next one waits.
    try write("C")
    #expect(try look(after: 1, hasFileNews: true) == (1, "AB"))
    #expect(try look(after: 1) == (38, "ABC"))
    // A change here is written; other entities are of no matter.
    _ = try items.update(ItemReference(entity: "Event", id: 1), set: [("title", .string("Z"))])
    #expect(try look(after: 10) == (60, "BCZ"))
    #expect(sandbox.read("work/A.ics")?.contains("SUMMARY:Z") == true)
    try write("D")
    let notes = try session.makeRun(workspace, nil).store(for: "Note").items
    _ = try notes.create("Note", set: [("text", .string("Note"))])
    #expect(try look(after: 10) == (50, "BCZ"))
    #expect(try look(after: 50) == (60, "BCDZ"))
  }
}
