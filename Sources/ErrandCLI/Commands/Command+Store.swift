import Catalog
import Engine
import Items
import Store

/// The commands that look after the store as a whole.
extension Command {
  static let undo = Command(
    "undo", "take back the latest change",
    discussion: "Called again, it takes back the one before."
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

  static let backup = Command(
    "backup", "copy the store to a new file, while it is in use", usage: "FILE"
  ) { invocation, arguments in
    guard let path = arguments.words.first, arguments.words.count == 1, !path.isEmpty else {
      throw UsageError("`backup` takes the path of a new file")
    }
    if let absent = try invocation.absentStore() { throw absent.error }
    try invocation.session().store().backup(to: path)
    invocation.say("Backed up to \(path).")
    return ExitStatus.done
  }

  static let vacuum = Command(
    "vacuum", "make the file of the store as small as it can be"
  ) { invocation, _ in
    if let absent = try invocation.absentStore() {
      if absent.isNamed { throw absent.error }
      invocation.say("There is no library yet.")
      return ExitStatus.done
    }
    try invocation.session().store().vacuum()
    invocation.say("Tidied up.")
    return ExitStatus.done
  }
}
