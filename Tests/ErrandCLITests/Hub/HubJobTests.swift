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
    #expect(try wait(one, until: states, is: "done nas") == "done nas\n")
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
