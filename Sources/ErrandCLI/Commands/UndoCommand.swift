import Catalog
import Engine
import ErrandKit
import Items
import Program
import Source
import Store

/// `errand undo` and `errand redo`: revert changes and reapply them.
enum UndoCommand {
  static let command = Command(
    "undo", "undo the latest change, or an earlier one", usage: "[NUMBER]",
    discussion: """
      Called again, undoes the change before. NUMBER is an entry of `errand changes`; the whole \
      change it belongs to is undone, unless its items were changed later. Everything one run wrote \
      to the library is one change. Files it moved are moved back, unless they have changed since; \
      files it wrote, programs and requests are not undone.
      """,
    flags: [
      Flag("by", .value("NAME"), "the latest change by an intent, shortcut or command"),
      Flag("run", .value("RUN"), "what a run changed; `errand runs` shows the numbers"),
    ],
    serves: []
  ) { invocation, arguments in
    let run = try invocation.openRun()
    let target = try target(arguments, run)
    let changes = try revert(
      "undoing", "Undone:", orSay: "Nothing to undo.", in: invocation, run: run
    ) {
      let changes = try run.undo(target, progress: $0)
      if changes.isEmpty { try invocation.expectKnown(arguments.last("by")) }
      return changes
    } remaining: { change in
      // A folder that has files now is not removed.
      guard let move = change.move, move.kind == .folder,
        (try? run.host.machine.files.status(move.to))??.isFolder == true
      else { return nil }
      return "the folder \(move.to) stays: it is not empty any more"
    }
    tellOfRest(changes, run, invocation)
    if target == .latest { try tellOfRunAfter(changes, run, invocation) }
  }

  /// `errand redo`: reapplies the last undone change.
  static let redo = Command(
    "redo", "redo the last undone change",
    discussion: "Called again, redoes the change undone before that.", serves: []
  ) { invocation, _ in
    let run = try invocation.openRun()
    _ = try revert("redoing", "Redone:", orSay: "Nothing to redo.", in: invocation, run: run) {
      try run.redo(progress: $0)
    }
  }

  /// Reverts or reapplies a change with a progress line, reports it and returns it.
  ///
  /// - Parameter remaining: Describes the remains of a change that could not be reverted; nil if it
  ///   was.
  private static func revert(
    _ label: String, _ verb: String, orSay nothing: TerminalText, in invocation: Invocation,
    run: Run, body: ((Int, Int) -> Void) throws -> [Change],
    remaining: (Change) -> String? = { _ in nil }
  ) throws -> [Change] {
    let progress = ProgressLine(console: invocation.console, label: label)
    defer { progress.clear() }
    let changes = try body { done, total in
      progress.update(done: done, fraction: Double(done) / Double(max(1, total)))
    }
    progress.clear()
    guard let first = changes.first else {
      invocation.say(nothing)
      return []
    }
    let cause = first.cause.isEmpty ? "" : " by \(first.cause)"
    let notes = changes.map(remaining)
    let reverted = zip(changes, notes).filter { $1 == nil }.map(\.0)
    for text in UndoSummary(reverted).lines { invocation.say("\(verb) \(text)\(cause).") }
    for note in notes.compactMap(\.self) { invocation.say("Not undone: \(note).") }
    return changes
  }

  /// Reports possible effects of the undone run that remain.
  private static func tellOfRest(_ changes: [Change], _ run: Run, _ invocation: Invocation) {
    guard let cause = changes.first?.cause,
      let kinds = try? run.workspace.capabilities(of: cause).map(\.kind)
    else { return }
    let rest = [
      // Moving a file is a write, too, and was undone.
      kinds.contains(.write)
        && !changes.contains { $0.kind == .moveFile && $0.move?.kind != .folder }
        ? "files that it wrote" : nil,
      kinds.contains(.exec) ? "what its programs did" : nil,
    ].compactMap(\.self)
    guard !rest.isEmpty else { return }
    invocation.say("Not undone: \(rest.joined(separator: ", ")).")
  }

  /// Reports a recorded run that is later than the undone change: it changed nothing in the
  /// library, so the person may have meant to undo that run.
  private static func tellOfRunAfter(
    _ changes: [Change], _ run: Run, _ invocation: Invocation
  ) throws {
    guard let change = changes.first, let last = try run.store().runs.latest(),
      last.id != change.run, last.started > change.time
    else { return }
    invocation.say(
      "Run \(String(last.number)), \(last.name), came later; what it did outside the library stays."
    )
  }

  private static func target(_ arguments: Arguments, _ run: Run) throws -> UndoTarget {
    let cause = arguments.last("by")
    let number = try arguments.wholeNumber("run").map(Int64.init)
    let word = arguments.words.first
    guard [cause, number.map(String.init), word].count(where: { $0 != nil }) < 2 else {
      throw UsageError("`undo` takes a number, --run or --by, not several of them")
    }
    if let cause { return .cause(cause) }
    if let number {
      guard let recorded = try run.store().runs.run(number) else {
        throw RunError(
          .notFound, "there is no run \(number)", help: "`errand runs` shows the numbers")
      }
      return .run(recorded.id)
    }
    guard let word else { return .latest }
    guard let number = Int64(word), number > 0 else {
      throw UsageError(
        "“\(word)” is not the number of a change",
        help: WordForm.isName(word)
          ? "`errand changes --item \(word)` shows the numbers of its changes"
          : FamiliarWords.help(word, after: "undo")
            ?? (NameForm.kebab.accepts(word)
              ? "`errand changes` shows the numbers; --by \(word) undoes the latest change by it"
              : "`errand undo` undoes the latest change; `errand changes` shows the numbers"))
    }
    return .number(number)
  }
}
