import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Recorded runs continue after their process died, in one process at a time.
@Suite struct RunsTests {
  @Test func runsThatChangeSomethingAreListed() throws {
    let sandbox = try Sandbox([
      "bad.yaml": """
      shortcut: bad
      steps:
        - create: {entity: Task, set: {title: A}}
          retry: 1
        - try:
            - exec: ['false']
              retry: {times: 1, delay: 1ms, on: exec}
          catch: [{say: Caught.}]
        - for: i
          in: [1, 2]
          do: [{value: '{{ i }}'}]
        - fail: Over.

      """
    ])
    #expect(try sandbox.run("runs") == ProgramRun())
    #expect(try sandbox.run("recent", "--quiet").status == 0)
    #expect(try sandbox.run("run", "bad.yaml").status == 1)
    #expect(try sandbox.run("add-task", "B", "--quiet").status == 0)
    #expect(
      try sandbox.run(
        "runs", "--quiet", "--format", "{{ self.run }} {{ self.name }} {{ self.state }}")
        == ProgramRun(out: "2 add-task done\n1 bad failed\n"))
    #expect(
      try sandbox.run("runs", "--failed", "--json", "--quiet").out.contains(
        #""error":{"code":"failed","message":"Over.""#))
    #expect(try sandbox.run("runs", "--of", "add-task").out.hasPrefix("2\tadd-task\tdone\t"))
    let log = try sandbox.run("log", "1").out
    #expect(log.hasPrefix("run 1  bad  failed  "))
    for part in [
      "\n  create", "\n  ✗ exec", "\n    ✗ attempt 1  ", "[exec]\n", "\n  say",
      "    pass 2\n      value",
      "\n  ✗ fail  ", "Over. [failed]\n",
    ] {
      #expect(log.contains(part), "\(part) in\n\(log)")
    }
    #expect(try sandbox.run("log", "2", "--json", "--quiet").out.contains(#""name":"create""#))
    #expect(
      try sandbox.run("log", "7")
        == ProgramRun(
          err: """
            errand: error: there is no run “7” [not-found]
              help: `errand runs` lists the recorded runs

            """, status: 1))
    #expect(
      try sandbox.run("resume", "1")
        == ProgramRun(
          err: """
            errand: error: cannot continue run 1 of `bad`: it is not durable [conflict]
              help: `errand retry 1 --from-start` runs it again

            """, status: 1))
    #expect(try sandbox.run("retry", "1", "--from-start").status == 1)
    #expect(try sandbox.runStates() == "3 failed\n2 done\n1 failed\n")
    #expect(try sandbox.taskTitles() == ["A", "B", "A"])
  }

  @Test func aRunGoesOnAfterItsProcessWasKilled() throws {
    let sandbox = try Sandbox.stopping()
    let child = try sandbox.startStopping()
    #expect(try sandbox.runStates() == "1 running\n")
    #expect(
      try sandbox.run("run", "stops.yaml")
        == ProgramRun(
          err: """
            errand: error: `stops` is running already: run 1 in process \(child.id) [busy]
              help: wait until it ends, or cancel it with `errand cancel 1`

            """, status: 75))
    kill(child.id, SIGKILL)
    _ = try child.wait()
    #expect(try sandbox.runStates() == "1 interrupted\n")
    #expect(try sandbox.taskTitles() == ["first"])
    let undo = try sandbox.run("undo")
    #expect(undo.status == 1 && undo.err.contains("run 1 of stops"), "\(undo)")
    try sandbox.write("", to: "go")
    #expect(try sandbox.run("resume", "1") == ProgramRun(out: "done\n"))
    #expect(try sandbox.taskTitles() == ["first", "second"])
    #expect(try sandbox.runStates() == "1 done\n")
    #expect(sandbox.read("reached") == "x\nx\n")
    #expect(try sandbox.run("resume", "1").status == 1)
    #expect(try sandbox.run("undo").status == 0)
    #expect(try sandbox.taskTitles() == [])
  }

  @Test func aRequestToEndSuspendsAndCancelEnds() throws {
    let sandbox = try Sandbox.stopping()
    let child = try sandbox.startStopping()
    kill(child.id, SIGTERM)
    #expect(try child.wait() == 5)
    #expect(
      sandbox.read("err") == """
        errand: error: run 1 is suspended [suspended]
          help: `errand resume 1` continues it

        """)
    #expect(try sandbox.runStates() == "1 suspended\n")
    #expect(
      try sandbox.run("cancel", "1") == ProgramRun(err: "Cancelled run 1 of stops.\n"))
    #expect(try sandbox.runStates() == "1 cancelled\n")
    #expect(
      try sandbox.run("cancel", "1")
        == ProgramRun(err: "errand: error: run 1 has already ended [conflict]\n", status: 1))
    let second = try sandbox.startStopping(reached: 2)
    #expect(try sandbox.run("cancel", "2") == ProgramRun(err: "Cancelled run 2 of stops.\n"))
    _ = try second.wait()
    #expect(try sandbox.runStates() == "2 cancelled\n1 cancelled\n")
  }

  @Test func withNobodyToAskARunStaysSuspended() throws {
    let sandbox = try Sandbox.stopping(Sandbox.stops.replacing("    onResume: retry\n", with: ""))
    let child = try sandbox.startStopping()
    kill(child.id, SIGKILL)
    _ = try child.wait()
    try sandbox.write("", to: "go")
    let run = try sandbox.run("resume", "1")
    #expect(run.status == 5)
    #expect(run.err.contains("`exec` was running when it ended"), "\(run)")
    #expect(try sandbox.runStates() == "1 suspended\n")
    #expect(
      try sandbox.run("resume", "1", "--answer", "onResume=Treat it as done")
        == ProgramRun(out: "done\n"))
    #expect(sandbox.read("reached") == "x\n")
    #expect(try sandbox.taskTitles() == ["first", "second"])
  }

  @Test func twoHundredStartsAtOnceOfASingleRunMakeOne() throws {
    let sandbox = try Sandbox.stopping(
      """
      shortcut: stops
      mode: single
      steps:
        - create: {entity: Task, set: {title: once}}
        - exec: {shell: 'echo x >> reached; cat hold'}

      """)
    #expect(try sandbox.run("find", "tasks").status == 0)
    let count = 200
    let run = try sandbox.shell(
      """
      i=0
      while [ $i -lt \(count) ]; do
        (errand run stops.yaml 2>> errors; echo $? >> statuses) &
        i=$((i + 1))
      done
      while [ "$(cat statuses 2>/dev/null | wc -l)" -lt \(count - 1) ]; do sleep 0.05; done
      echo end > hold
      wait
      """)
    #expect(run.status == 0)
    let statuses = (sandbox.read("statuses") ?? "").split(separator: "\n")
    #expect(statuses.count == count)
    #expect(
      statuses.count { $0 == "75" } == count - 1 && statuses.count { $0 == "0" } == 1,
      "\(Set(statuses)) \(sandbox.read("errors")?.suffix(2000) ?? "")")
    #expect(sandbox.read("reached") == "x\n")
    #expect(try sandbox.taskTitles() == ["once"])
  }

  @Test func aQueuedRunWaitsForTheOneBefore() throws {
    let sandbox = try Sandbox.stopping(
      Sandbox.stops.replacing("durable: true", with: "mode: queued\nmax: 2"))
    let child = try sandbox.startStopping()
    let waiting = try sandbox.start("run", "stops.yaml", err: "err2")
    try sandbox.until("queue") { try sandbox.runStates() == "2 waiting\n1 running\n" }
    // One is already waiting.
    #expect(try sandbox.run("run", "stops.yaml").status == 75)
    try sandbox.write("", to: "go")
    #expect(try sandbox.shell("echo end > hold").status == 0)
    #expect(try child.wait() == 0)
    #expect(try waiting.wait() == 0)
    #expect(try sandbox.taskTitles() == ["first", "second", "first", "second"])
  }

  @Test func aRestartLeavesTheOneBeforeNothingToWrite() throws {
    let sandbox = try Sandbox.stopping(
      Sandbox.stops.replacing("durable: true", with: "mode: restart"))
    let child = try sandbox.startStopping()
    // Frozen, as by a debugger or swapping: it cannot even receive the request to end.
    kill(child.id, SIGSTOP)
    try sandbox.write("", to: "go")
    #expect(try sandbox.run("run", "stops.yaml") == ProgramRun(out: "done\n"))
    kill(child.id, SIGCONT)
    #expect(try child.wait() == 1)
    #expect(
      sandbox.read("err") == "errand: error: run 1 was cancelled by another process [cancelled]\n")
    #expect(try sandbox.taskTitles() == ["first", "first", "second"])
    #expect(try sandbox.runStates() == "2 done\n1 cancelled\n")
  }

  @Test func aLargeValueHasAFileOfItsOwn() throws {
    let sandbox = try Sandbox([
      "large.yaml": """
      shortcut: large
      durable: true
      steps:
        - exec: {shell: 'yes | head -c 200000'}
          onResume: retry
          as: text
        - exec: {shell: 'test -e go || kill -9 $PPID'}
          onResume: retry
        - value: '{{ size(text) }}'

      """
    ])
    #expect(try sandbox.run("run", "large.yaml").status == 128 + SIGKILL)
    let files = try sandbox.shell("ls .local/share/errand/library.db.values | wc -l").out
    #expect(files.trimmingPrefix(while: \.isWhitespace) == "1\n")
    #expect(try sandbox.run("backup", "copy.db").status == 0)
    try sandbox.write("", to: "go")
    #expect(try sandbox.run("resume", "1") == ProgramRun(out: "199999\n"))
    // A copy of the store continues with its values.
    #expect(try sandbox.run("resume", "1", "--store", "copy.db") == ProgramRun(out: "199999\n"))
    #expect(try sandbox.run("retry", "1").status == 1)
  }

  /// Definitions named only after a resume are found, and recorded once known.
  @Test(arguments: ["a.yaml#names", "names"])
  func aResumedRunFindsWhatItNamesLater(_ word: String) throws {
    let sandbox = try Sandbox([
      word == "names" ? ".config/errand/a.yaml" : "a.yaml": """
      shortcut: named
      steps: [{exec: [test, -e, second]}, {write-file: {path: out, text: done}}]
      output: none
      ---
      shortcut: names
      durable: true
      steps: [{exec: [test, -e, first]}, {run: '{{ "named" }}'}]
      output: none

      """
    ])
    #expect(try sandbox.run("run", word).status == 1)
    try sandbox.write("", to: "first")
    let again = try sandbox.run("retry", "1")
    #expect(again.status == 1 && again.err.contains("`test` exited with status 1"), "\(again)")
    // From now on the recorded definition is used, even if the name is redefined.
    let path = word == "names" ? ".config/errand/a.yaml" : "a.yaml"
    try sandbox.write(
      (sandbox.read(path) ?? "").replacing("text: done", with: "text: changed"), to: path)
    try sandbox.write("", to: "second")
    let last = try sandbox.run("retry", "1")
    #expect(last.status == 0, "\(last)")
    #expect(sandbox.read("out") == "done")
  }

  /// A computed name that was not allowed is looked up again.
  @Test func aNameThatWasNotAllowedCanBeAllowedLater() throws {
    let sandbox = try Sandbox([
      "a.yaml": """
      shortcut: named
      steps: [{exec: [echo, hi]}]
      ---
      shortcut: names
      durable: true
      steps: [{run: '{{ "named" }}'}]

      """
    ])
    sandbox.environment["ERRAND_ALLOW"] = nil
    #expect(try sandbox.run("run", "a.yaml#names", "--allow", "run").status == 1)
    #expect(try sandbox.run("retry", "1", "--allow", "run,exec:echo") == ProgramRun(out: "hi\n"))
  }

  @Test func nestedLoopsTakeNoMoreThreadsThanOne() throws {
    let sandbox = try Sandbox([
      "a.yaml": """
      shortcut: a
      steps:
        - for: a
          in: '{{ lists.range(8) }}'
          parallel: 8
          do:
            - for: b
              in: '{{ lists.range(24) }}'
              parallel: 24
              do: [{exec: {shell: 'ls /proc/$PPID/task | wc -l'}}, {value: '{{ int(it.trim()) }}'}]
        - value: '{{ it.map(a, a.max()).max() }}'

      """
    ])
    let run = try sandbox.run("run", "a.yaml")
    let most = try #require(Int(run.out.filter(\.isNumber)), "\(run)")
    // 64 branches, one or two service threads, and those that are ending; without the limit, 200.
    #expect(most <= 64 + 32, "\(run)")
  }
}
