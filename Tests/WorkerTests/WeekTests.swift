import CEL
import CLinux
import Engine
import FoundationEssentials
import Items
import Store
import Testing
import Worker

/// Workers running for a week of simulated time.
@Suite struct WeekTests {
  /// The number of jobs in the week; `ERRAND_WEEK` sets a higher one for a run of this test alone.
  private static let wanted = ProcessInfo.processInfo.environment["ERRAND_WEEK"].flatMap { Int($0) }
  private static let jobs = wanted ?? 1_000

  private static let yaml = """
    automation: morning
    on: [{at: '02:30'}]
    steps: [{log: 'morning {{ trigger.time.format("MM-dd HH:mm") }}'}]
    ---
    automation: by-cron
    on: [{cron: '30 2 * * *'}]
    steps: [{log: 'cron {{ trigger.time.format("MM-dd HH:mm") }}'}]
    ---
    automation: daily
    on: [{every: {days: 1, at: '02:30'}}]
    steps: [{log: 'daily {{ trigger.time.format("MM-dd HH:mm") }}'}]
    ---
    automation: sync
    on: {every: 6h}
    requires: [network]
    steps: [{log: sync}]
    ---
    automation: taken-in
    on: {created: Task}
    steps: [{log: 'task {{ trigger.item.title }}'}]
    ---
    shortcut: small
    input: {type: int}
    steps: [{log: 'job {{ input }}'}]
    ---
    shortcut: remote
    input: {type: int}
    steps: [{log: 'remote {{ input }}'}]

    """

  /// A week in Vienna that contains a clock change.
  struct Week: CustomTestStringConvertible, Sendable {
    let name: String
    let start: String
    /// The time 2:30, or its replacement on the day on which it does not exist.
    let mornings: [String]
    var testDescription: String { name }
  }

  static let weeks = [
    Week(
      name: "clocks go forward on 29 March", start: "2026-03-26T12:00:00Z",
      mornings: [
        "03-27 02:30", "03-28 02:30", "03-29 03:30", "03-30 02:30", "03-31 02:30", "04-01 02:30",
        "04-02 02:30",
      ]),
    Week(
      name: "clocks go back on 25 October", start: "2026-10-22T12:00:00Z",
      mornings: [
        "10-23 02:30", "10-24 02:30", "10-25 02:30", "10-26 02:30", "10-27 02:30", "10-28 02:30",
        "10-29 02:30",
      ]),
  ]

  /// The network is down for a day, and again for an hour; the clock is set back by two hours and
  /// forward again; the worker is restarted three times.
  @Test(arguments: weeks) func everyJobOfTheWeekRunsExactlyOnce(_ week: Week) throws {
    // Nothing needs to be durable, so use memory instead of a disk if possible.
    let memory = "/dev/shm"
    let isWritable = FileManager.default.isWritableFile(atPath: memory)
    let base = isWritable ? memory : FileManager.default.temporaryDirectory.path
    let folder = base + "/errand-week-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let bench = WorkerBench(Self.yaml, at: folder + "/library.db", from: week.start)
    let session = try bench.session()
    let make = session.makeRun(session.workspace, nil)
    let hour: Int64 = 3_600_000_000
    let start = bench.world.now.microseconds
    let span = 7 * 24 * hour
    func at(_ time: Int64, _ action: @escaping () throws -> Void) {
      bench.world.events.append((start + time, action))
    }
    // Only changes after the first check count.
    try bench.worker(isOnce: true).run()
    for index in 0..<Self.jobs {
      let isRemote = index % 10 == 0
      at(hour + Int64(index) * (span - 2 * hour) / Int64(Self.jobs)) {
        var job = NewJob(
          handler: isRemote ? "remote" : "small", input: "\(index)", origin: "test")
        if isRemote { job.requires = [.network] }
        _ = try session.store.jobs.enqueue(job)
        guard index % 50 == 0 else { return }
        _ = try make.store(for: "Task").items.create("Task", set: [("title", .string("\(index)"))])
      }
    }
    at(49 * hour) { bench.world.missing = [.network] }
    at(73 * hour) { bench.world.missing = [] }
    at(100 * hour) { bench.world.missing = [.network] }
    at(101 * hour) { bench.world.missing = [] }
    at(120 * hour) { bench.world.set(back: 2 * hour) }
    at(125 * hour) { bench.world.set(back: -2 * hour) }
    for day in [1, 3, 5] { at(Int64(day) * 24 * hour + 7) { bench.world.isEnding = true } }
    bench.world.end = start + span
    // The memory of a worker after warming up, and at the end.
    var sizes: [Int] = []
    for part in [2, 6] {
      at(Int64(part) * 24 * hour) {
        // A worker does not keep its log lines; those that the test keeps must not count.
        bench.lines.all.removeAll()
        sizes.append(errand_allocated_bytes())
      }
    }
    while bench.world.now.microseconds < start + span {
      bench.world.isEnding = false
      try bench.worker().run()
    }
    let effects = bench.effects
    func of(_ word: String) -> [String] { effects.filter { $0.hasPrefix(word + " ") } }
    for word in ["morning", "cron", "daily"] {
      #expect(of(word) == week.mornings.map { "\(word) \($0)" })
    }
    #expect(
      of("job").sorted() == (0..<Self.jobs).filter { $0 % 10 != 0 }.map { "job \($0)" }.sorted())
    #expect(
      of("remote").sorted()
        == (0..<Self.jobs).filter { $0 % 10 == 0 }.map { "remote \($0)" }.sorted())
    #expect(
      of("task").sorted() == (0..<Self.jobs).filter { $0 % 50 == 0 }.map { "task \($0)" }.sorted())
    // One job every six hours; those in the long outage are made up for once.
    let syncs = effects.filter { $0 == "sync" }.count
    #expect((24...28).contains(syncs), "\(syncs)")
    #expect(try session.store.jobs.all(JobSelection(states: [.dead, .running, .waiting])).isEmpty)
    // It waits for events and times instead of polling every second.
    #expect(bench.world.waits < Self.jobs * 4 + 4_000, "\(bench.world.waits)")
    let growth = (sizes.last ?? 0) - (sizes.first ?? 0)
    print(
      "a week: \(Self.jobs) jobs, \(bench.world.waits) waits, \(growth >> 10) KiB more at its end")
    // A job leaves no memory behind, except for its word among the effects that the test counts.
    // All tests of a process share a heap, so this is checked only if the test runs alone; the
    // memory of a real worker process is checked by the test of many pages.
    if Self.wanted != nil { #expect(growth < 1 << 20 + Self.jobs * 64, "\(growth)") }
  }
}
