import Catalog
import Engine
import Items
import Source
import Store

/// `errand undo`: takes changes back.
enum UndoCommand {
  static let command = Command(
    "undo", "undo the latest change, or another", usage: "[NUMBER]",
    discussion: """
      Called again, it takes back the one before. NUMBER is that of an entry in `errand changes`: the \
      whole change to which it belongs is taken back, unless its items were changed later. All that \
      one run wrote is one change. Files that it moved are moved back, unless they were changed \
      since.
      """,
    flags: [Flag("by", .value("NAME"), "the latest change by an intent, shortcut or command")],
    serves: []
  ) { invocation, arguments in
    let target = try target(arguments)
    let changes = try Reverting(invocation).run("taking back") {
      try $0.undo(target, progress: $2, files: $1)
    }
    Reverting(invocation).tell(changes, "Undone:", orSay: "Nothing to undo.")
    return ExitStatus.done
  }

  private static func target(_ arguments: ParsedArguments) throws -> UndoTarget {
    let cause = arguments.last("by")
    guard let word = arguments.words.first else { return cause.map(UndoTarget.cause) ?? .latest }
    if cause != nil { throw UsageError("`undo` takes a number or --by, not both") }
    guard let number = Int64(word), number > 0 else {
      throw UsageError(
        "“\(word)” isn't the number of a change",
        help: "`errand changes` shows the numbers")
    }
    return .number(number)
  }
}
