import Catalog
import Engine
import Source

/// `errand show`: shows the YAML of a definition, or an item.
enum ShowCommand {
  static let command = Command(
    "show", "show the YAML of an intent, a shortcut or an entity, or an item",
    usage: "NAME|REF",
    discussion: """
      A copy of what it prints, under your own folder, is yours to change. With --access, what an
      intent, a shortcut or those of a FILE may touch outside of the library, with all that they
      call.
      """,
    flags: [Flag("access", .toggle, "show what it may touch, and not how it is written")],
    serves: [.json, .format, .events, .answers], reads: .always
  ) { invocation, arguments in
    guard let word = arguments.words.first, arguments.words.count == 1 else {
      throw UsageError("`show` takes one name", help: "errand show save")
    }
    if arguments.isOn("access") {
      try AccessListing(invocation).write(accessOf: word)
      return ExitStatus.done
    }
    let library = try invocation.library()
    if let source = library.source(of: word) {
      invocation.console.result(source.hasSuffix("\n") ? source : source + "\n")
      return ExitStatus.done
    }
    if word.contains(":") {
      let item = try invocation.session().item(word, of: word.contains("://") ? "Link" : nil)
      try invocation.resultWriter.write(detail: item)
      return ExitStatus.done
    }
    throw UsageError(
      "there is no intent, shortcut or entity `\(word)`",
      help: Suggestion.help(for: word, in: library.actionNames + library.entityNames))
  }
}
