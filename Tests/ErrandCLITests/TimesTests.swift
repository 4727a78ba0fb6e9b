import TestSupport
import Testing

/// Times on the command line: automations by clock and sun, and repeating tasks.
@Suite struct TimesTests {
  private static let automations = """
    automation: a-days
    on: [{every: {days: 3, at: '09:00'}}]
    steps: [{log: x}]
    ---
    automation: b-month
    on: [{every: month, on: [1, last], at: 6pm}]
    steps: [{log: x}]
    ---
    automation: c-cron
    on: [{cron: '0  9 * * 1-5'}]
    steps: [{log: x}]
    ---
    automation: d-sun
    on: [{at: sunset - 30m, days: [sat]}]
    steps: [{log: x}]
    ---
    automation: e-here
    on: [{at: sunrise, location: '52.52, 13.40'}]
    steps: [{log: x}]

    """

  @Test func automationsAreListedWithTheirTimes() throws {
    let sandbox = try Sandbox([".config/errand/times.yaml": Self.automations])
    sandbox.environment["TZ"] = "Europe/Berlin"
    func lines() throws -> [[String]] {
      try sandbox.run("automations").out.split(separator: "\n").prefix(5).map {
        $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      }
    }
    let before = try lines()
    #expect(
      before.map { $0[1] } == [
        "every 3 days at 09:00", "every month on 1, last at 18:00", "cron 0 9 * * 1-5",
        "at sunset - 30m sat", "at sunrise (52.52, 13.4)",
      ])
    #expect(before[0][3].hasSuffix(" 09:00"), "\(before)")
    #expect(before[1][3].hasSuffix(" 18:00"), "\(before)")
    #expect(before[2][3].hasSuffix(" 09:00"), "\(before)")
    #expect(before[3][3].isEmpty)
    #expect(before[3][4] == "needs a location: errand settings set location '52.52, 13.40'")
    #expect(!before[4][3].isEmpty)
    #expect(try sandbox.run("settings", "set", "location", "52.52, 13.40").status == 0)
    let after = try lines()
    #expect(!after[3][3].isEmpty)
    #expect(after[3][4] == "on")
    let wrong = try sandbox.run("settings", "set", "location", "Berlin")
    #expect(wrong.status == 2)
    #expect(wrong.err.contains("“Berlin” must be latitude and longitude: 52.52, 13.40"))
  }

  @Test func workerWithoutALocationReportsItOnce() throws {
    let sandbox = try Sandbox([".config/errand/times.yaml": Self.automations])
    let run = try sandbox.run("worker", "--once")
    #expect(run.status == 0)
    let lines = (run.out + run.err).split(separator: "\n").filter { $0.contains("d-sun") }
    #expect(lines.count == 1, "\(run)")
    #expect(lines.first?.contains("errand settings set location '52.52, 13.40'") == true)
  }

  // MARK: Tasks that repeat

  private func tasks(_ sandbox: Sandbox) throws -> [String] {
    try sandbox.run(
      "find", "Task", "--sort", "id", "--format",
      "{{ self.title }}|{{ self.due }}|{{ self.done }}|{{ self.repeat }}"
    ).out.split(separator: "\n").map(String.init)
  }

  @Test func doneMakesTheNextAndUndoTakesBackBoth() throws {
    let sandbox = try Sandbox()
    let added = try sandbox.run(
      "add-task", "Rent", "--due", "2199-01-31", "--repeat", "every month on the last day")
    #expect(added.status == 0, "\(added)")
    #expect(try tasks(sandbox) == ["Rent|2199-01-31|false|every month on last"])
    let done = try sandbox.run("toggle-task", "Rent")
    #expect(done.err.contains("Done: Rent. Next: 28 Feb 2199."), "\(done)")
    #expect(
      try tasks(sandbox) == [
        "Rent|2199-01-31|true|", "Rent|2199-02-28|false|every month on last",
      ])
    #expect(try sandbox.run("undo").status == 0)
    #expect(try tasks(sandbox) == ["Rent|2199-01-31|false|every month on last"])
    #expect(try sandbox.run("redo").status == 0)
    #expect(try tasks(sandbox).count == 2)
    // A reopened task has passed its rule on.
    #expect(try sandbox.run("toggle-task", "task:1").status == 0)
    #expect(try sandbox.run("toggle-task", "task:1").status == 0)
    #expect(try tasks(sandbox).count == 2)
  }

  @Test func aWrongRuleIsNotSaved() throws {
    let sandbox = try Sandbox()
    for words in [
      ["add-task", "x", "--repeat", "every so often"],
      ["create", "task", "title=x", "repeat=every so often"],
      ["call", "add-task", "--param", "title=x", "--param", "repeat=every so often"],
    ] {
      let run = try sandbox.run(words)
      #expect(run.status == 2, "\(run)")
      #expect(run.err.contains("“every so often” is not a rule by which something repeats"))
      #expect(run.err.contains("write it as every monday, every 2 weeks, every month on last fri"))
    }
    let line = try sandbox.run(
      "import", "-", input: #"{"entity":"Task","title":"x","repeat":"every so often"}"#)
    #expect(line.err.contains("`repeat` must be a rule such as every monday"), "\(line)")
    #expect(try tasks(sandbox) == [])
    _ = try sandbox.run("add-task", "y")
    #expect(try sandbox.run("update", "task:1", "repeat=never").status != 0)
    #expect(try sandbox.run("update", "task:1", "repeat=weekly").status == 0)
    #expect(try tasks(sandbox) == ["y||false|every week"])
  }
}
