import CEL
import Catalog
import Engine
import ErrandKit
import Program
import Source
import Store

/// `errand automations`: lists automations with their last and next runs.
enum AutomationsCommand {
  static let command = Command(
    "automations", "list automations with their last and next runs", usage: "[NAME]",
    discussion: "A worker runs them: see `errand help worker`.",
    serves: [.json, .format, .events], reads: .always
  ) { invocation, arguments in
    if let word = arguments.words.first {
      throw UsageError(
        "`automations` lists all of them",
        help: "`errand run \(word.quotedForShell)` starts it now, `errand show` prints it")
    }
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
