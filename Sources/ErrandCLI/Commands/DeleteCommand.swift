import CEL
import Engine
import Items
import Source

/// `errand delete`: deletes items.
enum DeleteCommand {
  static let command = Command(
    "delete", "delete items", usage: "REF… | ENTITY WORDS…",
    discussion: """
      A REF is a reference such as link:42, a URL, a number, or - for those that a pipe gives, one a
      line. An ENTITY with words to search for, or with --where, means all items that are found.
      Asks first, unless --yes is given. It is one change for `errand undo`.
      """,
    flags: [ItemSelection.filterFlag], serves: [.json, .format, .events, .answers]
  ) { invocation, arguments in
    let session = try invocation.session()
    let items = try ItemSelection.of(
      arguments.words, filter: arguments.last("where"), changes: true, session
    ).items
    if items.isEmpty { return ExitStatus.done }
    let titles = items.prefix(ResultWriter.toldItems).map { session.renderer.title(of: $0) }
    try session.delete(items)
    if items.count > ResultWriter.toldItems {
      invocation.say("Deleted \(session.count(items)).")
    } else {
      for (item, title) in zip(items, titles) {
        invocation.say("Deleted \(title) (\(item.reference?.description ?? "")).")
      }
    }
    if invocation.mode.hasJSONErrors {
      try invocation.resultWriter.write(.list(items.map { .object($0) }))
    }
    return ExitStatus.done
  }
}
