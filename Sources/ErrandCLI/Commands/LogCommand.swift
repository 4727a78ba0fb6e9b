import CEL
import Engine
import ErrandKit
import Source
import Store

/// `errand log`: shows what a recorded run did.
enum LogCommand {
  static let command = Command(
    "log", "show the steps of a recorded run, or what you were notified of", usage: "[RUN]",
    discussion: """
      RUN is a number that `errand runs` shows; the latest run when it is left out. Steps, calls, \
      passes and attempts stand as a tree, each with how long it took and what came of it. With \
      --notifications it is what `notify` told while nobody was there, the latest last.
      """,
    flags: [
      Flag("notifications", .toggle, "show the notifications that nobody was there to see")
    ],
    serves: [.json, .format, .events], reads: .always
  ) { invocation, arguments in
    if arguments.isOn("notifications") {
      guard arguments.words.isEmpty else { throw UsageError("`log --notifications` takes no run") }
      try showNotifications(invocation)
      return ExitStatus.done
    }
    let session = try invocation.session()
    let run = try invocation.recordedRun(arguments.words.first)
    let listing = try RunListing(session)
    let tree = try listing.tree(run)
    guard invocation.mode.isPlain else {
      guard case .map(var map) = listing.value(run) else { return ExitStatus.done }
      map["steps"] = tree.steps
      try invocation.resultWriter.write(.map(map))
      return ExitStatus.done
    }
    let head = RunsCommand.report(listing, try TimeText(invocation)).cells(run)
      .filter { !$0.isEmpty }.joined(separator: "  ")
    for line in ["run \(head)"] + lines(of: tree, depth: 1, session) {
      invocation.console.out("\(line)\n")
    }
    return ExitStatus.done
  }

  // MARK: Steps

  /// The lines of what is below a node, each deeper one further to the right.
  private static func lines(of tree: RunTree, depth: Int, _ session: Run) -> [String] {
    tree.children.flatMap { child -> [String] in
      let own = String(repeating: "  ", count: depth) + line(of: child, session.renderer)
      return [own] + lines(of: child, depth: depth + 1, session)
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
    if let took = node.took, node.state != .skipped, took > 0 {
      parts.append(Age.text(ofMicroseconds: took))
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
    let renderer = try invocation.session().renderer
    let report = Report<NotificationLog.Entry>(
      columns: ["time": { renderer.text(of: .timestamp($0.time)) }, "text": \.line.text],
      value: \.value, empty: "No notifications.", form: .lines)
    let entries = invocation.places.map { NotificationLog(in: $0.state).all() } ?? []
    try report.write(entries, to: invocation)
  }
}
