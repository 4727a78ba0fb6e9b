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
      let library = try invocation.library()
      let isEntity = try word.map { try ItemWords.entityIfNamed($0, in: library) != nil } ?? false
      throw UsageError(
        "can't list “\(word ?? "")”",
        help: isEntity
          ? "errand find \(word ?? "")"
          : Suggestion.help(
            for: word ?? "", in: ["intents", "shortcuts", "automations", "entities"]))
    }
    let listing = DefinitionListing(try invocation.library())
    let rows = kinds.flatMap { kind in listing.rows(of: kind) }
    if invocation.mode.isPlain, invocation.console.stdoutIsTerminal {
      invocation.pager.write(HelpText(invocation.console).listing(rows))
    } else {
      let report = Report<DefinitionListing.Row>(
        columns: ["kind": \.kind.rawValue, "name": \.name], value: \.value)
      try report.write(rows, to: invocation)
    }
    return ExitStatus.done
  }

  /// The kinds of definitions that a word names, all without one; nil when it names none.
  static func kinds(named word: String?) -> [Definition.Kind]? {
    switch word {
    case nil: [.intent, .shortcut, .automation, .entity]
    case "intents", "intent": [.intent]
    case "shortcuts", "shortcut": [.shortcut]
    case "automations", "automation": [.automation]
    case "entities", "entity": [.entity]
    default: nil
    }
  }
}
