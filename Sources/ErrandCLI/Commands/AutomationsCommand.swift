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
      Lists them with their last and next runs. `pause` and `resume` write the line `enabled` into \
      your definition; what happens meanwhile is not made up for. `run` runs one now, with the flags \
      of `errand run`. A worker runs them otherwise: see `errand help worker`.
      """,
    serves: [.json, .format, .events], reads: .withoutWords,
    others: ["run": { RunCommand.command }]
  ) { invocation, arguments in
    guard let verb = arguments.words.first else { return try list(invocation) }
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

  private static func list(_ invocation: Invocation) throws {
    let run = try invocation.openRun()
    let store = try invocation.absentStore() == nil ? run.store() : nil
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
