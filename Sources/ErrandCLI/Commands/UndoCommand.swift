import Engine
import ErrandKit
import Items
import Source
import Store

/// `errand undo` and `errand redo`: take changes back, and make them again.
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
    try revert("taking back", "Undone:", orSay: "Nothing to undo.", invocation) {
      try $0.undo(target, progress: $1)
    }
    return ExitStatus.done
  }

  /// `errand redo`: makes again what was taken back last.
  static let redo = Command(
    "redo", "redo the last undone change",
    discussion: "Called again, it redoes the change that was undone before.", serves: []
  ) { invocation, _ in
    try revert("redoing", "Redone:", orSay: "Nothing to redo.", invocation) {
      try $0.redo(progress: $1)
    }
    return ExitStatus.done
  }

  /// Changes the library under a line that shows how far it is, and says what was done.
  private static func revert(
    _ label: String, _ verb: String, orSay nothing: TerminalText, _ invocation: Invocation,
    _ body: (Run, (Int, Int) -> Void) throws -> [Change]
  ) throws {
    let session = try invocation.session()
    let progress = ProgressLine(console: invocation.console, label: label)
    defer { progress.clear() }
    let changes = try body(session) { done, total in
      progress.update(done: done, fraction: Double(done) / Double(max(1, total)))
    }
    progress.clear()
    guard let first = changes.first else { return invocation.say(nothing) }
    let cause = first.cause.isEmpty ? "" : " by \(first.cause)"
    for text in UndoSummary(changes).lines { invocation.say("\(verb) \(text)\(cause).") }
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
