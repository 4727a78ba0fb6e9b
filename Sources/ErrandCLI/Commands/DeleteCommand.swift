import CEL
import Engine
import Items
import Source

/// `errand delete`: deletes items.
enum DeleteCommand {
  static let command = Command(
    "delete", "delete items", usage: "REF… | ENTITY WORDS…",
    discussion: """
      A REF is a reference such as link:42, a URL, a number, or - to read references from a pipe.
      ENTITY with WORDS or --where means all items found. Asks first, unless --yes is given.
      `errand undo` reverts all deletions together.
      """,
    flags: [ItemSelection.filterFlag], serves: [.json, .format, .events, .answers]
  ) { invocation, arguments in
    let run = try invocation.openRun()
    let items = try ItemSelection.of(
      arguments.words, filter: arguments.last("where"), changes: true, run
    ).items
    if items.isEmpty { return }
    let titles = items.prefix(ResultWriter.toldItems).map { run.renderer.title(of: $0) }
    try run.delete(items)
    if items.count > ResultWriter.toldItems {
      invocation.say("Deleted \(run.count(items)).")
    } else {
      for (item, title) in zip(items, titles) {
        invocation.say("Deleted \(title) (\(item.reference?.description ?? "")).")
      }
    }
    if !invocation.mode.isPlain {
      try invocation.resultWriter.write(.list(items.map { .object($0) }))
    }
  }
}
