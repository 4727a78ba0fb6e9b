import CEL
import Catalog
import Source

/// `errand list`: lists intents, shortcuts, automations and entities.
enum ListCommand {
  static let command = Command(
    "list", "list intents, shortcuts, automations and entities",
    usage: "[intents|shortcuts|automations|entities]",
    serves: [.json, .format, .events], reads: .always
  ) { invocation, arguments in
    let kinds: [Definition.Kind]
    switch arguments.words.first {
    case nil: kinds = [.intent, .shortcut, .automation, .entity]
    case "intents", "intent": kinds = [.intent]
    case "shortcuts", "shortcut": kinds = [.shortcut]
    case "automations", "automation": kinds = [.automation]
    case "entities", "entity": kinds = [.entity]
    case let word?:
      throw UsageError(
        "there are no `\(word)` to list",
        help: Suggestion.help(for: word, in: ["intents", "shortcuts", "automations", "entities"]))
    }
    let listing = DefinitionListing(try invocation.library())
    let rows = kinds.flatMap { kind in listing.rows(of: kind) }
    if invocation.mode.isPlain, invocation.console.stdoutIsTerminal {
      invocation.pager.write(HelpText(invocation.console).listing(rows))
    } else if invocation.mode.isPlain {
      for row in rows { invocation.console.out("\(row.kind.rawValue)\t\(row.name)\n") }
    } else {
      try invocation.resultWriter.write(.list(rows.map(\.value)))
    }
    return ExitStatus.done
  }
}
