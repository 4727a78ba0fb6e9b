import CEL
import Engine
import ErrandKit
import Source

/// `errand activity`: shows the running runs, jobs, imports and downloads.
enum ActivityCommand {
  static let command = Command(
    "activity", "show current activities: runs, jobs, imports, downloads",
    discussion: """
      Shows activities of all your stores, from one second after their start until three seconds after \
      their end; a step `activity` adds more.
      """,
    flags: [
      Flag("follow", short: "f", .toggle, "keep showing changes until interrupted"),
      Flag(
        "as", .value("expanded|compact|minimal"),
        "expanded, compact (a line each) or minimal (a word, for a status bar)"),
    ], serves: [.json, .format, .events], reads: .always
  ) { invocation, arguments in
    let name = arguments.last("as") ?? ActivityText.Form.expanded.rawValue
    guard let form = ActivityText.Form(rawValue: name) else {
      let names = ActivityText.Form.allCases.map(\.rawValue)
      throw UsageError(
        "--as must be expanded, compact or minimal, not “\(name)”",
        help: Suggestion.help(for: name, in: names))
    }
    guard let folder = invocation.activityFolder else {
      throw RunError(.io, "cannot find activities: HOME is not set", help: "set HOME")
    }
    let view = ActivityView(form, invocation)
    if arguments.isOn("follow") {
      try view.follow(folder)
    } else {
      try view.show(folder.current())
    }
  }
}

/// Shows activities on a terminal, as lines in a pipe, or as values for a program.
private final class ActivityView {
  private let form: ActivityText.Form
  private let invocation: Invocation
  private var console: Console { invocation.console }
  /// Number of lines currently on the terminal.
  private var shownLines = 0
  /// Last output: the status-bar word, and records by key.
  private var shownWord = ""
  private var shown: [String: String] = [:]

  init(_ form: ActivityText.Form, _ invocation: Invocation) {
    self.form = form
    self.invocation = invocation
  }

  private func lines(
    _ records: [ActivityRecord], _ form: ActivityText.Form
  ) -> [TerminalText] {
    ActivityText(
      form, style: console.style, now: SystemHost.now(),
      width: console.stdoutIsTerminal ? console.width : nil
    ).lines(records)
  }

  /// Shows the activities once.
  func show(_ records: [ActivityRecord]) throws {
    guard case .plain = invocation.mode else {
      return try invocation.resultWriter.write(.list(records.map(\.value)))
    }
    if records.isEmpty, form != .minimal, console.stdoutIsTerminal {
      return invocation.say("Nothing is running.")
    }
    for line in lines(records, form) { console.out(line + "\n") }
  }

  /// Shows the activities again whenever they change, until the process ends.
  func follow(_ folder: ActivityFolder) throws {
    let watch = try ActivityWatch(folder)
    while true {
      let records = folder.current()
      try showAgain(records)
      console.flush()
      watch.wait(while: records)
    }
  }

  private func showAgain(_ records: [ActivityRecord]) throws {
    guard case .plain = invocation.mode else {
      for record in changed(records) { try invocation.resultWriter.write(.list([record.value])) }
      return
    }
    if console.stdoutIsTerminal {
      let lines = lines(records, form)
      for _ in 0..<shownLines { console.out("\u{1B}[A\u{1B}[2K") }
      for line in lines { console.out(line + "\n") }
      shownLines = lines.count
    } else if form == .minimal {
      // A status bar needs a word only when it changes.
      let line = lines(records, form).first ?? ""
      if line.text != shownWord { console.out(line + "\n") }
      shownWord = line.text
    } else {
      for line in changed(records).flatMap({ lines([$0], .compact) }) { console.out(line + "\n") }
    }
  }

  /// Returns the records that changed since the last output.
  private func changed(_ records: [ActivityRecord]) -> [ActivityRecord] {
    let changed = records.filter { shown[$0.activity.key] != $0.text }
    shown = [:]
    for record in records { shown[record.activity.key] = record.text }
    return changed
  }
}
