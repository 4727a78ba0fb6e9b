import CEL
import Engine
import FoundationEssentials
import Items
import POSIX
import Source
import Store
import Synchronization
import Testing
import Worker

/// Triggers of automations, in simulated time.
@Suite struct TriggerTests {
  private let path: String
  private static let start = Timestamp(rfc3339: "2026-11-22T08:00:00Z") ?? Timestamp(seconds: 0)

  init() throws {
    let folder =
      FileManager.default.temporaryDirectory.path + "/errand-trigger-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    path = folder + "/library.db"
  }

  private func bench(_ yaml: String) -> WorkerBench {
    WorkerBench(yaml, at: path, from: "2026-11-22T08:00:00Z")
  }

  /// Runs a new worker for some hours, with actions at hours from now.
  private func work(
    _ bench: WorkerBench, hours: Int64, _ actions: [(hour: Double, action: () throws -> Void)] = []
  ) throws {
    let now = bench.world.now.microseconds
    bench.world.events = actions.map { (now + Int64($0.hour * 3_600_000_000), $0.action) }
    bench.world.end = now + hours * 3_600_000_000
    bench.world.isEnding = false
    try bench.worker().run()
  }

  private func items(_ bench: WorkerBench) throws -> ItemStore {
    let session = try bench.session()
    return try session.makeRun(session.workspace, nil).store(for: "Link").items
  }

  private func add(_ name: String, _ state: String, _ bench: WorkerBench) throws {
    _ = try items(bench).create(
      "Link",
      set: [("url", .string("https://\(name).example")), ("reading", .string(state))])
  }

  private func set(_ id: Int64, _ state: String, _ bench: WorkerBench) throws {
    _ = try items(bench).update(
      ItemReference(entity: "Link", id: id), set: [("reading", .string(state))])
  }

  // MARK: for

  private static let waiting = """
    automation: unread
    on: [{changed: Link, where: self.reading == "unread", for: 7d}]
    steps: [{log: '{{ trigger.item.url.host() }} {{ trigger.item.title }} {{ now().format("d HH:mm") }}'}]

    """

  @Test func conditionMustHoldForSoLong() throws {
    let bench = bench(Self.waiting)
    try work(
      bench, hours: 24 * 20,
      [
        (1, { try add("kept", "unread", bench) }),
        (2, { try add("read", "unread", bench) }),
        (3, { try add("later", "read", bench) }),
        (100, { try set(2, "read", bench) }),
        // Another change does not begin the time anew, and the item is told as it is then.
        (
          110,
          {
            _ = try items(bench).update(
              ItemReference(entity: "Link", id: 1), set: [("title", .string("New"))])
          }
        ),
        (120, { try set(3, "unread", bench) }),
        // Read and unread again: the time begins anew.
        (130, { try set(2, "unread", bench) }),
      ])
    #expect(
      bench.effects == [
        "kept.example New 29 10:00", "later.example  4 09:00", "read.example  4 19:00",
      ])
  }

  @Test func itIsHeldOverRestartsAndSleep() throws {
    let bench = bench(Self.waiting)
    try work(
      bench, hours: 2,
      [(1, { try add("a", "unread", bench) }), (1.5, { try add("b", "unread", bench) })])
    try work(bench, hours: 24)
    // Nobody works for eight days, in which one is read.
    bench.world.state.microseconds.withLock { $0 += 8 * 86_400_000_000 }
    try set(2, "read", bench)
    try work(bench, hours: 1)
    #expect(bench.effects.map { $0.prefix(9) } == ["a.example"])
    try work(bench, hours: 24 * 10)
    #expect(bench.effects.count == 1)
  }

  @Test func itEndsWithItsAutomationAndItsItem() throws {
    let bench = bench(Self.waiting)
    try work(
      bench, hours: 2,
      [(1, { try add("a", "unread", bench) }), (1.5, { try add("b", "unread", bench) })])
    _ = try items(bench).delete(ItemReference(entity: "Link", id: 1))
    try work(bench, hours: 1)
    let store = try bench.session().store
    #expect(
      try store.jobs.all(JobSelection(states: [.waiting])).compactMap(\.key).map(\.last) == ["2"])
    var other = WorkerBench("shortcut: other\nsteps: []", at: path)
    other.zone = bench.zone
    try other.worker(isOnce: true).run()
    #expect(try store.jobs.all(JobSelection(states: [.waiting])).isEmpty)
  }

  @Test func itEndsBetweenTwoTimes() throws {
    let bench = bench(
      """
      automation: unread
      on:
        - changed: Link
          where: self.reading == "unread"
          for: 12h
          between: ['08:00', '20:00']
      steps: [{log: '{{ trigger.item.url.host() }} {{ now().format("d HH:mm") }}'}]

      """)
    try work(
      bench, hours: 48,
      [(1, { try add("night", "unread", bench) }), (12, { try add("day", "unread", bench) })])
    #expect(bench.effects == ["day.example 23 09:00"])
  }

  // MARK: Events

  private static let events = """
    automation: tell
    on:
      - event: {before: 10m}
      - {due: Event, property: end, where: self.title == "Moved", id: over}
    steps:
      - log: >-
          {{ trigger.id }} {{ trigger.item.title }} {{ trigger.item.start.format("d", " HH:mm") }}
          at {{ now().format("d HH:mm") }}{{ trigger.missed ? " missed" : "" }}

    """

  /// A series in New York that leaves out a day, moves one, and adds one.
  private static let series = """
    BEGIN:VEVENT
    UID:1
    SUMMARY:Daily
    DTSTART;TZID=America/New_York:20261123T090000
    DTEND;TZID=America/New_York:20261123T093000
    RRULE:FREQ=DAILY;COUNT=6
    EXDATE;TZID=America/New_York:20261125T090000
    RDATE;TZID=America/New_York:20261201T100000
    END:VEVENT
    BEGIN:VEVENT
    UID:1
    RECURRENCE-ID;TZID=America/New_York:20261126T090000
    SUMMARY:Moved
    DTSTART;TZID=America/New_York:20261126T150000
    DTEND;TZID=America/New_York:20261126T153000
    END:VEVENT

    """

  @Test func eachOccurrenceOfAnEventFiresOnce() throws {
    let bench = bench(Self.events)
    func events() throws -> ItemStore {
      let session = try bench.session()
      return try session.makeRun(session.workspace, nil).store(for: "Event").items
    }
    func moment(_ text: String) -> Value {
      Timestamp(rfc3339: text).map { .timestamp($0) } ?? .null
    }
    func set(_ id: Int64, _ name: String, _ value: Value) throws {
      _ = try events().update(ItemReference(entity: "Event", id: id), set: [(name, value)])
    }
    func add() throws {
      // Ids are made of the time and the random bytes of a session.
      let events = try events()
      _ = try events.create(
        "Event",
        set: [
          ("title", .string("Daily")), ("start", moment("2026-11-23T14:00:00Z")),
          ("end", moment("2026-11-23T14:30:00Z")), ("zone", .string("America/New_York")),
          ("repeat", .string("every day 6 times except 2026-11-25")),
          ("ical", .string(Self.series)),
        ])
      // Midnight in Vienna.
      _ = try events.create(
        "Event",
        set: [
          ("title", .string("Fair")), ("start", moment("2026-11-23T23:00:00Z")),
          ("allDay", .bool(true)),
        ])
      _ = try events.create(
        "Event", set: [("title", .string("Call")), ("start", moment("2026-11-23T11:00:00Z"))])
      // What is past is not told.
      _ = try events.create(
        "Event", set: [("title", .string("Past")), ("start", moment("2026-11-22T08:35:00Z"))])
    }
    try work(
      bench, hours: 50,
      [(0.5, add), (28, { try set(3, "start", moment("2026-11-24T11:00:00Z")) })])
    try work(bench, hours: 70, [(9, { try set(1, "title", .string("Stand-up")) })])
    // Nobody works for a day and a half, in which two occurrences pass.
    bench.world.state.microseconds.withLock { $0 += 33 * 3_600_000_000 }
    try work(bench, hours: 120)
    #expect(
      bench.effects == [
        "event Call 23 12:00 at 23 11:50", "event Daily 23 15:00 at 23 14:50",
        "event Fair 24 at 24 08:50", "event Call 24 12:00 at 24 11:50",
        "event Daily 24 15:00 at 24 14:50", "event Moved 26 21:00 at 26 20:50",
        "over Moved 26 21:00 at 26 21:30", "event Stand-up 28 15:00 at 28 18:00 missed",
        "event Stand-up 1 16:00 at 1 15:50",
      ])
  }

  // MARK: Machine

  @Test func theMachineStartsWakesAndConnects() throws {
    let bench = bench(
      """
      automation: tell
      on: [start, resume, online, {offline: true, id: gone}]
      steps: [{log: '{{ trigger.id }} {{ now().format("HH:mm") }}'}]

      """)
    // The first worker notes how things are.
    try work(bench, hours: 1)
    #expect(bench.effects == [])
    try work(
      bench, hours: 10,
      [
        (1, { bench.world.session.slept = .seconds(600) }),
        // The clocks are not read at the same instant.
        (1.5, { bench.world.session.slept += .milliseconds(900) }),
        (1.7, { bench.world.session.slept -= .milliseconds(900) }),
        (2.5, { bench.world.missing = [.network] }),
        (3.5, { bench.world.missing = [] }),
      ])
    #expect(bench.effects == ["resume 11:00", "gone 12:30", "online 13:30"])
    bench.world.session = ("second", .zero)
    try work(bench, hours: 1)
    try work(bench, hours: 1)
    #expect(bench.effects.dropFirst(3) == ["start 20:00"])
  }

  // MARK: Windows and days

  @Test func firesOnlyBetweenTwoTimes() throws {
    let bench = bench(
      """
      automation: day
      on: [{every: 3h, between: ['08:00', '20:00']}]
      steps: [{log: 'day {{ trigger.time.format("HH:mm") }}'}]
      ---
      automation: night
      on: [{changed: Link, between: ['22:00', '06:00']}]
      steps: [{log: 'night {{ trigger.time.format("HH:mm") }}'}]

      """)
    try add("a", "unread", bench)
    try work(
      bench, hours: 25,
      [(12, { try set(1, "read", bench) }), (15, { try set(1, "unread", bench) })])
    #expect(
      bench.effects == [
        "day 09:00", "day 12:00", "day 15:00", "day 18:00", "night 00:00", "day 09:00",
      ])
  }

  @Test func firstEventOfADayCounts() throws {
    let bench = bench(
      """
      automation: daily
      once: day
      on: [{changed: Link}, {every: 5h}]
      steps: [{log: '{{ trigger.kind }} {{ now().format("d HH:mm") }}'}]

      """)
    try add("a", "unread", bench)
    try work(bench, hours: 20, [(2, { try set(1, "read", bench) })])
    // Another worker knows of it.
    try work(bench, hours: 24, [(2, { try set(1, "unread", bench) })])
    #expect(bench.effects == ["every 22 09:00", "every 23 00:00", "every 24 01:00"])
  }

  // MARK: Webhooks

  private static let hook = """
    automation: deployed
    on: [{webhook: deploy, body: {status: string, runs: int, at: 'timestamp?'}}]
    steps:
      - log: '{{ trigger.body.status }} {{ trigger.body.runs + 1 }} {{ trigger.body.at == null }}'
    ---
    automation: any
    on: [{webhook: anything, between: ['06:00', '12:00']}]
    steps: [{log: '{{ trigger.body.a[0] }}'}]

    """

  private static func map(_ fields: KeyValuePairs<String, Value>) -> Value {
    .map(MapValue(fields.map { ($0, $1) }))
  }

  private func receive(
    _ name: String, _ body: Value, _ bench: WorkerBench, _ session: WorkerSession? = nil,
    access: [String: String] = ["deployed": "[]", "any": "[]"]
  ) throws -> [Int64] {
    let log = WorkerLog(isJSON: false, now: { bench.world.now }, write: nil)
    return try AutomationFeed(try session ?? bench.session(), bench.world, log)
      .receive(name, body: body, holdingTo: access)
  }

  @Test func requestsTriggerWithTheirBody() throws {
    let bench = bench(Self.hook)
    let body = Self.map(["status": "green", "runs": "2"])
    // Equal requests are two.
    let session = try bench.session()
    #expect(try receive("deploy", body, bench, session).count == 1)
    #expect(try receive("deploy", body, bench, session).count == 1)
    #expect(try receive("anything", Self.map(["a": .list([.int(7)])]), bench).count == 1)
    bench.world.state.microseconds.withLock { $0 += 6 * 3_600_000_000 }
    #expect(try receive("anything", .null, bench) == [])
    try bench.worker(isOnce: true).run()
    #expect(bench.effects.sorted() == ["7", "green 3 true", "green 3 true"])
    let jobs = try bench.session().store.jobs.all()
    #expect(jobs.allSatisfy { $0.permissions == "[]" && $0.state == .done })
  }

  @Test(arguments: [
    (Value.null, "the body has no fields"),
    (Self.map(["status": "a"]), "the body lacks `runs`"),
    (Self.map(["status": "a", "runs": "x"]), "`runs`"),
    (Self.map(["status": "a", "runs": 1, "more": 2]), "`more`"),
  ]) func bodyMustFit(body: Value, message: String) throws {
    let bench = bench(Self.hook)
    let error = #expect(throws: RunError.self) { _ = try receive("deploy", body, bench) }
    #expect(
      error?.code == .invalidValue && error?.message.contains(message) == true,
      "\(error?.message ?? "")")
    #expect(try bench.session().store.jobs.all().isEmpty)
  }

  @Test func whatWasNotAllowedIsNotTriggered() throws {
    let bench = bench(Self.hook)
    let body = Self.map(["status": "green", "runs": 2])
    #expect(throws: RunError.self) { try receive("deploy", body, bench, access: [:]) }
    #expect(throws: RunError.self) { try receive("other", body, bench) }
  }
}
