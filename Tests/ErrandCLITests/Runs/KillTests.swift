import ErrandKit
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A durable run whose processes are killed again and again at random.
@Suite struct KillTests {
  /// Minimum number of killed processes; `ERRAND_KILLS` sets more.
  private static let kills = Amount.of("ERRAND_KILLS", quick: 20, whole: 200)

  /// Every name is random, so that a duplicate shows.
  private static let chaos = """
    shortcut: inner
    input: string
    steps:
      - create: {entity: Task, set: {title: 'c{{ input }}'}}
      - value: '{{ "c" + input }}'
    ---
    shortcut: chaos
    durable: true
    variables: {trail: {type: 'list<string>', value: []}}
    steps:
      - for: n
        in: [1, 2, 3, 4, 5, 6]
        do:
          - value: '{{ string(n) + "-" + uuid() }}'
            as: name
          - create: {entity: Task, set: {title: '{{ name }}'}}
          - exec: {shell: 'echo "$1" >> seen', args: ['{{ name }}']}
            onResume: retry
          - atomic:
              - create: {entity: Task, set: {title: 'a{{ name }}'}}
              - create: {entity: Task, set: {title: 'b{{ name }}'}}
          - parallel:
              x:
                - exec: ['true']
                  onResume: retry
                - create: {entity: Task, set: {title: 'x{{ name }}'}}
              y: [{create: {entity: Task, set: {title: 'y{{ name }}'}}}]
          - try: [{fail: 'e{{ name }}'}]
            catch: [{create: {entity: Task, set: {title: '{{ error.message }}'}}}]
          - inner: '{{ name }}'
          - set: {trail: '{{ trail + [name] }}'}
      - return: '{{ trail }}'

    """

  private func start(_ sandbox: Sandbox, _ words: [String]) throws -> TestProcess {
    try TestProcess(
      Sandbox.products + "/errand", words + ["--json"], environment: sandbox.environment,
      folder: sandbox.path,
      streams: [
        0: .file("/dev/null", O_RDONLY),
        1: .file(sandbox.path + "/out", O_WRONLY | O_CREAT | O_TRUNC),
        2: .file(sandbox.path + "/err", O_WRONLY | O_CREAT | O_TRUNC),
      ])
  }

  /// Runs it to its end and returns the number of processes killed on the way.
  private func run(_ sandbox: Sandbox, _ generator: inout SystemRandomNumberGenerator) throws -> Int
  {
    var killed = 0
    var words = ["run", "chaos.yaml#chaos"]
    while true {
      let child = try start(sandbox, words)
      // Each process gets more time than the previous one, so that the run ends eventually.
      usleep(UInt32.random(in: 0..<UInt32(40_000 + 4_000 * killed), using: &generator))
      kill(child.id, SIGKILL)
      let status = try child.wait()
      if status == 0 { return killed }
      if status == 128 + SIGKILL {
        killed += 1
        words = ["resume", "1"]
      } else if sandbox.read("err")?.contains("not-found") == true {
        // The first process had not recorded the run yet.
        words = ["run", "chaos.yaml#chaos"]
      } else if sandbox.read("err")?.contains("it is done") == true {
        // It was killed between its last commit and its last output.
        return killed
      } else {
        throw TestProcess.Failure(reason: "status \(status): \(sandbox.read("err") ?? "")")
      }
    }
  }

  @Test func killedRunsWriteEachChangeOnce() throws {
    var generator = SystemRandomNumberGenerator()
    var killed = 0
    while killed < Self.kills {
      let sandbox = try Sandbox(["chaos.yaml": Self.chaos])
      killed += try run(sandbox, &generator)
      let trail = try sandbox.run("runs", "--format", "{{ self.result.join(' ') }}", "--quiet").out
        .split { $0 == " " || $0 == "\n" }.map(String.init)
      #expect(trail.count == 6)
      let titles = try sandbox.run(
        "find", "tasks", "--limit", "1000", "--quiet", "--format", "{{ self.title }}"
      ).out.split(separator: "\n").map(String.init)
      let wanted = trail.flatMap { name in ["", "a", "b", "c", "e", "x", "y"].map { $0 + name } }
      #expect(titles.sorted() == wanted.sorted())
      // External effects may happen twice, but none is left out or out of order.
      let seen = (sandbox.read("seen") ?? "").split(separator: "\n").map(String.init)
      let once = seen.indices.filter { $0 == 0 || seen[$0] != seen[$0 - 1] }.map { seen[$0] }
      #expect(once == trail)
      #expect(try sandbox.run("doctor").status == 0)
      #expect(try sandbox.run("runs", "--format", "{{ self.state }}", "--quiet").out == "done\n")
    }
  }
}
