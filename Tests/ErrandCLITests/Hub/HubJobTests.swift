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
    // What was there before they joined sets nothing off.
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
