import CEL
import Engine
import ErrandKit
import Source
import Store

/// `errand runs`: lists recorded runs.
enum RunsCommand {
  private static let defaultLimit = 20

  static let command = Command(
    "runs", "list recorded runs",
    discussion: "Newest first. Runs that only read are not recorded.",
    flags: [
      Flag("failed", .toggle, "only failed or crashed runs"),
      Flag("of", .value("NAME"), "only runs of an intent or a shortcut"),
      Flag("limit", short: "n", .value("N"), "maximum number of runs [default \(defaultLimit)]"),
    ],
    serves: [.json, .format, .events], reads: .always
  ) { invocation, arguments in
    var selection = RunSelection(limit: try arguments.wholeNumber("limit") ?? defaultLimit)
    selection.name = arguments.last("of")
    selection.isFailed = arguments.isOn("failed")
    let run = try invocation.openRun()
    let runs = try selection.limit == 0 ? [] : run.store().runs.recorded(selection)
    try report(RunListing(run), TimeText(invocation)).write(runs, to: invocation)
  }

  /// Returns a report of recorded runs.
  static func report(_ listing: RunListing, _ times: TimeText) -> Report<RecordedRun> {
    Report(
      columns: [
        "run": { String($0.number) }, "name": \.name, "state": \.state.rawValue,
        "began": { times.text($0.started) }, "took": took, "result": { result($0, listing) },
      ], value: listing.value, empty: "No runs.")
  }

  /// Duration of a run; empty while it runs.
  private static func took(_ run: RecordedRun) -> String {
    guard let length = run.ended?.since(run.started) else { return "" }
    return Age.text(of: .nanoseconds(length.totalNanoseconds ?? 0))
  }

  private static func result(_ run: RecordedRun, _ listing: RunListing) -> String {
    if let error = listing.error(run) { return error.inOneLine }
    if run.state == .suspended || run.state == .interrupted, run.isDurable {
      return "errand resume \(run.number)"
    }
    return listing.result(run).map { listing.liveRun.renderer.text(of: $0).inOneLine } ?? ""
  }
}
