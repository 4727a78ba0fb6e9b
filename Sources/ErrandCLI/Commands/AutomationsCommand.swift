import CEL
import Catalog
import Engine
import ErrandKit
import Program
import Source
import Store

/// `errand automations`: lists, pauses, resumes and runs automations.
enum AutomationsCommand {
  static let command: Command = .init(
    "automations", "list, pause, resume or run automations",
    usage: "[pause NAME… | resume NAME… | run NAME]",
    discussion: """
      Lists them with their last and next runs. `--next` lists the next runs that are known, `--simulate` \
      shows what would happen in a time ahead, on a copy of your library. `pause` and `resume` write the \
      line `enabled` into your definition; what happens meanwhile is not made up for. `run` runs one now, \
      with the flags of `errand run`. A worker runs them otherwise: see `errand help worker`.
      """,
    flags: [
      Flag("next", .value("N"), "list the next N runs"),
      Flag("simulate", .value("TIME"), "show what would happen in a time such as 30d"),
    ],
    serves: [.json, .format, .events], reads: .withoutWords,
    others: ["run": { RunCommand.command }]
  ) { invocation, arguments in
    guard let verb = arguments.words.first else {
      if let length = arguments.last("simulate") { return try simulate(length, invocation) }
      if let count = arguments.last("next") { return try next(count, invocation) }
      return try list(invocation)
    }
    let names = arguments.words.dropFirst()
    guard ["pause", "resume"].contains(verb), !names.isEmpty else {
      guard try invocation.catalog().automationNames.contains(verb) else {
        throw command.misuse(arguments.words)
      }
      throw UsageError(
        "`\(verb)` is an automation",
        help: "`errand automations run \(verb)` starts it now; also `pause` and `resume`")
    }
    for name in names { try turn(name, on: verb == "resume", invocation) }
  }

  private static func turn(_ name: String, on: Bool, _ invocation: Invocation) throws {
    let errand = try Errand.open(Errand.Options())
    let isChanged = try errand.setAutomation(name, isEnabled: on)
    if !isChanged { return invocation.say("\(name) is \(on ? "on" : "paused") already.") }
    invocation.say(on ? "Resumed \(name)." : "Paused \(name).")
  }

  /// Lists the next runs.
  private static func next(_ count: String, _ invocation: Invocation) throws {
    guard let limit = Int(count), (1...1_000).contains(limit) else {
      throw UsageError("--next must be a number from 1 to 1000, not “\(count)”")
    }
    let (run, store) = try opened(invocation)
    let times = try TimeText(invocation)
    let report = Report<AutomationForecast.Entry>(
      columns: [
        "time": { times.text($0.time) }, "name": \.automation, "on": \.on,
        "item": { $0.item ?? "" },
      ], value: \.value, empty: "Nothing is known to run.")
    try report.write(try AutomationForecast(run, store).next(limit), to: invocation)
  }

  /// The largest number of runs of a simulation.
  private static let mostRuns = 10_000

  /// Shows what would happen in the time ahead.
  private static func simulate(_ length: String, _ invocation: Invocation) throws {
    guard let time = DurationReader.duration(length), (1...400 * 86_400).contains(time.seconds)
    else {
      throw UsageError(
        "--simulate must be a length of time up to 400d, not “\(length)”",
        help: "write --simulate 30d")
    }
    let (_, store) = try opened(invocation)
    let times = try TimeText(invocation)
    let host = invocation.makeHost()
    let text = StepText(host.clock)
    let simulation = AutomationSimulation(try invocation.catalog(), host, Interruption.run)
    var names: Set<String> = []
    var count = 0
    func tell(_ entry: AutomationSimulation.Entry) -> Bool {
      count += 1
      names.insert(entry.automation)
      let console = invocation.console
      if !invocation.mode.isPlain {
        console.result((try? text.json(of: entry.value)).map { $0 + "\n" } ?? "")
      } else {
        console.result(
          ([times.text(entry.time), entry.automation] + (entry.item.map { [$0] } ?? []))
            .joined(separator: "  ") + "\n")
        for step in entry.steps {
          console.result(
            "    would \(step.verb)  \(text.text(of: step.arguments))\n")
        }
        if let failure = entry.failure { console.result("    would fail: \(failure)\n") }
      }
      return count < mostRuns
    }
    func run(_ path: String?) throws {
      try simulation.run(for: time.seconds, on: path, tell: tell) { automation, reason in
        invocation.console.err("errand: \(automation): \(reason)\n")
        invocation.status = ExitStatus.failed
      }
    }
    if let store { try store.withCopy(run) } else { try run(nil) }
    guard invocation.mode.isPlain else { return }
    let runs = count == 1 ? "1 run" : "\(count) runs"
    invocation.say(
      count == 0
        ? "Nothing would run in \(length)."
        : count >= mostRuns
          ? "Ended after \(runs); nothing was changed."
          : "\(runs) of \(names.count == 1 ? "1 automation" : "\(names.count) automations"); nothing was "
            + "changed.")
  }

  private static func opened(_ invocation: Invocation) throws -> (run: Run, store: Database?) {
    let run = try invocation.openRun()
    return (run, try invocation.absentStore() == nil ? run.store() : nil)
  }

  private static func list(_ invocation: Invocation) throws {
    let (run, store) = try opened(invocation)
    let statuses = try run.catalog.automationNames.map { name in
      try AutomationStatus(name, run, store)
    }
    let times = try TimeText(invocation)
    let report = Report<AutomationStatus>(
      columns: [
        "name": \.name, "on": { $0.on.joined(separator: "; ") },
        "last": { $0.last.map(times.text) ?? "" }, "next": { $0.next.map(times.text) ?? "" },
        "state": \.state,
      ], value: \.value, empty: "No automations.")
    try report.write(statuses, to: invocation)
  }
}
