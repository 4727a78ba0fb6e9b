import ErrandKit
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// `queue`, `worker` and `automations` on the command line.
@Suite struct QueueTests {
  private static let definitions = """
    shortcut: save-and-tag
    input: {type: url}
    steps:
      - create: {entity: Link, set: {url: '{{ input }}'}}
        as: saved
      - enqueue: {name: tag-link, input: '{{ saved }}', with: {tag: queued}, key: '{{ saved.ref }}'}
    output: none
    ---
    intent: tag-link
    parameters: {link: {type: Link}, tag: {type: string}}
    steps: [{update: {item: '{{ link }}', add: {tags: ['{{ tag }}']}}}]
    ---
    shortcut: failing
    steps: [{fail: No luck.}]
    ---
    shortcut: put-failing
    steps: [{enqueue: {name: failing, retry: 0}}]
    output: none
    ---
    shortcut: slow
    steps: [{create: {entity: Task, set: {title: begun}}}, {wait: 1h}]
    ---
    shortcut: put-slow
    steps: [{enqueue: {name: slow}}]
    output: none

    """

  private func sandbox(_ more: String = "") throws -> Sandbox {
    try Sandbox([".config/errand/queue.yaml": Self.definitions + more])
  }

  private func states(_ sandbox: Sandbox) throws -> String {
    try sandbox.run("queue", "--format", "{{ self.job }} {{ self.name }} {{ self.state }}").out
  }

  @Test func aJobIsDoneByDraining() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("run", "save-and-tag", "https://swift.org")
    #expect(try states(sandbox) == "1 tag-link waiting\n")
    let drained = try sandbox.run("queue", "drain", "--json")
    #expect(drained.status == 0, "\(drained)")
    #expect(drained.out.contains(#""message":"job done","job":1,"handler":"tag-link""#))
    #expect(try states(sandbox) == "1 tag-link done\n")
    #expect(try sandbox.run("get", "link:1", "--format", "{{ self.tags }}").out == "queued\n")
    // The run of the job is recorded and can be undone like any other.
    #expect(
      try sandbox.run("runs", "--of", "tag-link", "--format", "{{ self.state }}").out == "done\n")
    #expect(try sandbox.run("undo").status == 0)
  }

  @Test func aDeadJobIsKeptRetriedAndCancelled() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("run", "put-failing")
    #expect(try sandbox.run("worker", "--once", "--quiet").status == 1)
    #expect(try states(sandbox) == "1 failing dead\n")
    let status = try sandbox.run("worker", "--status").out
    #expect(status.contains("jobs: 1 dead\n"))
    #expect(status.contains(/\njob 1 failing, dead, [0-9]+ s ago: No luck. \[failed\]\n/))
    #expect(try sandbox.run("doctor").out.contains("queue: 1 dead\n"))
    let retry = try sandbox.run("queue", "retry", "1")
    #expect(retry.status == 0, "\(retry)")
    #expect(try states(sandbox) == "1 failing waiting\n")
    #expect(try sandbox.run("queue", "cancel", "1").status == 0)
    #expect(try states(sandbox) == "1 failing cancelled\n")
    let again = try sandbox.run("queue", "cancel", "1")
    #expect(again.status == 1)
    #expect(again.err.contains("job 1 has already ended: it is cancelled [conflict]"))
  }

  @Test func theStatusTellsStatesAgesRatesAndFailures() throws {
    let sandbox = try sandbox()
    for word in ["save-and-tag https://swift.org", "put-failing", "put-slow"] {
      _ = try sandbox.run(["run"] + word.split(separator: " ").map(String.init))
    }
    _ = try sandbox.run("queue", "drain", "1", "2", "--quiet")
    let age = "[0-9]+ s, since [-0-9]+ [:0-9]+"
    let lines = try sandbox.run("worker", "--status").out.split(separator: "\n").map(String.init)
    let expected = [
      "jobs: 1 waiting, 1 done, 1 dead", "oldest waiting: \(age)", "oldest dead: \(age)",
      "last 24 hours: 1 done, 1 given up, 50 % done", "workers: none",
      "job 2 failing, dead, [0-9]+ s ago: No luck. \\[failed\\]",
      "failing: 0 done, 1 given up, 0 % done", "slow: 1 to do",
      "tag-link: 1 done, 0 given up, 100 % done, [0-9.]+ (µs|ms|s) each",
    ]
    #expect(lines.count == expected.count, "\(lines)")
    for (line, pattern) in zip(lines, expected) {
      #expect(try Regex(pattern).wholeMatch(in: line) != nil, "\(line)")
    }
    let doctor = try sandbox.run("doctor").out
    for line in lines[1...4] {
      // The seconds may have changed by now.
      let part = line.prefix { $0 != ":" }
      #expect(doctor.contains("\n         \(part): "), "\(doctor)")
    }
    #expect(doctor.contains(/\n         job 2 failing, dead, [0-9]+ s ago: No luck/), "\(doctor)")
    let json = try sandbox.run("worker", "--status", "--json").out
    for part in [
      #""jobs":{"waiting":1,"running":0,"done":1,"dead":1,"cancelled":0,"suspended":0}"#,
      #""running":null,"suspended":null,"dead":"#, #""waitingAgain":0,"doneInADay":1"#,
      #""givenUpInADay":1,"successRate":0.5,"successRateOfAll":0.5,"failures":1"#,
      #""names":[{"name":"failing","open":0,"doneInADay":0,"givenUpInADay":1,"successRate":0"#,
      #""workers":[],"lastFailures":[{"job":2,"#,
    ] {
      #expect(json.contains(part), "\(part) in \(json)")
    }
  }

  /// `journalctl -p` filters by priority, which systemd reads from the start of a line.
  @Test func workerLogUsesSyslogPriorities() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("run", "put-failing")
    let run = try sandbox.shell(
      """
      : > out; export JOURNAL_STREAM=$(stat -c %d:%i out)
      errand worker --once >> out; errand worker --once --json >> out; cut -c-8 out
      errand worker --once | cut -c-5
      """)
    #expect(
      run.out
        == "<6>time=\n<6>time=\n<3>time=\n<6>time=\n<6>{\"tim\n<6>{\"tim\ntime=\ntime=\n", "\(run)")
  }

  @Test(arguments: [
    (["queue", "retry"], "`queue retry` needs the numbers of jobs"),
    (["queue", "cancel", "x"], "“x” is not the number of a job"),
    (["queue", "drian"], "unknown subcommand “drian”"),
    (["queue", "--state", "odd"], ", not “odd”"),
    (["worker", "instal"], "unknown subcommand “instal”"),
    (["worker", "--grace", "soon"], "--grace must be a duration"),
  ])
  func invalidArgumentsAreReported(words: [String], message: String) throws {
    let sandbox = try sandbox()
    let run = try sandbox.run(words)
    #expect(run.status == 2)
    #expect(run.err.contains(message), "\(run.err)")
  }

  @Test func aWorkerEndsWithinItsGraceAndPutsItsJobBack() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("run", "put-slow")
    let worker = try begin(sandbox, "worker", "--grace", "0s")
    try waitFor("begun", sandbox)
    kill(worker.id, SIGTERM)
    #expect(try worker.wait() == 0)
    #expect(try states(sandbox) == "1 slow waiting\n")
    #expect(sandbox.read("log")?.contains("job put back") == true)
  }

  @Test func cancellingEndsAJobAndNotItsWorker() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("run", "put-slow")
    let worker = try begin(sandbox, "worker")
    try waitFor("begun", sandbox)
    #expect(try sandbox.run("queue", "cancel", "1").status == 0)
    try waitForLog("taken over by another", sandbox)
    #expect(worker.poll() == nil)
    // It continues with others.
    _ = try sandbox.run("run", "save-and-tag", "https://swift.org")
    try waitForLog("job done", sandbox)
    kill(worker.id, SIGTERM)
    #expect(try worker.wait() == 0)
    #expect(try states(sandbox) == "2 tag-link done\n1 slow cancelled\n")
  }

  @Test func aKilledWorkersJobIsDoneByAnother() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("run", "put-slow")
    let worker = try begin(sandbox, "worker")
    try waitFor("begun", sandbox)
    kill(worker.id, SIGKILL)
    _ = try worker.wait()
    #expect(try states(sandbox) == "1 slow running\n")
    let other = try begin(sandbox, "worker", "--grace", "0s")
    try waitForLog("job begins", sandbox, times: 1)
    kill(other.id, SIGTERM)
    #expect(try other.wait() == 0)
    let failures = try sandbox.run("queue", "--format", "{{ self.failures }}").out
    #expect(failures == "0\n")
  }

  /// Durable handlers perform each step exactly once, at any point where their workers are killed.
  @Test func jobsAreDoneOnceWhereverWorkersAreKilled() throws {
    let sandbox = try sandbox(
      """
      ---
      shortcut: fill
      steps:
        - repeat: 24
          index: number
          do: [{enqueue: {name: twice, input: '{{ number }}'}}]
      output: none
      ---
      shortcut: twice
      durable: true
      mode: parallel
      input: {type: int}
      steps:
        - create: {entity: Task, set: {title: 'a {{ input }}'}}
        - create: {entity: Task, set: {title: 'b {{ input }}'}}

      """)
    _ = try sandbox.run("run", "fill")
    for round in 0..<5 {
      let workers = try (0..<3).map { _ in try begin(sandbox, "worker", "--once") }
      // Whatever state they have reached by then.
      usleep(UInt32(30_000 * (round + 1)))
      for worker in workers { kill(worker.id, SIGKILL) }
      for worker in workers { _ = try worker.wait() }
    }
    #expect(try sandbox.run("worker", "--once", "--quiet").status == 0)
    let states = try sandbox.run("queue", "--limit", "100", "--format", "{{ self.state }}").out
    #expect(states == String(repeating: "done\n", count: 24))
    let titles = try sandbox.run(
      "find", "tasks", "--limit", "100", "--quiet", "--format", "{{ self.title }}"
    ).out.split(separator: "\n").map(String.init)
    let expected = (0..<24).flatMap { ["a \($0)", "b \($0)"] }
    #expect(titles.sorted() == expected.sorted())
  }

  /// A waiting process blocks neither the writers before it nor others.
  @Test func workersWaitTheirTurnWithoutTheStore() throws {
    let sandbox = try sandbox(
      """
      ---
      shortcut: in-turn
      mode: queued
      input: {type: int}
      steps:
        - create: {entity: Task, set: {title: 'a {{ input }}'}}
        - wait: 300ms
        - create: {entity: Task, set: {title: 'b {{ input }}'}}
      output: none
      ---
      shortcut: put-three
      steps:
        - for: number
          in: '{{ lists.range(3) }}'
          do: [{enqueue: {name: in-turn, input: '{{ number }}'}}]
      output: none

      """)
    let run = try sandbox.shell(
      """
      errand run put-three -q
      for i in 1 2 3; do errand worker --once --quiet & done
      errand add-task meanwhile -q; echo "status $?"; wait
      """)
    #expect(run == ProgramRun(out: "meanwhile\nstatus 0\n"))
    #expect(try states(sandbox) == "3 in-turn done\n2 in-turn done\n1 in-turn done\n")
  }

  @Test func onlyWhatAWorkerKnowsIsPutIn() throws {
    let sandbox = try sandbox()
    try sandbox.write(
      """
      shortcut: first
      steps: [{enqueue: second}]
      ---
      shortcut: second
      steps: []

      """, to: "two.yaml")
    let foreign = try sandbox.run("run", "two.yaml#first")
    #expect(foreign.status == 1)
    #expect(foreign.err.contains("a worker does not know `second`"), "\(foreign.err)")
    try sandbox.write(
      "shortcut: third\nsteps: [{enqueue: {name: tag-link, with: {tagg: x}}}]\n", to: "three.yaml")
    let wrong = try sandbox.run("check", "three.yaml")
    #expect(wrong.status == 2)
    #expect((wrong.out + wrong.err).contains("`tag-link` has no parameter `tagg`"), "\(wrong)")
  }

  @Test func jobWithAKeyWaitsOnce() throws {
    let sandbox = try sandbox()
    try sandbox.write(
      """
      shortcut: keyed
      steps:
        - enqueue: {name: failing, key: one, after: 1h, requires: [network], retry: {times: 1, delay: 1m}}
        - enqueue: {name: failing, key: one}
          as: second
        - value: '{{ second == null }}'

      """, to: "keyed.yaml")
    #expect(try sandbox.run("run", "keyed.yaml").out == "true\n")
    let job = try sandbox.run(
      "queue", "--format",
      "{{ self.key }} {{ self.requires }} {{ self.retries }} {{ self.due > self.created }}"
    ).out
    #expect(job == "one network 1 true\n")
    #expect(try sandbox.run("queue", "drain", "--quiet").status == 0)
    #expect(try states(sandbox) == "1 failing waiting\n")
  }

  @Test func automationsAreListedAndRun() throws {
    let sandbox = try sandbox(
      """
      ---
      automation: greet
      on:
        - created: Link
          where: self.url.contains("swift")
        - at: '08:00'
          days: [weekdays]
      steps:
        - create: {entity: Task, set: {title: 'Read {{ trigger.item.url }}'}}

      """)
    _ = try sandbox.run("worker", "--once", "--quiet")
    _ = try sandbox.run("create", "link", "url=https://swift.org")
    _ = try sandbox.run("create", "link", "url=https://sqlite.org")
    #expect(try sandbox.run("worker", "--once", "--quiet").status == 0)
    let tasks = try sandbox.run("find", "tasks", "--format", "{{ self.title }}").out
    #expect(tasks == "Read https://swift.org\n")
    let list = try sandbox.run("automations", "--format", "{{ self.name }} {{ self.state }}").out
    #expect(list == "greet done\nreminders on\nsync-my-stars off\n")
    let text = try sandbox.run("automations").out
    #expect(text.hasPrefix("greet\tcreated Link; at 08:00 mon, tue, wed, thu, fri\t"))
  }

  @Test func whatWouldHappenIsShownAndChangesNothing() throws {
    let sandbox = try Sandbox([
      ".config/errand/mine.yaml": """
      automation: water
      on: [{every: day, at: '09:00'}, {at: '23:00', between: ['08:00', '22:00']}]
      steps: [{create: {entity: Task, set: {title: Water}}}, {notify: Water}]
      ---
      automation: rarely
      on: [{at: '23:00', between: ['08:00', '22:00']}]
      steps: [{log: a}]
      """
    ])
    _ = try sandbox.run("add-task", "A")
    let words = ["--format", "{{ self.automation }} {{ self.time.format('HH:mm') }}"]
    #expect(
      try sandbox.run(["automations", "--next", "2"] + words).out == "water 09:00\nwater 09:00\n")
    #expect(
      try sandbox.run("automations", "--format", "{{ self.name }} {{ self.next == null }}").out
        .contains("rarely true\nreminders true\n"))
    let run = try sandbox.run("automations", "--simulate", "3d")
    let lines = run.out.split(separator: "\n")
    #expect(
      lines.count == 9 && run.err.hasPrefix("3 runs of 1 automation;"), "\(run.out)\(run.err)")
    #expect(lines.count { $0.contains("would create") && $0.contains("Water") } == 3)
    #expect(lines.count { $0.contains("would notify") } == 3)
    #expect(try sandbox.run("find", "Task", "--format", "{{ self.title }}").out == "A\n")
    let files = try FileManager.default.contentsOfDirectory(
      atPath: sandbox.path + "/.local/share/errand")
    #expect(!files.contains { $0.contains("trial") })
    // What waits for others, and what does not happen, takes no time.
    try sandbox.write(
      """
      automation: begins
      on: [start, online]
      steps: [{log: a}]
      ---
      automation: often
      on: [{every: 6h}]
      steps: [{log: a}]
      ---
      shortcut: put
      steps: [{enqueue: {name: later}}]
      ---
      shortcut: later
      steps: [{log: a}]
      """, to: ".config/errand/more.yaml")
    let times = try sandbox.run("automations", "--next", "3", "--format", "{{ self.time }}").out
    #expect(Set(times.split(separator: "\n")).count == 3, "\(times)")
    _ = try sandbox.run("worker", "--once", "--quiet")
    _ = try sandbox.run("run", "put")
    let year = try sandbox.run("automations", "--simulate", "365d")
    #expect(year.status == 0 && !year.out.contains("begins"), "\(year.err)")
    #expect(try sandbox.run("automations", "--simulate", "often").status == 2)
    #expect(try sandbox.run("automations", "--next", "0").status == 2)
  }

  @Test func eventsToComeAreForeseen() throws {
    let sandbox = try Sandbox([
      ".config/errand/mine.yaml": """
      automation: tell
      on: [{event: {before: 10m, where: 'self.title != "Other"'}}]
      steps: [{notify: '{{ trigger.item.title }} {{ trigger.item.start.format("HH:mm") }}'}]
      """
    ])
    for title in ["Stand-up", "Other"] {
      _ = try sandbox.run(
        "create", "event", "title=\(title)", "start=2026-01-05T09:00", "repeat=every day")
    }
    let next = try sandbox.run(
      "automations", "--next", "2", "--format", "{{ self.item }} {{ self.time.format('HH:mm') }}")
    #expect(next.out == "Stand-up 08:50\nStand-up 08:50\n", "\(next.err)")
    let days = try sandbox.run("automations", "--simulate", "3d")
    #expect(
      days.out.split(separator: "\n").count { $0.contains("Stand-up 09:00") } == 3, "\(days.out)")
  }

  @Test func automationsArePausedResumedAndRun() throws {
    let sandbox = try Sandbox()
    let path = ".config/errand/greet.yaml"
    try sandbox.write(
      """
      # mine
      automation: other
      on: {every: 1h}
      steps: []
      ---
      automation: 'greet'  # each hour
      on: {every: 1h}
      steps: [{say: hello}]

      """, to: path)
    func states() throws -> String {
      try sandbox.run("automations", "--format", "{{ self.name }} {{ self.state }}").out
    }
    #expect(try sandbox.run("automations", "pause", "greet").err == "Paused greet.\n")
    #expect(try states() == "greet off\nother on\nreminders on\nsync-my-stars off\n")
    #expect(sandbox.read(path)?.contains("'greet'  # each hour\nenabled: false\non:") == true)
    #expect(try sandbox.run("automations", "pause", "greet").err == "greet is paused already.\n")
    // By hand it runs all the same, with the flags of `run`.
    #expect(try sandbox.run("automations", "run", "greet").err == "hello\n")
    #expect(try sandbox.run("automations", "run", "greet", "--dry-run").status == 0)
    try sandbox.write(
      try #require(sandbox.read(path)).replacing("enabled: false", with: "enabled: false # why"),
      to: path)
    #expect(try sandbox.run("automations", "resume", "greet").err == "Resumed greet.\n")
    #expect(sandbox.read(path)?.contains("\nenabled: true # why\n") == true)
    #expect(try states() == "greet on\nother on\nreminders on\nsync-my-stars off\n")
    let builtIn = try sandbox.run("automations", "resume", "sync-my-stars")
    #expect(builtIn.status != 0 && builtIn.err.contains("`sync-my-stars` is not in your own files"))
    #expect(try sandbox.run("automations", "pause", "gone").err.contains("no automation `gone`"))
    #expect(try sandbox.run("automations", "pause").err.contains("needs NAME…"))
    #expect(try sandbox.run("automations", "greet").err.contains("errand automations run greet"))
  }

  @Test func jobsThatWaitForTheSameAreOneLine() throws {
    let sandbox = try sandbox()
    for name in ["a", "b", "c"] { _ = try sandbox.run("save-and-tag", "https://\(name).example") }
    let run = try sandbox.terminal("queue")
    #expect(try run.finish() == 0)
    #expect(run.text.contains("3 jobs") && !run.text.contains("\n2"), "\(run.text)")
    #expect(try states(sandbox).split(separator: "\n").count == 3)
  }

  @Test func theUnitOfAWorkerIsWrittenAndRemoved() throws {
    let sandbox = try sandbox()
    let install = try sandbox.run("worker", "install", "--store", "a b%.db")
    #expect(install.status == 0, "\(install)")
    let unit = try #require(sandbox.read(".config/systemd/user/errand-worker.service"))
    #expect(unit.contains(#"/errand" "worker" "--store" ""#))
    #expect(unit.contains(#"/a b%%.db""#))
    #expect(try sandbox.run("worker", "remove").status == 0)
    #expect(sandbox.read(".config/systemd/user/errand-worker.service") == nil)
  }

  // MARK: Workers

  private func begin(_ sandbox: Sandbox, _ words: String...) throws -> TestProcess {
    try TestProcess(
      Sandbox.products + "/errand", words, environment: sandbox.environment, folder: sandbox.path,
      streams: [
        0: .file("/dev/null", O_RDONLY),
        1: .file(sandbox.path + "/log", O_WRONLY | O_CREAT | O_TRUNC),
        2: .file(sandbox.path + "/err", O_WRONLY | O_CREAT),
      ])
  }

  /// Waits until the slow job has written its output.
  private func waitFor(_ title: String, _ sandbox: Sandbox) throws {
    let deadline = Clock.seconds + TestProcess.patience
    while try !sandbox.run("find", "tasks", "--quiet").out.contains(title) {
      guard Clock.seconds < deadline else {
        throw TestProcess.Failure(reason: "no job began: \(sandbox.read("err") ?? "")")
      }
      usleep(20_000)
    }
  }

  private func waitForLog(_ text: String, _ sandbox: Sandbox, times: Int = 1) throws {
    let deadline = Clock.seconds + TestProcess.patience
    while (sandbox.read("log") ?? "").components(separatedBy: text).count <= times {
      guard Clock.seconds < deadline else {
        throw TestProcess.Failure(reason: "“\(text)” was not logged: \(sandbox.read("log") ?? "")")
      }
      usleep(20_000)
    }
  }
}
