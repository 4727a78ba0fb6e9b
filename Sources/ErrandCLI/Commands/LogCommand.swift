import CEL
import Engine
import ErrandKit
import Source
import Store

/// `errand log`: shows the steps of a recorded run.
enum LogCommand {
  static let command = Command(
    "log", "show what a recorded run said and did, or missed notifications", usage: "[RUN]",
    discussion: """
      RUN is a number from `errand runs`; the default is the latest run. First comes what it said, \
      showed and asked, with the answers; then steps, calls, passes and attempts as a tree, each \
      with its duration and result. --notifications shows \
      notifications sent while nobody was there, oldest first.
      """,
    flags: [Flag("notifications", .toggle, "show the notifications you missed")],
    serves: [.json, .format, .events], reads: .always
  ) { invocation, arguments in
    if arguments.isOn("notifications") {
      guard arguments.words.isEmpty else { throw UsageError("`log --notifications` takes no run") }
      return try showNotifications(invocation)
    }
    let liveRun = try invocation.openRun()
    let run = try invocation.recordedRun(arguments.words.first)
    let listing = try RunListing(liveRun)
    let tree = try listing.tree(run)
    guard invocation.mode.isPlain else {
      guard case .map(var map) = listing.value(run) else { return }
      map["steps"] = tree.steps
      map["transcript"] = .list(try transcript(run, liveRun))
      return try invocation.resultWriter.write(.map(map))
    }
    let head = RunsCommand.report(listing, try TimeText(invocation)).cells(run)
      .filter { !$0.isEmpty }.joined(separator: "  ")
    // The head and the steps have the failure already.
    let seen = try transcript(run, liveRun).filter { entry in
      if case .map(let map) = entry {
        map["kind"] != "error" && map["kind"] != "ended"
      } else {
        false
      }
    }.flatMap { TranscriptText().lines(of: $0) }
    for line in ["run \(head)"] + seen.map({ "  │ \($0)" }) + lines(of: tree, depth: 1, liveRun) {
      invocation.console.out("\(line)\n")
    }
  }

  /// The entries of a run's transcript; empty if it has none.
  private static func transcript(_ run: RecordedRun, _ liveRun: Run) throws -> [Value] {
    try liveRun.store().runs.transcript(ofRun: run.number).flatMap(StoredTranscript.init)?.entries
      ?? []
  }

  // MARK: Steps

  /// Returns the lines of a subtree, indented by depth.
  private static func lines(of tree: RunTree, depth: Int, _ liveRun: Run) -> [String] {
    tree.children.flatMap { child -> [String] in
      let own = String(repeating: "  ", count: depth) + line(of: child, liveRun.renderer)
      return [own] + lines(of: child, depth: depth + 1, liveRun)
    }
  }

  private static func line(of node: RunTree, _ renderer: Renderer) -> String {
    let mark =
      switch node.state {
      case .open: node.children.isEmpty ? "… " : ""
      case .done: ""
      case .failed: "✗ "
      case .skipped: "– "
      }
    var parts = [mark + node.name]
    if let took = node.took, node.state != .skipped, took > .zero {
      parts.append(Age.text(of: took))
    }
    if let value = node.value, !value.isNull {
      let text = renderer.text(of: value).inOneLine
      if !text.isEmpty { parts.append("→ \(text)") }
    }
    if let error = node.error { parts.append(error.inOneLine) }
    return parts.joined(separator: "  ")
  }

  // MARK: Notifications

  private static func showNotifications(_ invocation: Invocation) throws {
    let renderer = try invocation.openRun().renderer
    let report = Report<NotificationLog.Entry>(
      columns: ["time": { renderer.text(of: .timestamp($0.time)) }, "text": \.line.text],
      value: \.value, empty: "No notifications.", form: .lines)
    let entries = invocation.places.map { NotificationLog(in: $0.state).all() } ?? []
    try report.write(entries, to: invocation)
  }
}
