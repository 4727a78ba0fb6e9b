import CEL
import Engine
import FoundationEssentials
import Items
import Program
import Store
import Synchronization
import Testing
import Worker

/// Tasks that repeat and remind, for a year of simulated time.
@Suite struct YearTests {
  private static let yaml = """
    automation: remember
    on: [{due: Task, reminders: remind, where: '!self.done'}]
    steps:
      - log: '{{ trigger.item.title }} {{ trigger.time.format("yyyy-MM-dd HH:mm") }}{{ trigger.missed ? " missed" : "" }}'
      - update: {item: '{{ trigger.item }}', set: {done: true}}
        when: trigger.item.due != null && (trigger.time == trigger.item.due || trigger.item.due.time() == null)

    """

  /// From 1 July 2027, so that both clock changes and 29 February are in it.
  private static let start = CivilDate(year: 2027, month: 7, day: 1)
  private static let days = 366

  /// Clocks that change at night, at midnight (Cairo), by half an hour (Lord Howe) and never.
  @Test(arguments: [
    "Europe/Berlin", "America/New_York", "Africa/Cairo", "Australia/Lord_Howe", "Asia/Tokyo",
  ])
  func eachReminderIsToldOnceAtItsTime(_ zone: String) throws {
    let memory = "/dev/shm"
    let isWritable = FileManager.default.isWritableFile(atPath: memory)
    let base = isWritable ? memory : FileManager.default.temporaryDirectory.path
    let folder = base + "/errand-year-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let first = try #require(Self.start)
    let clock = LocalClock { .named(zone) ?? .utc }
    func moment(_ day: CivilDate, _ hour: Int, _ minute: Int = 0) -> Timestamp {
      clock.moment(of: CivilTime(date: day, secondOfDay: hour * 3_600 + minute * 60))
    }
    var bench = WorkerBench(Self.yaml, at: folder + "/library.db", from: moment(first, 0).text)
    bench.zone = zone
    let session = try bench.session()
    let items = try session.makeRun(session.workspace, nil).store(for: "Task").items
    func add(_ title: String, _ due: Timestamp, _ rule: String, _ reminders: [Value]) throws {
      _ = try items.create(
        "Task",
        set: [
          ("title", .string(title)), ("due", .timestamp(due)), ("repeat", .string(rule)),
          ("remind", .list(reminders)),
        ])
    }
    try add("Daily", moment(first, 17), "every day", ["15m before", "at due"])
    try add("Night", moment(first, 2, 30), "every day", ["at due"])
    try add("Rent", clock.start(of: first.adding(days: 30)), "every month on last", ["1d before"])
    try add("Leap", clock.start(of: first), "every year on 29 feb", ["at due"])

    // Each fortieth day the machine sleeps from noon to midnight; every eleventh the worker is killed.
    var slept: Set<Int> = []
    for day in 0..<Self.days {
      let date = first.adding(days: day)
      if day % 40 == 20 {
        slept.insert(day)
        try Self.work(bench, until: moment(date, 12))
        bench.world.state.microseconds.withLock { $0 = moment(date, 23, 59).microseconds }
      } else if day % 11 == 0 {
        try Self.work(bench, until: moment(date, 16, 50))
      }
    }
    try Self.work(bench, until: moment(first.adding(days: Self.days), 0))

    var told: [String: [String]] = [:]
    for line in bench.effects {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      told[words[0], default: []].append(words[1])
    }
    var daily: [String] = []
    var night: [String] = []
    for day in 0..<Self.days {
      let date = first.adding(days: day)
      // A time that the clocks skip is as much later as they jump.
      night.append(Self.text(moment(date, 2, 30), clock))
      if slept.contains(day) {
        daily.append(Self.text(moment(date, 17), clock) + " missed")
      } else {
        daily += [moment(date, 16, 45), moment(date, 17)].map { Self.text($0, clock) }
      }
    }
    #expect(told["Daily"] == daily)
    #expect(told["Night"] == night)
    #expect(told["Rent"]?.count == 12)
    #expect(told["Leap"]?.last == "2028-02-29 09:00")
  }

  private static func text(_ moment: Timestamp, _ clock: LocalClock) -> String {
    let time = clock.time(at: moment)
    return "\(time.date.iso8601) \(TimeOfDay.text(ofSecond: time.secondOfDay))"
  }

  /// Runs a new worker until a time.
  private static func work(_ bench: WorkerBench, until end: Timestamp) throws {
    bench.world.end = end.microseconds
    bench.world.isEnding = false
    try bench.worker().run()
  }
}
