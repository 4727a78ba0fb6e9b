import CEL
import Catalog
import ErrandKit
import Source

/// `errand list`: lists intents, shortcuts, automations and entities.
enum ListCommand {
  static let command = Command(
    "list", "list intents, shortcuts, automations and entities",
    usage: "[intents|shortcuts|automations|entities]",
    serves: [.json, .format, .events], reads: .always
  ) { invocation, arguments in
    let word = arguments.words.first
    guard let kinds = kinds(named: word) else {
      let catalog = try invocation.catalog()
      throw UsageError(
        "cannot list “\(word ?? "")”",
        help: try NounAndVerb.command(
          meantBy: ["list"] + arguments.words, in: catalog, isCommand: CommandTable.holds)
          ?? Suggestion.help(
            for: word ?? "", in: ["intents", "shortcuts", "automations", "entities"]))
    }
    let catalog = try invocation.catalog()
    let rows = kinds.flatMap { catalog.summaries(of: $0) }
    if invocation.mode.isPlain, invocation.console.stdoutIsTerminal {
      invocation.pager.write(HelpText(invocation.console).listing(rows))
    } else {
      let report = Report<Errand.DefinitionSummary>(
        columns: ["kind": \.kind, "name": \.name], value: \.value)
      try report.write(rows, to: invocation)
    }
  }

  /// Returns the kinds of definitions that a word names, all kinds for nil; nil if it names none.
  static func kinds(named word: String?) -> [Definition.Kind]? {
    switch word {
    case nil: [.intent, .shortcut, .automation, .widget, .entity]
    case "intents", "intent": [.intent]
    case "shortcuts", "shortcut": [.shortcut]
    case "automations", "automation": [.automation]
    case "widgets", "widget": [.widget]
    case "entities", "entity": [.entity]
    default: nil
    }
  }
}
