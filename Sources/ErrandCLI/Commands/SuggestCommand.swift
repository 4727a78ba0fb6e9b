import CEL
import ErrandKit
import Source

/// `errand suggest`: shows what the person probably wants to do now.
enum SuggestCommand {
  static let command = Command(
    "suggest", "show what you probably want to do now", usage: "[NAME]",
    discussion: """
      Learned from the runs that are recorded: by the time of day, the weekday, what you did before, \
      and the last item's kind. It shows nothing unless it is likely; mostly that is nothing. \
      --dismiss never suggests NAME again; --automate writes an automation that does it, if you do it \
      regularly. `errand settings set learning off` turns suggestions off.
      """,
    flags: [
      Flag("dismiss", .toggle, "never suggest NAME again"),
      Flag("automate", .toggle, "write an automation that does NAME"),
    ],
    serves: [.json, .format], reads: .withoutWords
  ) { invocation, arguments in
    let name = arguments.words.first
    var options = Errand.Options()
    options.store = arguments.last("store")
    let errand = try Errand.open(options)
    switch (arguments.isOn("dismiss"), arguments.isOn("automate"), name) {
    case (false, false, nil):
      let report = Report<ActionSuggestions.Entry>(
        columns: ["name": \.name, "why": \.reason, "by itself": by], value: \.value,
        empty: "Nothing in particular.", form: .lines, omitsEmptyColumn: true)
      try report.write(errand.suggestions(), to: invocation)
    case (true, false, let name?):
      try errand.dismissSuggestion(name)
      invocation.say("`\(name)` is not suggested any more.")
    case (false, true, let name?):
      invocation.console.result(try errand.automate(name) + "\n")
      invocation.say("It starts by itself while a worker runs: errand worker install")
    case (true, true, _):
      throw UsageError("--dismiss and --automate cannot be combined", help: "keep one of them")
    case (true, _, nil), (_, true, nil):
      throw UsageError("NAME is missing", help: "`errand suggest` shows the names")
    case (false, false, let name?):
      throw UsageError(
        "`suggest` takes a name only with --dismiss or --automate", help: "errand call \(name)")
    }
  }

  /// The call that makes it an automation; empty if it cannot be one.
  private static func by(_ entry: ActionSuggestions.Entry) -> String {
    entry.automation == nil ? "" : "errand suggest --automate \(entry.name)"
  }
}
