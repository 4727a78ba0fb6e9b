import CEL
import Engine
import Items

/// `errand get`: shows items.
enum GetCommand {
  static let command = Command(
    "get", "show items", usage: "REF… | ENTITY WORDS…",
    discussion: """
      A REF is a reference such as link:42, a URL, which stands for its link, a number, or - for
      those that a pipe gives, one a line. An ENTITY with words to search for, or with --where, means
      all items that are found.
      """,
    flags: [
      ItemSelection.filterFlag,
      Flag("text", .toggle, "show the long texts alone, such as that of a link's page"),
    ], serves: [.json, .format, .events, .answers], reads: .always
  ) { invocation, arguments in
    let selection = try ItemSelection.of(
      arguments.words, filter: arguments.last("where"), changes: false, invocation.session())
    if arguments.isOn("text") {
      for item in selection.items { try invocation.resultWriter.write(bodyOf: item) }
      return ExitStatus.done
    }
    if case .json = invocation.mode, !selection.isSingle {
      try invocation.resultWriter.write(.list(selection.items.map { .object($0) }))
    } else {
      for item in selection.items { try invocation.resultWriter.write(detail: item) }
    }
    return ExitStatus.done
  }
}
