import Engine
import ErrandKit
import Items
import Source
import Store

/// `errand undo` and `errand redo`: revert changes and reapply them.
enum UndoCommand {
  static let command = Command(
    "undo", "undo the latest change, or an earlier one", usage: "[NUMBER]",
    discussion: """
      Called again, undoes the change before. NUMBER is an entry of `errand changes`; the whole \
      change it belongs to is undone, unless its items were changed later. Everything one run wrote \
      is one change. Files it moved are moved back, unless they have changed since.
      """,
    flags: [Flag("by", .value("NAME"), "the latest change by an intent, shortcut or command")],
    serves: []
  ) { invocation, arguments in
    let target = try target(arguments)
    try revert("undoing", "Undone:", orSay: "Nothing to undo.", invocation) {
      try $0.undo(target, progress: $1)
    }
  }

  /// `errand redo`: reapplies the last undone change.
  static let redo = Command(
    "redo", "redo the last undone change",
    discussion: "Called again, redoes the change undone before that.", serves: []
  ) { invocation, _ in
    try revert("redoing", "Redone:", orSay: "Nothing to redo.", invocation) {
      try $0.redo(progress: $1)
    }
  }

  /// Reverts or reapplies a change with a progress line, and reports it.
  private static func revert(
    _ label: String, _ verb: String, orSay nothing: TerminalText, _ invocation: Invocation,
    body: (Run, (Int, Int) -> Void) throws -> [Change]
  ) throws {
    let run = try invocation.openRun()
    let progress = ProgressLine(console: invocation.console, label: label)
    defer { progress.clear() }
    let changes = try body(run) { done, total in
      progress.update(done: done, fraction: Double(done) / Double(max(1, total)))
    }
    progress.clear()
    guard let first = changes.first else { return invocation.say(nothing) }
    let cause = first.cause.isEmpty ? "" : " by \(first.cause)"
    for text in UndoSummary(changes).lines { invocation.say("\(verb) \(text)\(cause).") }
  }

  private static func target(_ arguments: Arguments) throws -> UndoTarget {
    let cause = arguments.last("by")
    guard let word = arguments.words.first else { return cause.map(UndoTarget.cause) ?? .latest }
    if cause != nil { throw UsageError("`undo` takes a number or --by, not both") }
    guard let number = Int64(word), number > 0 else {
      throw UsageError(
        "“\(word)” is not the number of a change",
        help: "`errand changes` shows the numbers")
    }
    return .number(number)
  }
}
