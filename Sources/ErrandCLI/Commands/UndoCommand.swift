import Catalog
import Engine
import Items
import Source
import Store

/// `errand undo`: takes back the latest change.
enum UndoCommand {
  static let command = Command(
    "undo", "take back the latest change",
    discussion: "Called again, it takes back the one before.",
    serves: []
  ) { invocation, _ in
    let session = try invocation.session()
    for name in session.library.entityNames { _ = try session.store(for: name) }
    let progress = ProgressLine(console: invocation.console, label: "taking back")
    defer { progress.clear() }
    let changes = try session.store().undo { done, total in
      progress.update(done: done, fraction: Double(done) / Double(max(1, total)))
    }
    progress.clear()
    guard let first = changes.first else {
      invocation.say("There is nothing to take back.")
      return ExitStatus.done
    }
    let cause = first.cause.isEmpty ? "" : " by \(first.cause)"
    for text in UndoSummary(changes).lines { invocation.say("Took back \(text)\(cause).") }
    return ExitStatus.done
  }
}
