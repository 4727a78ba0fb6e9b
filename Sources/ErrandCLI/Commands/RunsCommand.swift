import CEL
import Engine
import ErrandKit
import Source
import Store

/// `errand runs`: lists recorded runs.
enum RunsCommand {
  private static let defaultLimit = 20

  static let command = Command(
    "runs", "list recorded runs", usage: "[RUN…]",
    discussion: """
      Newest first. Runs that only read are not recorded. `--as shortcut 41 42` writes a shortcut \
      that does what these runs did: their values become parameters, and a result that a later run \
      used is passed on.
      """,
    flags: [
      Flag("as", .value("shortcut"), "write a shortcut of the RUNs"),
      Flag("failed", .toggle, "only failed or crashed runs"),
      Flag("of", .value("NAME"), "only runs of an intent or a shortcut"),
      Flag("hub", .toggle, "the runs of jobs of all machines that share the library"),
      Flag("limit", short: "n", .value("N"), "maximum number of runs [default \(defaultLimit)]"),
    ],
    serves: [.json, .format, .events], reads: .always
  ) { invocation, arguments in
    var selection = RunSelection(
      limit: try arguments.wholeNumber("limit", atLeast: 1) ?? defaultLimit)
    selection.name = arguments.last("of")
    selection.isFailed = arguments.isOn("failed")
    if arguments.isOn("hub") {
      try Reexec.goOnWithRecordedRun(invocation)
      return try HubCommand(invocation: invocation, arguments: arguments).listRuns(
        JobSelection(handler: selection.name, limit: selection.limit))
    }
    let run = try invocation.openRun()
    if let form = arguments.last("as") {
      try UsageError.expect(form == "shortcut", "--as takes `shortcut`, not “\(form)”")
      return try write(shortcutOf: arguments.words, run, invocation)
    }
    try UsageError.expect(
      arguments.words.isEmpty, "`runs` takes no words",
      help: arguments.words.last.flatMap { Int($0) == nil ? nil : "errand log \($0)" }
        ?? "`errand runs` lists the runs, and `errand log RUN` shows one")
    let runs = try selection.limit == 0 ? [] : run.store().runs.recorded(selection)
    if runs.isEmpty { try invocation.expectKnown(selection.name) }
    try report(RunListing(run), TimeText(invocation)).write(runs, to: invocation)
  }

  private static func write(
    shortcutOf words: [String], _ run: Run, _ invocation: Invocation
  ) throws {
    guard !words.isEmpty else {
      throw UsageError(
        "--as shortcut takes numbers of runs", help: "errand runs --as shortcut 41 42")
    }
    let records = try words.map { word in
      try run.store().runs.run(named: word).expected(
        "there is no run \(word)", help: "`errand runs` shows the numbers")
    }
    let name = "runs-" + records.map { String($0.number) }.joined(separator: "-")
    let shortcut = try RecordedShortcut(records, run, try invocation.catalog())
    invocation.console.result(try shortcut.text(named: name))
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
