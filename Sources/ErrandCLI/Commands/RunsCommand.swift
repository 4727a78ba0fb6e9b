import CEL
import Engine
import ErrandKit
import Source
import Store

/// `errand runs`: lists recorded runs.
enum RunsCommand {
  private static let usualLimit = 20

  static let command = Command(
    "runs", "list the runs that changed something, and those that can go on",
    discussion: "The latest come first. Runs that only read are not recorded.",
    flags: [
      Flag("failed", .toggle, "only those that failed, or whose process died"),
      Flag("of", .value("NAME"), "only those of an intent or a shortcut"),
      Flag("limit", short: "n", .value("N"), "how many at most [default \(usualLimit)]"),
    ],
    serves: [.json, .format, .events], reads: .always
  ) { invocation, arguments in
    var selection = RunSelection(limit: usualLimit)
    if let text = arguments.last("limit") {
      guard let limit = Int(text), limit >= 0 else {
        throw UsageError("--limit must be a whole number, 0 or more, not “\(text)”")
      }
      selection.limit = limit
    }
    selection.name = arguments.last("of")
    selection.isFailed = arguments.isOn("failed")
    let session = try invocation.session()
    let runs = try selection.limit == 0 ? [] : session.store().recordedRuns(selection)
    let listing = try RunListing(session)
    guard invocation.mode.isPlain else {
      try invocation.resultWriter.write(.list(runs.map(listing.value)))
      return ExitStatus.done
    }
    let times = try TimeText(invocation)
    let rows = runs.map { listing.row($0, times) }
    if invocation.console.stdoutIsTerminal {
      if rows.isEmpty {
        invocation.say("No runs.")
      } else {
        invocation.front.show(
          Presentation(.table(columns: RunListing.columns, rows: rows), value: .null))
      }
    } else {
      for row in rows {
        invocation.console.out(row.map { "\($0)" as TerminalText }.joined(separator: "\t") + "\n")
      }
    }
    return ExitStatus.done
  }
}
