import Catalog
import Engine
import Source

/// `errand show`: shows the YAML of a definition, or an item.
enum ShowCommand {
  static let command = Command(
    "show", "show the YAML of an intent, a shortcut or an entity, or an item",
    usage: "NAME|REF",
    discussion: """
      To customize a definition, save the output to your own folder and change it there. --access
      shows what an intent, a shortcut or a FILE may access outside the library, including
      everything it calls.
      """,
    flags: [Flag("access", .toggle, "show what it may access instead of its source")],
    serves: [.json, .format, .events, .answers], reads: .always
  ) { invocation, arguments in
    guard let word = arguments.words.first, arguments.words.count == 1 else {
      throw UsageError("`show` takes one name", help: "errand show save")
    }
    if arguments.isOn("access") { return try invocation.write(accessOf: word) }
    let catalog = try invocation.catalog()
    if let source = catalog.source(of: word) {
      return invocation.console.result(source.hasSuffix("\n") ? source : source + "\n")
    }
    if word.contains(":") {
      let item = try invocation.openRun().item(word, of: word.contains("://") ? "Link" : nil)
      return try invocation.resultWriter.write(detail: item)
    }
    throw UsageError(
      "there is no intent, shortcut or entity `\(word)`",
      help: Suggestion.help(for: word, in: catalog.actionNames + catalog.entityNames))
  }
}
