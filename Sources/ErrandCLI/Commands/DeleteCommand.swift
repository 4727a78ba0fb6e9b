import CEL
import Engine
import Items
import Source

/// `errand delete`: deletes items.
enum DeleteCommand {
  static let command = Command(
    "delete", "delete items", usage: "REF…", discussion: "Asks first, unless --yes is given.",
    serves: [.json, .format, .events, .answers]
  ) { invocation, arguments in
    let session = try invocation.session()
    // All are looked up before any is deleted, so that a mistyped one loses nothing.
    let items = try ItemWords(session).items(arguments.words)
    let titles = items.map { session.renderer.title(of: $0) }
    try session.delete(items)
    for (item, title) in zip(items, titles) {
      invocation.say("Deleted \(title) (\(item.reference?.description ?? "")).")
    }
    if invocation.mode.hasJSONErrors {
      try invocation.resultWriter.write(.list(items.map { .object($0) }))
    }
    return ExitStatus.done
  }
}
