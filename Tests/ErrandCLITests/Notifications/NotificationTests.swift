import FoundationEssentials
import TestSupport
import Testing

/// Notifications for a person who is away, and their channels.
@Suite struct NotificationTests {
  /// Creates a sandbox with a file that notifies through these channels.
  private func sandbox(_ via: String = "", _ settings: String = "") throws -> Sandbox {
    let sandbox = try Sandbox([
      "n.yaml":
        "shortcut: n\nsteps: [{notify: {title: Bäckup, text: Disk is full\(via)}}]\noutput: none\n"
    ])
    if !settings.isEmpty { try sandbox.write(settings, to: ".config/errand/settings.yaml") }
    return sandbox
  }

  private static let log = ".local/state/errand/notifications"

  @Test func missedNotificationsAreShownOnceOnATerminal() throws {
    let sandbox = try sandbox()
    for _ in 0..<2 {
      #expect(try sandbox.run("run", "n.yaml") == ProgramRun(err: "Bäckup: Disk is full\n"))
    }
    // Neither a pipe nor a person with --quiet counts as present.
    #expect(try sandbox.run("list", "shortcuts").err == "")
    #expect(try sandbox.terminal("list", "shortcuts", "-q").finish() == 0)
    let first = try sandbox.terminal("list", "shortcuts")
    #expect(try first.finish() == 0)
    #expect(first.text.hasPrefix("errand: while you were away: 2\n  Bäckup: Disk is full  "))
    #expect(first.text.components(separatedBy: "Disk is full").count == 2)
    #expect(first.text.contains("×2"), "\(first.text)")
    let second = try sandbox.terminal("list", "shortcuts")
    #expect(try second.finish() == 0)
    #expect(!second.text.contains("Disk is full"), "\(second.text)")
    let log = try sandbox.run("log", "--notifications")
    #expect(
      log.status == 0 && log.out.components(separatedBy: "  Bäckup: Disk is full\n").count == 3)
    #expect(
      try sandbox.run("log", "--notifications", "--format", "{{ self.title }} {{ self.urgency }}")
        .out == "Bäckup normal\nBäckup normal\n")
    #expect(try sandbox.run("log", "--notifications", "last").status == 2)
  }

  @Test func onceTellsOnlyChanges() throws {
    let sandbox = try Sandbox([
      "n.yaml": """
      shortcut: n
      input: {type: string}
      steps: [{notify: {text: 'It is {{ input }}.', once: state}}]
      output: none
      tests:
        - input: up
          expect: {notifications: [{text: It is up.}]}
      ---
      shortcut: twice
      steps: [{for: x, in: '{{ ["up", "up", "down"] }}', do: [{notify: {text: '{{ x }}', once: k}}]}]
      output: none
      tests:
        - expect: {notifications: [{text: up}, {text: down}]}
      """
    ])
    var told: [String] = []
    for state in ["up", "up", "down", "down", "up"] {
      told.append(try sandbox.run("run", "n.yaml#n", state).err)
    }
    #expect(told == ["N: It is up.\n", "", "N: It is down.\n", "", "N: It is up.\n"])
    #expect(try sandbox.run("test", "n.yaml").status == 0)
  }

  @Test func manyAreCounted() throws {
    let sandbox = try Sandbox([
      "n.yaml": """
      shortcut: n
      steps: [{for: n, in: '{{ lists.range(12) }}', do: [{notify: 'number {{ n }};'}]}]
      output: none
      """
    ])
    #expect(try sandbox.run("run", "n.yaml").status == 0)
    let run = try sandbox.terminal("list", "shortcuts")
    #expect(try run.finish() == 0)
    #expect(run.text.hasPrefix("errand: while you were away: 12\n"), "\(run.text)")
    #expect(!run.text.contains("number 1;") && run.text.contains("number 11;"))
    #expect(run.text.contains("  `errand log --notifications` shows all of them\n"))
  }

  @Test func equalOnesAreCountedTogether() throws {
    let sandbox = try Sandbox([
      "n.yaml": """
      shortcut: n
      steps:
        - for: n
          in: '{{ lists.range(8) }}'
          do: [{notify: '{{ n == 7 ? "last" : "The service is down, and nobody knows when it will be up again; ask the office." }}'}]
      output: none
      """
    ])
    #expect(try sandbox.run("run", "n.yaml").status == 0)
    let run = try sandbox.terminal("list", "shortcuts")
    #expect(try run.finish() == 0)
    #expect(run.text.contains("×7  ") && run.text.contains(": last  "), "\(run.text)")
    #expect(!run.text.contains("Ser\n") && !run.text.contains("dow\n"), "\(run.text)")
  }

  @Test func aReminderSaysOnceThatNoWorkerRuns() throws {
    let sandbox = try Sandbox()
    let hint = "errand worker install"
    func text(_ words: String...) throws -> String {
      let run = try sandbox.terminal(words, columns: 200)
      #expect(try run.finish() == 0)
      return run.text
    }
    let due = "2130-01-31 10:00"
    #expect(try !sandbox.run("add-task", "Script", "--due", due).err.contains(hint))
    #expect(try !text("add-task", "Plain").contains(hint))
    #expect(try !text("add-task", "Dry", "--due", due, "--dry-run").contains(hint))
    #expect(try !text("tasks", "--all").contains(hint))
    #expect(try text("remind", "Plain", "--at", "2130-01-31").contains(hint))
    #expect(try !text("add-task", "Call", "--due", due).contains(hint))
  }

  @Test func aWorkerLogsThem() throws {
    let sandbox = try Sandbox([
      ".config/errand/a.yaml": """
      shortcut: tell
      steps: [{notify: {title: Backup, text: 'full', urgency: critical}}]
      ---
      shortcut: later
      steps: [{enqueue: tell}]
      output: none
      """
    ])
    #expect(try sandbox.run("later", "-q").status == 0)
    let worker = try sandbox.run("worker", "--once")
    #expect(
      worker.out.contains(" level=warning message=notification title=Backup text=full\n"),
      "\(worker)")
    #expect(sandbox.read(Self.log)?.contains("full") == true)
  }

  @Test func mailIsSent() throws {
    let sandbox = try sandbox(", via: mail", "mailTo: ada@example.com\n")
    try sandbox.write(
      "#!/bin/sh\n{ echo \"$@\"; cat; } > \"$HOME/mail\"\n", to: "bin/sendmail", isProgram: true)
    #expect(try sandbox.run("run", "n.yaml") == ProgramRun())
    #expect(
      sandbox.read("mail") == """
        -i -- ada@example.com
        To: ada@example.com
        Subject: =?utf-8?B?QsOkY2t1cA==?=
        Auto-Submitted: auto-generated
        MIME-Version: 1.0
        Content-Type: text/plain; charset=utf-8
        Content-Transfer-Encoding: base64

        RGlzayBpcyBmdWxsCg==

        """)
    #expect(sandbox.read(Self.log) == nil)
  }

  @Test func aProgramIsStarted() throws {
    let sandbox = try sandbox(
      ", via: [program, desktop]", "notifyCommand: [teller, '{urgency}: {title}', '{text}']\n")
    try sandbox.write(
      "#!/bin/sh\nprintf '%s|' \"$@\" > \"$HOME/told\"\n", to: "bin/teller", isProgram: true)
    #expect(try sandbox.run("run", "n.yaml") == ProgramRun())
    #expect(sandbox.read("told") == "normal: Bäckup|Disk is full|")
  }

  @Test func ntfyServerReceivesTheNotification() throws {
    let server = try LoopbackServer { _, peer in peer.reply(200) }
    let sandbox = try sandbox(
      ", via: ntfy", "ntfy: '\(server.url("/in/backups"))'\nntfyToken: NTFY\n")
    #expect(
      try sandbox.run("secret", "set", "NTFY", "-", "-q", input: "tk_open sesame").status == 0)
    #expect(try sandbox.run("run", "n.yaml") == ProgramRun())
    let request = try #require(server.requests.first)
    #expect(server.requests.count == 1)
    #expect(request.method == "POST" && request.target == "/in/")
    #expect(request.headers["authorization"] == "Bearer tk_open sesame")
    #expect(
      request.body
        == #"{"topic":"backups","title":"Bäckup","message":"Disk is full","priority":3}"#)
    #expect(sandbox.read(Self.log) == nil)
  }

  @Test func withoutABrowserAPushIsKeptWithAdvice() throws {
    let sandbox = try sandbox(", via: push")
    #expect(try sandbox.run("run", "n.yaml").status == 0)
    #expect(
      try sandbox.run("log", "--notifications", "--format", "{{ self.problems }}").out
        .contains("push: not set up; turn notifications on in the settings of the page"))
    sandbox.environment["ERRAND_ALLOW"] = nil
    #expect(try sandbox.run("show", "n.yaml", "--access") == ProgramRun(out: "notify  push\n"))
    let refused = try sandbox.run("run", "n.yaml")
    #expect(refused.status == 1 && refused.err.contains("--allow notify:push"), "\(refused)")
  }

  @Test func laterNeedsAnAutomation() throws {
    let sandbox = try sandbox(", actions: [Done], later: true")
    let run = try sandbox.run("run", "n.yaml")
    #expect(run.status == 1 && run.err.contains("`later` needs an automation"), "\(run)")
  }

  @Test func undeliveredNotificationsAreKeptWithTheReason() throws {
    let server = try LoopbackServer { _, peer in peer.reply(403) }
    let sandbox = try sandbox(", via: [mail, ntfy]", "ntfy: '\(server.url("/backups"))'\n")
    #expect(try sandbox.run("run", "n.yaml").status == 0)
    let kept = try sandbox.run("log", "--notifications", "--format", "{{ self.problems }}").out
    #expect(kept.contains("ntfy: \(server.url("/")) answered with status 403"), "\(kept)")
    #expect(
      kept.contains("mail: not set up; errand settings set mailTo ada@example.com"), "\(kept)")
  }

  @Test func oneWayThatFailsIsTold() throws {
    let sandbox = try sandbox(", via: [mail, program]", "mailTo: a@b\nnotifyCommand: ['true']\n")
    try sandbox.write(
      "#!/bin/sh\necho no route >&2\nexit 69\n", to: "bin/sendmail", isProgram: true)
    #expect(
      try sandbox.run("run", "n.yaml")
        == ProgramRun(
          err: "not sent via mail: \(sandbox.path)/bin/sendmail ended with status 69: no route\n"))
    #expect(sandbox.read(Self.log) == nil)
  }

  @Test func foreignFileNeedsPermissionForNotifications() throws {
    let sandbox = try sandbox(", via: [ntfy, program]", "notifyCommand: ['true']\n")
    sandbox.environment["ERRAND_ALLOW"] = nil
    #expect(
      try sandbox.run("show", "n.yaml", "--access")
        == ProgramRun(out: "notify  ntfy\nnotify  program\n"))
    let refused = try sandbox.run("run", "n.yaml")
    #expect(refused.status == 1 && refused.err.contains("[not-allowed]"), "\(refused)")
    #expect(refused.err.contains("--allow notify:ntfy,notify:program"), "\(refused)")
    #expect(
      try sandbox.run("run", "n.yaml", "--allow", "notify:ntfy,notify:program") == ProgramRun())
    try sandbox.write(
      "shortcut: m\nparameters: {way: string}\nsteps: [{notify: {text: x, via: '{{ way }}'}}]\n",
      to: "m.yaml")
    #expect(
      try sandbox.run("show", "m.yaml", "--access").out
        == "notify  *  (the channels are named when the step runs)\n")
    let other = try sandbox.run("run", "m.yaml", "--way", "program", "--allow", "notify:mail")
    #expect(
      other.err.contains("this file is not allowed to send notifications by program"), "\(other)")
  }

  @Test func channelsAreChecked() throws {
    let sandbox = try Sandbox(["a.yaml": "shortcut: a\nsteps: [{notify: {text: x, via: [nfty]}}]\n"]
    )
    let run = try sandbox.run("check", "a.yaml")
    #expect(run.out.contains("`via`: unknown channel “nfty” [invalid-value]"), "\(run)")
    #expect(run.out.contains("did you mean `ntfy`?"), "\(run)")
  }

  @Test func testsOfDefinitionsSeeThem() throws {
    let sandbox = try Sandbox([
      "a.yaml": """
      shortcut: a
      steps: [{notify: {text: x, via: [mail, ntfy]}}]
      tests:
        - name: both
          expect: {notifications: [{text: x, via: [mail, ntfy]}]}
      """
    ])
    #expect(try sandbox.run("test", "a.yaml").status == 0)
  }

  @Test(arguments: [
    ("ntfy", "https://ntfy.sh", "is not a topic"), ("ntfy", "backups", "is not a topic"),
    ("mailTo", "ada", ""), ("mailTo", "Ada <a@b>", "is not a mail address"),
    ("pushHosts", "push.example.com *.push.example.com", ""), ("pushHosts", "*", "must be hosts"),
    ("pushHosts", "https://push.example.com", "must be hosts"),
    ("mailTo", "a@b@c", "is not a mail address"), ("ntfy", "https://ntfy.sh/a_b-1", ""),
  ])
  func settingsAreChecked(name: String, value: String, problem: String) throws {
    let run = try Sandbox().run("settings", "set", name, value)
    #expect(run.err.contains(problem) && (run.status == 0) == problem.isEmpty, "\(run)")
  }
}
