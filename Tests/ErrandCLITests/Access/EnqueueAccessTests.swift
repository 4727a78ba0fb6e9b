import Glibc
import TestSupport
import Testing

/// A job has the capabilities of the definition that enqueued it, regardless of the process that
/// runs it.
@Suite struct EnqueueAccessTests {
  private static let own = """
    shortcut: put
    input: {type: string, from: [argument]}
    steps: [{write-file: {path: '{{ input }}', text: x}}]
    output: none
    ---
    shortcut: relay
    input: {type: string, from: [argument]}
    steps: [{enqueue: {name: put, input: '{{ input }}'}}]
    output: none
    ---
    shortcut: keep
    durable: true
    input: {type: string, from: [argument]}
    steps: [{write-file: {path: '{{ input }}', text: x}}]
    output: none
    ---
    shortcut: guarded
    input: {type: string, from: [argument]}
    steps: [{exec: {command: [echo, hi], env: {KEY: '{{ secret("KEY") }}'}}}]
    output: none

    """

  /// Creates a sandbox without grants and with a file that enqueues a name.
  private func sandbox(enqueues name: String, _ more: [String: String] = [:]) throws -> Sandbox {
    let sandbox = try Sandbox(
      [
        ".config/errand/own.yaml": Self.own,
        "a.yaml":
          "shortcut: a\nsteps: [{enqueue: {name: \(name), input: out.txt, retry: 0}}]\noutput: none\n",
      ].merging(more) { $1 })
    sandbox.environment["ERRAND_ALLOW"] = nil
    return sandbox
  }

  private func states(_ sandbox: Sandbox) throws -> String {
    try sandbox.run(
      "queue", "--quiet", "--format", "{{ self.job }} {{ self.name }} {{ self.state }}"
    )
    .out
  }

  private let templated = "'{{ \"put\" }}'"

  @Test func aTemplatedNameIsAskedAbout() throws {
    let sandbox = try sandbox(enqueues: templated)
    #expect(
      try sandbox.run("run", "a.yaml")
        == ProgramRun(
          err: """
            errand: error: a.yaml is not allowed to run what it names later (what it puts into the queue is named when the step runs) [not-allowed]
              help: allow it with --allow 'run:*'

            """, status: 1))
    // A name computed at run time is checked once it is known.
    let named = try sandbox.run("run", "a.yaml", "--allow", "run")
    #expect(named.status == 1)
    #expect(
      named.err.contains(
        "a.yaml is not allowed to write arbitrary files (a path is made when the step runs)"),
      "\(named)")
    let other = try sandbox.run("run", "a.yaml", "--allow", "run:other,write")
    #expect(other.err.contains("this file is not allowed to run `put`"), "\(other)")
    #expect(try states(sandbox) == "")
  }

  @Test(arguments: ["put", "'{{ \"put\" }}'"])
  func jobHasThePermissionsOfItsOrigin(_ name: String) throws {
    let sandbox = try sandbox(enqueues: name)
    let now = try sandbox.run("run", "a.yaml", "--allow", "run,write:./in", "--now")
    #expect(now.status == 1)
    #expect(now.err.contains("what enqueued this job is not allowed to write out.txt"), "\(now)")
    // Neither a retry nor a worker with more capabilities extends the job's own.
    _ = try sandbox.run("queue", "retry", "1")
    sandbox.environment["ERRAND_ALLOW"] = "all"
    #expect(try sandbox.run("worker", "--once", "--quiet").status == 1)
    #expect(try states(sandbox) == "1 put dead\n")
    #expect(sandbox.read("out.txt") == nil)
    #expect(
      try sandbox.run("run", "a.yaml", "--allow", "run:put,write:./out.txt", "--now").status == 0)
    #expect(sandbox.read("out.txt") == "x")
  }

  @Test func nestedJobHasThePermissionsOfItsOrigin() throws {
    let sandbox = try sandbox(enqueues: "relay")
    _ = try sandbox.run("run", "a.yaml", "--allow", "write:./in")
    sandbox.environment["ERRAND_ALLOW"] = "all"
    _ = try sandbox.run("queue", "drain", "--quiet")
    _ = try sandbox.run("queue", "drain", "--quiet")
    #expect(try states(sandbox).contains("relay done"))
    #expect(sandbox.read("out.txt") == nil)
  }

  @Test func resumedJobKeepsItsPermissions() throws {
    let sandbox = try sandbox(enqueues: "keep")
    _ = try sandbox.run("run", "a.yaml", "--allow", "write:./in", "--now")
    sandbox.environment["ERRAND_ALLOW"] = "all"
    for words in [["retry", "2"], ["retry", "2", "--from-start"]] {
      let run = try sandbox.run(words)
      #expect(run.err.contains("what enqueued this job is not allowed to write out.txt"), "\(run)")
    }
    #expect(sandbox.read("out.txt") == nil)
    #expect(try sandbox.run("run", "keep", "out.txt").status == 0)
  }

  /// A secret is known before the run, so it is refused before the first step.
  @Test func aSecretOfTheHandlerIsAskedAbout() throws {
    let sandbox = try sandbox(enqueues: "'{{ \"guarded\" }}'")
    let run = try sandbox.run("run", "a.yaml", "--allow", "run,exec:echo")
    #expect(run.err.contains("a.yaml is not allowed to use the secret KEY"), "\(run)")
    #expect(try states(sandbox) == "")
  }

  @Test func ownJobsNeedNoPermission() throws {
    let sandbox = try sandbox(enqueues: "put")
    let run = try sandbox.run("run", "relay", "out.txt", "--now")
    #expect(run.status == 0, "\(run)")
    #expect(sandbox.read("out.txt") == "x")
  }

  // MARK: Recorded definitions

  private static func flaky(_ more: String = "") -> String {
    """
    shortcut: flaky
    durable: true
    steps:
      - exec: {shell: 'test -e kill && kill -9 $PPID; test -e go'}
        onResume: retry
      - exec: [touch, done]
    \(more)output: none

    """
  }

  /// Change of a definition since its run was recorded.
  enum Fate: String, CaseIterable {
    case unchanged, changed, gone, movedToProject
  }

  /// The process that continues a recorded run.
  enum Way: String, CaseIterable {
    case retry, resume, worker
  }

  /// Trust in a recorded definition, as the command line and a worker report it.
  @Test(arguments: Fate.allCases, Way.allCases)
  func onlyARecordedDefinitionThatIsAsItWasIsOwn(_ fate: Fate, _ way: Way) throws {
    let file = ".config/errand/flaky.yaml"
    let sandbox = try sandbox(
      enqueues: "put",
      [
        file: Self.flaky(),
        ".config/errand/put-flaky.yaml":
          "shortcut: put-flaky\nsteps: [{enqueue: {name: flaky}}]\noutput: none\n",
      ])
    if way == .resume {
      try sandbox.write("", to: "kill")
      #expect(try sandbox.run("run", "flaky").status == 128 + SIGKILL)
      _ = try sandbox.shell("rm kill")
    } else {
      #expect(try sandbox.run("run", "put-flaky").status == 0)
      #expect(try sandbox.run("worker", "--once", "--quiet").status == 1)
    }
    switch fate {
    case .unchanged: break
    case .changed: try sandbox.write(Self.flaky("  - wait: 0s\n"), to: file)
    case .gone: _ = try sandbox.shell("rm \(file)")
    case .movedToProject:
      _ = try sandbox.shell("mkdir .errand && mv \(file) .errand/ && errand trust -q .")
    }
    try sandbox.write("", to: "go")
    let end: ProgramRun
    switch way {
    case .retry: end = try sandbox.run("retry", "2")
    case .resume: end = try sandbox.run("resume", "1")
    case .worker:
      _ = try sandbox.run("queue", "retry", "1")
      end = try sandbox.run("queue", "drain")
    }
    let isOwn = fate == .unchanged
    #expect((end.status == 0) == isOwn, "\(end)")
    #expect((end.out + end.err).contains("is not allowed to run") != isOwn, "\(end)")
    #expect((sandbox.read("done") != nil) == isOwn)
  }
}
