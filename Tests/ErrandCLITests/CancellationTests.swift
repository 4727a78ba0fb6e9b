import ErrandKit
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Ctrl-C during a run.
@Suite struct CancellationTests {
  /// A run that waits for a long-running program, with cleanup steps.
  private static let slow = """
    shortcut: slow
    steps:
      - try:
          - exec: {shell: 'echo $$ > id; echo begun > /dev/stderr; sleep 600 & wait'}
        catch:
          - say: Not this.
        finally:
          - write-file: {path: tidy, text: done}
          - say: Tidied up.
      - say: Nor this.

    """

  private func id(in sandbox: Sandbox) throws -> pid_t {
    let deadline = Clock.seconds + TestProcess.patience
    while true {
      if let text = sandbox.read("id"), text.hasSuffix("\n"), let id = pid_t(text.dropLast()) {
        return id
      }
      guard Clock.seconds < deadline else {
        throw TestProcess.Failure(reason: "the program did not begin")
      }
      usleep(500)
    }
  }

  private func isGone(_ id: pid_t) -> Bool {
    let deadline = Clock.seconds + TestProcess.patience
    while kill(id, 0) == 0 {
      if Clock.seconds > deadline { return false }
      usleep(500)
    }
    return true
  }

  @Test func controlCRunsFinallyAndEndsPrograms() throws {
    let sandbox = try Sandbox(["slow.yaml": Self.slow])
    let terminal = try sandbox.terminal("run", "./slow.yaml")
    let id = try id(in: sandbox)
    terminal.type("\u{3}")
    #expect(try terminal.finish() == 128 + SIGINT)
    #expect(terminal.text.contains("Tidied up."))
    #expect(!terminal.text.contains("this"))
    #expect(sandbox.read("tidy") == "done")
    #expect(isGone(id))
  }

  @Test func failureInFinallyIsReportedAfterCancellation() throws {
    let sandbox = try Sandbox([
      "fails.yaml": """
      shortcut: fails
      steps:
        - create: {entity: Task, set: {title: kept}}
        - try: [{say: Waiting.}, {wait: 1h}]
          finally: [{fail: {message: No tidying., code: untidy, status: 9}}]

      """
    ])
    let terminal = try sandbox.terminal("run", "./fails.yaml")
    try terminal.expect("Waiting.")
    terminal.type("\u{3}")
    #expect(try terminal.finish() == 128 + SIGINT)
    #expect(terminal.text.contains("errand: error: No tidying. [untidy]"))
    let runs = try sandbox.run(
      "runs", "--quiet", "--format", "{{ self.state }} {{ self.error.code }}")
    #expect(runs.out == "cancelled untidy\n")
    #expect(try sandbox.run("find", "tasks").out.contains("kept"))
  }

  @Test func aSecondControlCEndsAtOnce() throws {
    let sandbox = try Sandbox([
      "stuck.yaml": """
      shortcut: stuck
      steps:
        - try: [{say: Waiting.}, {wait: 1h}]
          finally: [{say: Tidying.}, {exec: {shell: 'echo $$ > id; exec sleep 5'}}, {say: Not this.}]

      """
    ])
    let terminal = try sandbox.terminal("run", "./stuck.yaml")
    try terminal.expect("Waiting.")
    terminal.type("\u{3}")
    try terminal.expect("Tidying.")
    _ = try id(in: sandbox)
    terminal.type("\u{3}")
    #expect(try terminal.finish() == 128 + SIGINT)
    #expect(!terminal.text.contains("Not this."))
  }

  @Test func controlCAtAQuestionRunsFinally() throws {
    let sandbox = try Sandbox([
      "ask.yaml": """
      shortcut: ask-it
      steps:
        - try: [{ask: Who are you?}]
          finally: [{write-file: {path: tidy, text: done}}]

      """
    ])
    let terminal = try sandbox.terminal("run", "./ask.yaml")
    try terminal.expect("Who are you?")
    terminal.type("\u{3}")
    #expect(try terminal.finish() == 128 + SIGINT)
    #expect(sandbox.read("tidy") == "done")
  }

  @Test func finallyWaitsForAnotherProcess() throws {
    let sandbox = try Sandbox([
      "slow.yaml": """
      shortcut: slow
      steps:
        - try: [{write-file: {path: begun, text: x}}, {wait: 1h}]
          finally:
            - write-file: {path: tidying, text: x}
            - create: {entity: Task, set: {title: tidied}}

      """,
      "long.yaml": """
      shortcut: long
      steps:
        - write-file: {path: locks, text: x}
        - atomic:
            - repeat: 1000000
              do: [{create: {entity: Note, set: {text: half}}}]

      """,
    ])
    #expect(try sandbox.run("create", "task", "title=first", "-q").status == 0)
    let run = try sandbox.shell(
      """
      await() { for _ in $(seq 6000); do [ -e $1 ] && return; sleep 0.01; done; }
      errand run ./slow.yaml 2>slow & slow=$!
      await begun
      errand run ./long.yaml 2>long & long=$!
      await locks; sleep 0.2
      kill -TERM $slow
      await tidying; sleep 0.2
      kill -TERM $long
      wait
      errand find tasks --format '{{ self.title }}' --sort title
      """)
    #expect(run.out == "first\ntidied\n", "\(run)")
  }

  /// More steps than one evaluation allows: it would end by itself with another status.
  private static let long = """
    '{{ \((0..<9).map { "[1,2,3,4,5,6,7,8,9].all(x\($0), " }.joined())true\(
      String(repeating: ")", count: 9)) }}'
    """

  @Test func controlCEndsAnExpression() throws {
    let sandbox = try Sandbox([
      "long.yaml": """
      shortcut: long
      steps:
        - try: [{say: Begun.}, {value: \(Self.long)}]
          catch: [{write-file: {path: caught, text: done}}]
          finally: [{write-file: {path: tidy, text: done}}]

      """
    ])
    let terminal = try sandbox.terminal("run", "./long.yaml")
    try terminal.expect("Begun.")
    terminal.type("\u{3}")
    #expect(try terminal.finish() == 128 + SIGINT)
    // Terminal output is not evidence: at Ctrl-C the kernel drops pending output.
    #expect(sandbox.read("tidy") == "done")
    #expect(sandbox.read("caught") == nil)
  }

  @Test(arguments: ["value: \(long)", "set: {a: \(long)}"])
  func aTimeoutEndsAnExpression(_ step: String) throws {
    let sandbox = try Sandbox([
      "long.yaml": """
      shortcut: long
      steps:
        - create: {entity: Note, set: {text: one}}
        - \(step)
          timeout: 1ms

      """
    ])
    let run = try sandbox.run("run", "./long.yaml", "--store", ":memory:")
    #expect(run.err.contains("timed out after 0.001s"), "\(run)")
    #expect(run.err.contains("[timeout]"), "\(run)")
    #expect(run.status == 124)
  }

  /// Places at which runs are cancelled; each has started once it wrote a file.
  private static let places = [
    """
    - exec: {shell: 'sleep 600 & echo some; touch begun; wait', save: out}
    """,
    """
    - try: [{write-file: {path: begun, text: x}}, {wait: 1h}]
      finally: [{create: {entity: Task, set: {title: tidied}}}]
    """,
    """
    - write-file: {path: begun, text: x}
    - atomic:
        - repeat: 1000000
          do: [{create: {entity: Note, set: {text: half}}}]
    """,
    """
    - for: n
      in: [1, 2, 3]
      parallel: 3
      do:
        - exec: {command: [sh, -c, 'sleep 600 & touch begun; trap "" HUP; wait'], save: 'out{{ n }}'}
    """,
    """
    - parallel:
        a: [{write-file: {path: begun, text: x}}, {wait: {entity: Link}}]
        b: [{exec: {command: [cat], tty: false, stdin: x}}, {wait: 1h}]
        c: [{notify: Begun.}, {move-file: {from: none, to: other}, retry: {times: 1000, on: not-found}}]
    """,
  ]

  /// Process numbers in a sandbox.
  private func processes(in sandbox: Sandbox) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { name in
      // A process may end meanwhile.
      guard name.first?.isNumber == true,
        let variables = try? Data(contentsOf: URL(filePath: "/proc/\(name)/environ"))
      else { return false }
      return variables.firstRange(of: Data("HOME=\(sandbox.path)\0".utf8)) != nil
    }
  }

  /// Number of cancelled runs at all places together; `ERRAND_CANCELLED` raises it.
  private static let cancelled =
    Amount.of("ERRAND_CANCELLED", quick: 25, whole: 200)

  @Test(arguments: places.indices)
  func manyCancelledRunsLeaveNothing(_ place: Int) throws {
    let steps = Self.places[place].split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    let sandbox = try Sandbox(["run.yaml": "shortcut: test\nsteps:\n\(steps)\n"])
    let count = (Self.cancelled + Self.places.count - 1) / Self.places.count
    for _ in 0..<count {
      let run = try sandbox.terminal("run", "./run.yaml")
      let deadline = Clock.seconds + TestProcess.patience
      while sandbox.read("begun") == nil, Clock.seconds < deadline { usleep(500) }
      run.type("\u{3}")
      #expect(try run.finish() == 128 + SIGINT)
      #expect(try processes(in: sandbox) == [])
      unlink(sandbox.path + "/begun")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.path)
    #expect(left.filter { !$0.hasPrefix(".") } == ["run.yaml"])
    #expect(left.filter { $0.hasSuffix(".draft") } == [])
    #expect(try sandbox.run("find", "notes").out == "")
    let tidied = try sandbox.run("find", "tasks", "--limit", "10000").out
    #expect(tidied.split(separator: "\n").count == (place == 1 ? count : 0))
    #expect(try sandbox.run("create", "note", "text=free", "-q").status == 0)
    #expect(try sandbox.run("doctor").status == 0)
  }

  @Test func programsThatAreEndedLeaveNoDescriptor() throws {
    let sandbox = try Sandbox([
      "t.yaml": """
      shortcut: t
      steps:
        - &many
          for: n
          in: '{{ lists.range(30) }}'
          parallel: 3
          do:
            - try:
                - exec: {command: [sh, -c, 'sleep 600 & wait'], save: 'out{{ n }}'}
                  timeout: 2ms
              catch: [{on: timeout, do: [{value: 1}]}]
        - exec: &look {stdin: x, shell: 'cat > /dev/null; ls "/proc/$PPID/fd" | wc -l'}
          as: before
        - *many
        - exec: *look
          as: after
        - value: '{{ before == after ? "the same" : before + ", " + after }}'

      """
    ])
    #expect(try sandbox.run("run", "./t.yaml", "--quiet") == ProgramRun(out: "the same\n"))
    #expect(try processes(in: sandbox) == [])
    let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.path)
    #expect(left.filter { !$0.hasPrefix(".") } == ["t.yaml"])
  }

  // MARK: How a run ends otherwise

  @Test func aTimeoutHasAStatusOfItsOwn() throws {
    let sandbox = try Sandbox(["t.yaml": "shortcut: t\nsteps: [{wait: 1h, timeout: 1ms}]\n"])
    let run = try sandbox.run("run", "./t.yaml")
    #expect(run.status == 124)
    #expect(run.err.contains("[timeout]"))
  }

  @Test func failChoosesTheStatus() throws {
    let sandbox = try Sandbox([
      "t.yaml": "shortcut: t\nsteps: [{fail: {message: No, status: 42}}]\n"
    ])
    #expect(
      try sandbox.run("run", "./t.yaml")
        == ProgramRun(err: "errand: error: No [failed]\n", status: 42))
  }

  @Test func theStepsOfARunAreBounded() throws {
    let sandbox = try Sandbox([
      "t.yaml": "shortcut: t\nsteps: [{while: true, do: [{set: {n: 1}}]}]\n"
    ])
    let run = try sandbox.run("run", "./t.yaml", "--max-steps", "1_000")
    #expect(run.status == 1)
    #expect(run.err.contains("the run took more than 1,000 steps; most steps were in `t` "))
    #expect(run.err.contains("--max-steps"))
    for wrong in ["0", "-1", "many", "1e3"] {
      #expect(try sandbox.run("run", "./t.yaml", "--max-steps", wrong).status == 2)
    }
  }

  @Test func longLoopsForTheirEffectsTakeNoMemory() throws {
    let sandbox = try Sandbox([
      "t.yaml": """
      shortcut: t
      steps:
        - set: {n: 0}
        - exec: &look {shell: 'grep VmHWM "/proc/$PPID/status" | tr -dc 0-9'}
          as: before
        - repeat: 200000
          do: [{set: {n: '{{ n + 1 }}'}}, {value: '{{ n }}'}]
        - exec: *look
          as: between
        - while: n < 400000
          do: [{set: {n: '{{ n + 1 }}'}}, {value: '{{ n }}'}]
        - exec: *look
          as: after
        - value: '{{ (int(between) - int(before) < 3000) && (int(after) - int(before) < 3000) }}'

      """
    ])
    #expect(try sandbox.run("run", "./t.yaml") == ProgramRun(out: "true\n"))
  }
}
