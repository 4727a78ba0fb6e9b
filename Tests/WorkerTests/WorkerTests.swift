import CEL
import Catalog
import Engine
import FoundationEssentials
import Items
import JSON
import Program
import Source
import Store
import Testing
import Worker

/// Workers that run jobs and automations, in simulated time.
@Suite struct WorkerTests {
  private let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/errand-worker-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    path = folder + "/library.db"
  }

  private func bench(_ yaml: String, from start: String = "2026-11-22T08:00:00Z") -> WorkerBench {
    WorkerBench(yaml, at: path, from: start)
  }

  private func run(_ name: String, _ bench: WorkerBench) throws {
    let session = try bench.session()
    _ = try session.makeRun(session.workspace, nil).perform(name, [:])
  }

  @Test func jobRunsWithItsInput() throws {
    let bench = bench(
      """
      shortcut: put-in
      steps:
        - create: {entity: Task, set: {title: A, due: '2026-12-01'}}
          as: task
        - enqueue: {name: work, input: '{{ task }}', with: {note: '{{ [1, 2] }}'}}
      ---
      shortcut: work
      input: {type: Task}
      parameters: {note: {type: 'list<int>'}}
      steps:
        - log: '{{ input.title }} {{ input.?due.orValue(now()).format("yyyy-MM-dd") }} {{ size(note) }}'
      """)
    try run("put-in", bench)
    let worker = bench.worker(isOnce: true)
    try worker.run()
    #expect(bench.effects == ["A 2026-12-01 2"])
    #expect(worker.summary.done == 1)
    #expect(try bench.session().store.jobs.all().map(\.state) == [.done])
  }

  @Test func failedJobIsRetriedAndThenGivenUp() throws {
    let bench = bench(
      """
      shortcut: put-in
      steps: [{enqueue: {name: work}}]
      ---
      shortcut: work
      steps:
        - log: '{{ now().format("HH:mm") }}'
        - fail: no
      """)
    try run("put-in", bench)
    try bench.worker().run()
    #expect(bench.effects == ["09:00", "09:15", "10:15", "14:15"])
    let job = try #require(try bench.session().store.jobs.all().first)
    #expect(job.state == .dead)
    #expect(job.error == "no [failed]")
  }

  @Test func permanentErrorIsNotRetried() throws {
    let bench = bench(
      """
      shortcut: put-in
      steps: [{enqueue: {name: work}}]
      ---
      shortcut: work
      steps: [{ask: {prompt: 'What?', type: string}}]
      """)
    try run("put-in", bench)
    try bench.worker().run()
    #expect(try bench.session().store.jobs.all().map(\.failures) == [1])
    #expect(try bench.session().store.jobs.all().map(\.state) == [.dead])
  }

  @Test func jobWithoutAHandlerIsKeptWithItsReason() throws {
    let bench = bench("shortcut: other\nsteps: []")
    let store = try bench.session().store
    _ = try store.jobs.enqueue(NewJob(handler: "gone", origin: "test", retry: JobRetry(times: 0)))
    try bench.worker(isOnce: true).run()
    let job = try #require(try store.jobs.all().first)
    #expect(job.state == .dead)
    #expect(job.error.contains("there is no intent or shortcut `gone`"))
  }

  @Test func missingNetworkDoesNotCountAsAttempt() throws {
    let bench = bench(
      """
      shortcut: work
      steps: [{http: 'https://example.com'}]
      """)
    let store = try bench.session().store
    let number = try #require(try store.jobs.enqueue(NewJob(handler: "work", origin: "test")))
    bench.world.missing = [.network]
    try bench.worker(isOnce: true).run()
    let job = try #require(try store.jobs.job(number))
    #expect(job.state == .waiting)
    #expect(job.failures == 0)
    #expect(job.requires == [.network])
  }

  /// The machine has a route and no network for 40 minutes.
  @Test func oneJobAtATimeTriesANetworkThatIsAway() throws {
    let bench = bench(
      """
      shortcut: work
      parameters: {end: {type: timestamp}}
      steps:
        - log: '{{ now().format("HH:mm") }}'
        - fail: {message: away, code: network, data: {outage: true}}
          when: now() < end
      """)
    let store = try bench.session().store
    let end = Timestamp(seconds: bench.world.now.seconds + 40 * 60).jsonText
    for _ in 0..<4 {
      var job = NewJob(handler: "work", arguments: #"{"end":"\#(end)"}"#, origin: "test")
      job.requires = [.network]
      _ = try store.jobs.enqueue(job)
    }
    try bench.worker().run()
    #expect(
      bench.effects == ["09:00", "09:01", "09:03", "09:07", "09:15", "09:30"]
        + Array(repeating: "09:45", count: 4))
    #expect(try store.jobs.all().allSatisfy { $0.state == .done && $0.failures == 0 })
  }

  @Test func durableJobResumesAfterAWorkerCrash() throws {
    let bench = bench(
      """
      shortcut: work
      durable: true
      steps:
        - log: first
        - wait: 1h
        - log: second
      """)
    let session = try bench.session()
    let number = try #require(
      try session.store.jobs.enqueue(NewJob(handler: "work", origin: "test")))
    // Like SIGTERM: the run is suspended while waiting, and the job is put back.
    let interrupt = Interrupt()
    interrupt.set(isTermination: true)
    let ending = try bench.session(interrupt)
    let log = WorkerLog(isJSON: false, now: { bench.world.now }, write: { _ in })
    let job = try #require(try ending.store.jobs.take())
    _ = try JobRunner(ending, bench.world, log).perform(job)
    #expect(try session.store.jobs.job(number)?.state == .waiting)
    #expect(try session.store.jobs.job(number)?.failures == 0)
    try bench.worker(isOnce: true).run()
    #expect(try session.store.jobs.job(number)?.state == .done)
    #expect(bench.effects.filter { $0 == "first" }.count <= 1 || bench.effects.count == 3)
    #expect(bench.effects.last == "second")
  }

  // MARK: Automations

  @Test func changesTriggerWithBeforeAndAfter() throws {
    let bench = bench(
      """
      automation: next-of-a-series
      on:
        - changed: Task
          was: '!self.done'
          where: self.done
      steps:
        - log: '{{ trigger.before.done }} {{ trigger.item.done }} {{ trigger.item.title }} {{ trigger.id }}'
      """)
    let session = try bench.session()
    let worker = bench.worker(isOnce: true)
    try worker.run()
    let make = session.makeRun(session.workspace, nil)
    let store = try make.store(for: "Task")
    let a = try #require(try store.items.create("Task", set: [("title", .string("A"))]).id)
    _ = try store.items.create("Task", set: [("title", .string("B")), ("done", .bool(true))])
    _ = try store.items.update(
      ItemReference(entity: "Task", id: a), set: [("done", .bool(true))])
    _ = try store.items.update(
      ItemReference(entity: "Task", id: a), set: [("title", .string("C"))])
    try bench.worker(isOnce: true).run()
    // The item has the state after that change, regardless of later ones.
    #expect(bench.effects == ["false true A changed"])
    try bench.worker(isOnce: true).run()
    #expect(bench.effects.count == 1)
  }

  @Test func selfTriggeringAutomationIsStopped() throws {
    let bench = bench(
      """
      automation: again
      on: {changed: Counter}
      steps:
        - update: {item: '{{ trigger.item }}', set: {count: '{{ trigger.item.count + 1 }}'}}
      """)
    let session = try bench.session()
    try bench.worker(isOnce: true).run()
    let store = try session.makeRun(session.workspace, nil).store(for: "Counter")
    let id = try #require(
      try store.items.create("Counter", set: [("name", .string("n")), ("count", .int(0))]).id)
    _ = try store.items.update(ItemReference(entity: "Counter", id: id), set: [("count", .int(1))])
    try bench.worker(isOnce: true).run()
    let jobs = try session.store.jobs.all()
    #expect(jobs.count { $0.state == .done } == 3)
    let dead = try #require(jobs.first { $0.state == .dead })
    #expect(dead.error.contains("has triggered itself 3 times"))
  }

  @Test func changesAreNotPrunedBeforeTheyAreRead() throws {
    let bench = bench(
      """
      automation: count
      on: {created: Task}
      steps: [{log: '{{ trigger.item.title }}'}]
      """)
    let session = try bench.session()
    try bench.worker(isOnce: true).run()
    let store = try session.makeRun(session.workspace, nil).store(for: "Task")
    for number in 1...20 {
      _ = try store.items.create("Task", set: [("title", .string("\(number)"))])
    }
    try store.changes.prune(keeping: 1)
    try bench.worker(isOnce: true).run()
    #expect(bench.effects == (1...20).map(String.init))
  }

  @Test func severalWorkersEnqueueEachJobOnce() throws {
    let bench = bench(
      """
      automation: count
      on: [{created: Task}, {every: 1h}]
      steps: [{log: '{{ trigger.kind }}'}]
      """)
    let session = try bench.session()
    let workers = (0..<3).map { _ in bench.worker(isOnce: true) }
    for worker in workers { try worker.run() }
    let store = try session.makeRun(session.workspace, nil).store(for: "Task")
    _ = try store.items.create("Task", set: [("title", .string("A"))])
    for worker in workers { try worker.run() }
    #expect(bench.effects.sorted() == ["created", "every"])
  }

  @Test func newFilesTriggerAndExistingOnesDoNot() throws {
    let bench = bench(
      """
      automation: take-in
      on: {file: /in, match: '*.pdf'}
      steps: [{log: '{{ trigger.path }}'}]
      """)
    func file(_ name: String, _ size: Int64 = 1) -> WatchedFile {
      WatchedFile(name: name, size: size, modified: Timestamp(seconds: size))
    }
    bench.world.folders["/in"] = [file("old.pdf")]
    try bench.worker(isOnce: true).run()
    bench.world.folders["/in"] = [file("new.pdf"), file("new.txt"), file("old.pdf")]
    try bench.worker(isOnce: true).run()
    bench.world.folders["/in"] = [file("new.pdf"), file("old.pdf", 2)]
    try bench.worker(isOnce: true).run()
    #expect(bench.effects == ["/in/new.pdf", "/in/old.pdf"])
    // A move that is undone brings back the file that was handled.
    bench.world.folders["/in"] = [file("old.pdf", 2)]
    try bench.worker(isOnce: true).run()
    bench.world.folders["/in"] = [file("new.pdf"), file("old.pdf", 2)]
    try bench.worker(isOnce: true).run()
    #expect(bench.effects == ["/in/new.pdf", "/in/old.pdf"])
    bench.world.folders["/in"] = [file("new.pdf", 3), file("old.pdf", 2)]
    try bench.worker(isOnce: true).run()
    #expect(bench.effects == ["/in/new.pdf", "/in/old.pdf", "/in/new.pdf"])
  }

  /// Every minute for six hours: three failures, then rests of 1, 2, 4 … 60 minutes.
  @Test func automationThatFailsEachTimeRestsAndIsOneJob() throws {
    let bench = bench(
      """
      automation: health
      on: {every: 1m}
      retry: 0
      steps:
        - log: '{{ now().format("HH:mm") }}'
        - fail: no
          when: now() < timestamp("2026-11-22T14:00:00Z")
      """)
    let worker = bench.worker()
    var told: [String] = []
    worker.didBeginFailing = { _, job, reason in told.append("\(job.handler): \(reason)") }
    bench.world.end = bench.world.now.microseconds + 7 * 3_600_000_000
    try worker.run()
    let failed = bench.effects.prefix { $0 < "15:00" }
    #expect(
      failed == [
        "09:00", "09:01", "09:02", "09:03", "09:05", "09:09", "09:17", "09:33", "10:05", "11:05",
        "12:05", "13:05", "14:05",
      ])
    // Its first success ends the rests.
    #expect(bench.effects.dropFirst(failed.count).prefix(2) == ["15:05", "15:06"])
    #expect(told == ["health: no [failed]"])
    let dead = try bench.session().store.jobs.all(JobSelection(states: [.dead]))
    #expect(dead.map(\.failures) == [13])
  }

  @Test func disabledAndInvalidAutomationsDoNotRun() throws {
    let bench = bench(
      """
      automation: resting
      enabled: false
      on: {every: 1h}
      steps: [{log: resting}]
      ---
      automation: wrong
      on: {every: 1h}
      steps: [{log: '{{ nothing }}'}]
      """)
    try bench.worker(isOnce: true).run()
    #expect(bench.effects.isEmpty)
    #expect(bench.lines.all.contains { $0.contains("automation left out") })
  }
}
