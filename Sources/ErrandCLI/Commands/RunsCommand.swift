import CEL
import Engine
import ErrandKit
import Source
import Store

/// `errand runs`: lists recorded runs.
enum RunsCommand {
  private static let defaultLimit = 20

  static let command = Command(
    "runs", "list the runs that changed something, and those that can go on",
    discussion: "The latest come first. Runs that only read are not recorded.",
    flags: [
      Flag("failed", .toggle, "only those that failed, or whose process died"),
      Flag("of", .value("NAME"), "only those of an intent or a shortcut"),
      Flag("limit", short: "n", .value("N"), "how many at most [default \(defaultLimit)]"),
    ],
    serves: [.json, .format, .events], reads: .always
  ) { invocation, arguments in
    var selection = RunSelection(limit: try arguments.wholeNumber("limit") ?? defaultLimit)
    selection.name = arguments.last("of")
    selection.isFailed = arguments.isOn("failed")
    let session = try invocation.session()
    let runs = try selection.limit == 0 ? [] : session.store().runs.recorded(selection)
    try report(RunListing(session), TimeText(invocation)).write(runs, to: invocation)
    return ExitStatus.done
  }

  /// A report of recorded runs.
  static func report(_ listing: RunListing, _ times: TimeText) -> Report<RecordedRun> {
    Report(
      columns: [
        "run": { String($0.number) }, "name": \.name, "state": \.state.rawValue,
        "began": { times.text($0.started) }, "took": took, "result": { result($0, listing) },
      ], value: listing.value, empty: "No runs.")
  }

  /// The time a run took; empty while it goes on.
  private static func took(_ run: RecordedRun) -> String {
    guard let length = run.ended?.since(run.started) else { return "" }
    return Age.text(ofMicroseconds: length.totalNanoseconds.map { $0 / 1000 } ?? 0)
  }

  private static func result(_ run: RecordedRun, _ listing: RunListing) -> String {
    if let error = listing.error(run) { return error.inOneLine }
    if run.state == .suspended || run.state == .interrupted, run.isDurable {
      return "errand resume \(run.number)"
    }
    return listing.result(run).map { listing.session.renderer.text(of: $0).inOneLine } ?? ""
  }
}
