import Foundation
import TestSupport
import Testing

/// Jobs that machines do for each other, with a real server; skipped where PostgreSQL is not
/// installed.
@Suite(.enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed"))
struct HubJobTests {
  private let hub: TestHub

  init() throws { hub = try TestHub() }

  private static let definitions = """
    shortcut: ask-around
    parameters: {link: {type: Link}, machine: {type: string?}}
    steps:
      - {enqueue: {name: tag-it, with: {link: '{{ link }}'}, on: hub}, when: machine == null}
      - {enqueue: {name: tag-it, with: {link: '{{ link }}'}, on: hub, requires: {machine: '{{ machine }}'}}, when: machine != null}
    output: none
    ---
    intent: tag-it
    parameters: {link: {type: Link}}
    steps:
      - update: {item: '{{ link }}', add: {tags: [done]}}
    ---
    intent: fail-it
    steps: [{fail: No luck.}]
    """

  private func join(_ name: String) throws -> Sandbox {
    try hub.join(name, [".config/errand/jobs.yaml": Self.definitions])
  }

  /// One pass of a machine without a resident worker: takes jobs, runs them, and sends their ends.
  private func work(_ machine: Sandbox) throws {
    for words in [["hub", "sync"], ["queue", "drain"], ["hub", "sync"]] {
      let run = try machine.run(words)
      #expect(run.status == 0, "\(words) \(run)")
    }
  }

  private func wait(
    _ machine: Sandbox, until command: String, is expected: String
  ) throws -> String {
    try machine.shell(
      """
      for _ in $(seq 400); do [ "$(\(command))" = "\(expected)" ] && break; sleep 0.05; done
      \(command)
      """
    ).out
  }

  @Test func aWorkerDoesTheJobOfAnotherMachine() throws {
    let (one, nas) = (try join("one"), try join("nas"))
    #expect(try one.run("save", "https://swift.org", "--title", "Swift").status == 0)
    #expect(try nas.run("save", "https://other.example").status == 0)
    #expect(try nas.run("hub", "offer", "tag-it", "--yes").status == 0)
    let worker = try nas.worker()
    defer { worker.end() }
    #expect(try one.run("run", "ask-around", "swift").status == 0)
    #expect(try one.run("hub", "sync").err.hasPrefix("Sent 2 changes; "))
    let states = "errand queue --hub --format '{{ self.state }} {{ self.machine }}'"
    let state = try wait(one, until: states, is: "done nas")
    let log = try nas.shell("cat worker.log; errand queue; errand hub 2>&1; ps ax").out
    #expect(state == "done nas\n", "\(log)")
    #expect(try one.run("hub", "sync").status == 0)
    #expect(try one.run("get", "link:1", "--format", "{{ self.tags }}").out == "done\n")
    #expect(
      try one.run(
        "runs", "--hub", "--format", "{{ self.name }} {{ self.machine }} {{ self.state }}"
      )
      .out == "tag-it nas done\n")
    // The journal stays where the run was.
    #expect(try one.run("runs", "--of", "tag-it").out == "")
    #expect(try nas.run("runs", "--of", "tag-it").out.contains("tag-it"))
  }

  @Test func nothingRunsThatWasNotOffered() throws {
    let (one, two) = (try join("one"), try join("two"))
    #expect(try one.run("save", "https://swift.org", "--title", "Swift").status == 0)
    let worker = try two.worker()
    defer { worker.end() }
    #expect(try one.run("run", "ask-around", "swift").status == 0)
    #expect(try one.run("hub", "sync").status == 0)
    #expect(try wait(two, until: "errand find links --count", is: "1") == "1\n")
    #expect(
      try one.run("queue", "--hub", "--format", "{{ self.state }}").out == "waiting\n")
    #expect(try one.run("queue", "cancel", "1", "--hub").status == 0)
    #expect(
      try one.run("queue", "--hub", "--format", "{{ self.state }}").out == "cancelled\n")
  }

  @Test func aJobCanRequireAMachine() throws {
    let (one, two, nas) = (try join("one"), try join("two"), try join("nas"))
    #expect(try one.run("save", "https://swift.org", "--title", "Swift").status == 0)
    let workers = try [two, nas].map { machine in
      #expect(try machine.run("hub", "offer", "tag-it", "--yes").status == 0)
      return try machine.worker()
    }
    defer { for worker in workers { worker.end() } }
    for _ in 1...3 {
      #expect(try one.run("run", "ask-around", "swift", "--machine", "nas").status == 0)
    }
    #expect(try one.run("hub", "sync").status == 0)
    let states = "errand queue --hub --format '{{ self.state }} {{ self.machine }}'"
    let all = "done nas\ndone nas\ndone nas"
    #expect(try wait(one, until: states, is: all) == all + "\n")
  }

  @Test func anAutomationRunsOnceForAllMachines() throws {
    let automation = """
      automation: greet
      on: [{created: Link, from: anyone}]
      once: hub
      steps: [{create: {entity: Note, set: {text: 'new {{ trigger.item.url }}'}}}]
      """
    let each = """
      automation: count
      on: [{created: Link, from: anyone}]
      steps: [{create: {entity: Task, set: {title: 'seen {{ trigger.item.url }}'}}}]
      """
    let files = [".config/errand/a.yaml": automation, ".config/errand/b.yaml": each]
    let early = try hub.join("early")
    #expect(try early.run("save", "https://before.example").status == 0)
    #expect(try early.run("hub", "sync").status == 0)
    let machines = try ["one", "two", "three"].map { try hub.join($0, files) }
    let workers = try machines.map { try $0.worker() }
    defer { for worker in workers { worker.end() } }
    let ready = "grep -c 'worker begins' worker.log"
    for machine in machines { #expect(try wait(machine, until: ready, is: "1") == "1\n") }
    for number in 1...3 {
      let run = try machines[number % 3].run("save", "https://example.org/\(number)")
      #expect(run.status == 0)
    }
    // Items saved before they joined trigger nothing.
    for machine in machines {
      #expect(try wait(machine, until: "errand find notes --count", is: "3") == "3\n")
      #expect(try wait(machine, until: "errand find tasks --count", is: "9") == "9\n")
    }
    #expect(try hub.server.query("SELECT count(*) FROM errand.occasions").out == "3\n")
  }

  @Test func bytesOfFilesComeWhenTheyAreRead() throws {
    let (one, two) = (try join("one"), try join("two"))
    let text = String(repeating: "a line\n", count: 10_000)
    try text.write(toFile: one.path + "/text.txt", atomically: true, encoding: .utf8)
    #expect(try one.run("share-in", "./text.txt").status == 0)
    #expect(try one.run("worker", "--once", "--quiet").status == 0)
    for machine in [one, two] { #expect(try machine.run("hub", "sync").status == 0) }
    let reading = """
      shortcut: read-it
      steps:
        - find: {entity: File, limit: 1}
          as: found
        - read-file: {path: '{{ found[0].path }}'}
      """
    #expect(try two.run("run", "-", "--allow", "all", input: reading).out == text + "\n")
    let kept = try two.shell(
      "rm -r .local/share/errand/*.files; errand hub fetch file:1; ls .local/share/errand/*.files")
    #expect(kept.err == "1 file is here.\n", "\(kept)")
    #expect(kept.out.count == 65)
  }

  @Test func unreadableJobsAreDeadAndHoldNobody() throws {
    let (one, nas) = (try join("one"), try join("nas"))
    #expect(try one.run("save", "https://swift.org", "--title", "Swift").status == 0)
    #expect(try nas.run("hub", "offer", "tag-it", "--yes").status == 0)
    let payloads = [
      "{}", "[]", "{", #"{"input":5,"arguments":"{}","permissions":null}"#, "",
      #"{"input":"null","arguments":"{","permissions":"{"}"#,
    ]
    for (index, payload) in payloads.enumerated() {
      // With out-of-range numbers that no release writes.
      let made = try hub.server.query(
        """
        INSERT INTO errand.jobs (uid, machine, handler, payload, requires, due, times, delay, \
        backoff, longest) SELECT gen_random_uuid(), number, 'tag-it', '\(payload)', 0, \
        '\(index % 2 == 0 ? "-infinity" : "2001-01-01")', 0, '178000000 years', 1e308, \
        '178000000 years' FROM errand.machines WHERE name = 'one'
        """, as: "one")
      #expect(made.status == 0, "\(made)")
    }
    let worker = try nas.worker()
    defer { worker.end() }
    #expect(try one.run("run", "ask-around", "swift").status == 0)
    #expect(try one.run("hub", "sync").status == 0)
    let done = "errand queue --hub --jsonl | grep -c '\"state\":\"done\"'"
    #expect(try wait(one, until: done, is: "1") == "1\n")
    let dead = "errand queue --hub --jsonl | grep -c '\"state\":\"dead\"'"
    #expect(try wait(one, until: dead, is: "\(payloads.count)") == "\(payloads.count)\n")
    let unreadable = payloads.count
    let log = try nas.shell("cat worker.log").out
    #expect(
      log.contains("\(unreadable) jobs of the hub for `tag-it` from one cannot be read"), "\(log)")
    let count = "\(unreadable) jobs of other machines could not be read"
    #expect(try nas.run("hub").err.contains(count))
    let doctor = try nas.run("doctor")
    #expect(doctor.out.contains("hub: \(count)"), "\(doctor)")
    #expect(try nas.run("queue", "--hub").status == 0)
    #expect(try nas.run("hub").err.contains("could not be read") == false)
    #expect(try one.run("queue", "--hub").out.contains("the job cannot be read"))
  }

  /// A machine was disconnected while its job was done elsewhere.
  @Test func changesOfALostJobAreReverted() throws {
    let definitions = """
      intent: slow
      steps: [{wait: 1s}, {create: {entity: Note, set: {text: mine}}}]
      ---
      shortcut: send
      steps: [{enqueue: {name: slow, on: hub}}]
      output: none
      """
    let one = try hub.join("one", [".config/errand/jobs.yaml": definitions])
    #expect(try one.run("hub", "offer", "slow", "--yes").status == 0)
    let worker = try one.worker()
    defer { worker.end(SIGKILL) }
    #expect(try one.run("run", "send").status == 0)
    let begun = "grep -c 'job begins' worker.log"
    #expect(try wait(one, until: begun, is: "1") == "1\n")
    let follower = try one.shell("pgrep -P \(worker.process.id)").out.filter(\.isNumber)
    #expect(try one.shell("kill -STOP \(follower)").status == 0)
    #expect(try wait(one, until: "errand find notes --count", is: "1") == "1\n")
    let taken = try hub.server.query("UPDATE errand.jobs SET fence = fence + 1, state = 'done'")
    #expect(taken.status == 0)
    #expect(try one.shell("kill -CONT \(follower)").status == 0)
    #expect(try wait(one, until: "errand find notes --count", is: "0") == "0\n")
    let told =
      "grep -c 'another machine does run 2 of .slow. now; its changes here were reverted' worker.log"
    #expect(try wait(one, until: told, is: "1") == "1\n")
    // Nobody else has ever seen it.
    #expect(try one.run("hub", "sync").status == 0)
    #expect(try hub.server.query("SELECT count(*) FROM errand.changes").out == "0\n")
  }

  /// The number of jobs that workers do while they are killed, frozen and cut off.
  private static let jobs = Amount.of("ERRAND_HUB_JOBS", quick: 60, whole: 1_000)

  /// The troubles of workers while they work.
  private enum Trouble: CaseIterable {
    case kill, freeze, cut, none
  }

  @Test func eachJobIsDoneOnceWhateverHappensToWorkers() throws {
    let definitions = """
      intent: note-it
      parameters: {number: {type: int}}
      steps: [{create: {entity: Note, set: {text: 'job {{ number }}'}}}]
      ---
      shortcut: send-all
      parameters: {count: {type: int}}
      steps:
        - for: number
          in: '{{ lists.range(count) }}'
          do: [{enqueue: {name: note-it, with: {number: '{{ number }}'}, on: hub, retry: 20}}]
      output: none
      """
    let sender = try hub.join("sender", [".config/errand/jobs.yaml": definitions])
    let machines = try ["one", "two", "three", "four"].map { name in
      let machine = try hub.join(name, [".config/errand/jobs.yaml": definitions])
      machine.environment["ERRAND_HUB_LEASE"] = "2"
      #expect(try machine.run("hub", "offer", "note-it", "--yes").status == 0)
      return machine
    }
    func workers(_ machine: Sandbox) throws -> [WorkerProcess] {
      [try machine.worker(), try machine.worker()]
    }
    var running = try machines.map(workers)
    defer { for worker in running.joined() { worker.end(SIGKILL) } }
    #expect(try sender.run("run", "send-all", "\(Self.jobs)").status == 0)
    #expect(try sender.run("hub", "sync").status == 0)
    var random = SeededGenerator(seed: 11)
    let open = "SELECT count(*) FROM errand.jobs WHERE state IN ('waiting', 'running')"
    var rounds = 0
    while try hub.server.query(open).out != "0\n" {
      rounds += 1
      let left = try hub.server.query("SELECT * FROM errand.jobs WHERE state <> 'done'").out
      try #require(rounds < 20 + 4 * Self.jobs, "\(left)")
      usleep(UInt32.random(in: 50_000...400_000, using: &random))
      let index = Int.random(in: machines.indices, using: &random)
      switch Trouble.allCases.randomElement(using: &random) ?? .none {
      case .kill:
        for worker in running[index] { worker.end(SIGKILL) }
        running[index] = try workers(machines[index])
      case .freeze:
        // Freezes them together with their sync processes, for longer than a lease.
        let names = running[index].map { "\($0.process.id)" }.joined(separator: ",")
        _ = try machines[index].shell(
          "p=\"$(echo \(names) | tr , ' ') $(pgrep -P \(names))\"; kill -STOP $p; sleep 3; kill -CONT $p"
        )
      case .cut:
        _ = try hub.server.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '\(["one", "two", "three", "four"][index])'"
        )
      case .none: break
      }
    }
    for worker in running.joined() { worker.end() }
    for machine in machines + machines + [sender] {
      let run = try machine.run("hub", "sync")
      #expect(run.status == 0, "\(run)")
    }
    let states = try hub.server.query("SELECT state, count(*) FROM errand.jobs GROUP BY state").out
    #expect(states == "done|\(Self.jobs)\n")
    let expected = (0..<Self.jobs).map { "job \($0)" }.sorted()
    for machine in machines + [sender] {
      let notes = try machine.run("find", "notes", "--format", "{{ self.text }}").out
        .split(separator: "\n").map(String.init).sorted()
      #expect(notes == expected)
      #expect(try machine.run("doctor").status == 0)
    }
  }

  @Test func mistakesAreReported() throws {
    let one = try join("one")
    for (step, message) in [
      ("{name: tag-it, on: nas}", "`on` takes only `hub`, not `nas`"),
      ("{name: fail-it, requires: {machine: nas}}", "only a job of the hub may require a machine"),
      ("{name: fail-it, requires: [moon], on: hub}", "a job may require network"),
    ] {
      let run = try one.run("run", "-", input: "shortcut: x\nsteps: [{enqueue: \(step)}]\n")
      #expect(run.status != 0 && run.err.contains(message), "\(step): \(run)")
    }
    #expect(try one.run("hub", "offer", "nonsense").err.contains("nonsense"))
    #expect(try one.run("hub", "offer", "tag-it", "--stop").status == 1)
    let alone = try Sandbox([".config/errand/jobs.yaml": Self.definitions])
    let run = try alone.run(
      "run", "-", input: "shortcut: x\nsteps: [{enqueue: {name: fail-it, on: hub}}]\n")
    #expect(run.status == 1 && run.err.contains("this library has no hub"), "\(run)")
  }
}
