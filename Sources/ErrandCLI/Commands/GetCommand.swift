import CEL
import Engine
import Items

/// `errand get`: shows items.
enum GetCommand {
  static let command = Command(
    "get", "show items", usage: "REF… | ENTITY WORDS…",
    discussion: """
      A REF is a reference such as link:42, the URL of a link, a number, or - to read references
      from a pipe. ENTITY with WORDS or --where means all items found.
      """,
    flags: [
      ItemSelection.filterFlag,
      Flag("text", .toggle, "show only the long texts, such as a link's page text"),
    ], serves: [.json, .format, .events, .answers], reads: .always
  ) { invocation, arguments in
    let selection = try ItemSelection.of(
      arguments.words, filter: arguments.last("where"), changes: false, invocation.openRun())
    if arguments.isOn("text") {
      for item in selection.items { try invocation.resultWriter.write(bodyOf: item) }
      return
    }
    if case .json = invocation.mode, !selection.isSingle {
      try invocation.resultWriter.write(.list(selection.items.map { .object($0) }))
    } else {
      for item in selection.items { try invocation.resultWriter.write(detail: item) }
    }
  }
}
