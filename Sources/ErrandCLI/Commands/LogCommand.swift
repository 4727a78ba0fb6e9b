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
    let store = try session.store()
    let run = try RunWord.run(arguments.words.first, in: store)
    let listing = try RunListing(session)
    let tree = try listing.tree(run)
    let text = RunTreeText(session.renderer)
    guard invocation.mode.isPlain else {
      guard case .map(var map) = listing.value(run) else { return ExitStatus.done }
      map["steps"] = tree.steps
      try invocation.resultWriter.write(.map(map))
      return ExitStatus.done
    }
    let head = listing.row(run, try TimeText(invocation)).filter { !$0.isEmpty }.joined(
      separator: "  ")
    for line in ["run \(head)"] + text.lines(of: tree, depth: 1) {
      invocation.console.out("\(line)\n")
    }
    return ExitStatus.done
  }

  private static func showNotifications(_ invocation: Invocation) throws {
    let entries = invocation.places.map { NotificationLog(in: $0.state).all() } ?? []
    guard invocation.mode.isPlain else {
      return try invocation.resultWriter.write(.list(entries.map(\.value)))
    }
    if entries.isEmpty, invocation.console.stdoutIsTerminal {
      return invocation.say("No notifications.")
    }
    let renderer = try invocation.session().renderer
    for entry in entries {
      let time = renderer.text(of: .timestamp(entry.time))
      invocation.console.out("\(time)  \(entry.line)\n")
    }
  }
}
