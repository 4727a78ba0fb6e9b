import CEL
import Catalog
import Engine
import ErrandKit
import Program
import Source
import Store

/// `errand automations`: lists automations with the last and the next run of each.
enum AutomationsCommand {
  static let command = Command(
    "automations", "list automations, with the last and the next run of each", usage: "[NAME]",
    discussion: "A worker looks after them: see `errand help worker`.",
    serves: [.json, .format, .events], reads: .always
  ) { invocation, arguments in
    if let word = arguments.words.first {
      throw UsageError(
        "`automations` lists all of them",
        help: "`errand run \(word.quotedForShell)` starts it now, `errand show` prints it")
    }
    let session = try invocation.session()
    let store = try invocation.absentStore() == nil ? session.store() : nil
    let rows = try session.library.automationNames.map { name in
      try AutomationStatus(name, session, store)
    }
    guard invocation.mode.isPlain else {
      try invocation.resultWriter.write(.list(rows.map(\.value)))
      return ExitStatus.done
    }
    let times = try TimeText(invocation)
    guard invocation.console.stdoutIsTerminal else {
      for row in rows {
        let cells = cells(row, times).map { "\($0)" as TerminalText }
        invocation.console.out(cells.joined(separator: "\t") + "\n")
      }
      return ExitStatus.done
    }
    if rows.isEmpty {
      invocation.say("No automations.")
    } else {
      invocation.front.show(
        Presentation(
          .table(columns: columns, rows: rows.map { cells($0, times) }), value: .null))
    }
    return ExitStatus.done
  }

  private static let columns = ["name", "on", "last", "next", "state"]

  private static func cells(_ status: AutomationStatus, _ times: TimeText) -> [String] {
    [
      status.name, status.on.joined(separator: "; "), status.last.map(times.text) ?? "",
      status.next.map(times.text) ?? "", status.state,
    ]
  }
}
