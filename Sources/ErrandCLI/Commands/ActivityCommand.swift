import CEL
import Engine
import ErrandKit
import Source

/// `errand activity`: shows what runs, jobs, imports and downloads do now.
enum ActivityCommand {
  static let command = Command(
    "activity", "show what goes on now: runs, jobs, imports, downloads",
    discussion: """
      An activity is shown once it has taken a second, and for three seconds after its end; the step \
      `activity` shows others. Those of all stores of yours are shown.
      """,
    flags: [
      Flag("follow", short: "f", .toggle, "go on showing changes until you end it"),
      Flag(
        "as", .value("FORM"),
        "expanded, compact (a line each) or minimal (a word, for a status bar)"),
    ], serves: [.json, .format, .events], reads: .always
  ) { invocation, arguments in
    let name = arguments.last("as") ?? ActivityText.Form.expanded.rawValue
    guard let form = ActivityText.Form(rawValue: name) else {
      let names = ActivityText.Form.allCases.map(\.rawValue)
      throw UsageError(
        "--as is \(names.joined(separator: ", ")), and not “\(name)”",
        help: Suggestion.help(for: name, in: names))
    }
    guard let folder = invocation.activityFolder else {
      throw RunError(
        .io, "there is no place for activities: HOME is not set", help: "set HOME")
    }
    if arguments.isOn("follow") {
      try ActivityFeed(folder, form, invocation).follow()
    } else {
      try show(folder.current(), form, invocation)
    }
    return ExitStatus.done
  }

  private static func show(
    _ records: [ActivityRecord], _ form: ActivityText.Form, _ invocation: Invocation
  ) throws {
    guard case .plain = invocation.mode else {
      return try invocation.resultWriter.write(.list(records.map(\.value)))
    }
    let console = invocation.console
    if records.isEmpty, form != .minimal, console.stdoutIsTerminal {
      return invocation.say("Nothing goes on.")
    }
    let text = ActivityText(
      form, style: console.style, now: SystemHost.now(),
      width: console.stdoutIsTerminal ? console.width : nil)
    for line in text.lines(records) { console.out(line + "\n") }
  }
}
