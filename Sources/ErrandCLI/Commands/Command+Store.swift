import Catalog
import Engine
import Store

/// The commands that look after the store as a whole.
extension Command {
  static let undo = Command(
    "undo", "take back the latest change",
    discussion: "Called again, it takes back the one before."
  ) { invocation, _ in
    let session = try invocation.session()
    for name in session.library.entityNames { _ = try session.store(for: name) }
    let changes = try session.store().undo()
    guard let first = changes.first else {
      invocation.say("There is nothing to take back.")
      return ExitStatus.done
    }
    let cause = first.cause.isEmpty ? "" : " by \(first.cause)"
    for change in changes { invocation.say("Took back \(describe(change))\(cause).") }
    return ExitStatus.done
  }

  private static func describe(_ change: Change) -> String {
    let kind = EntitySchema.kind(of: change.entity)
    return switch change.kind {
    case .create: "the creation of \(kind):\(change.id)"
    case .update: "a change of \(kind):\(change.id)"
    case .delete: "the deletion of \(kind):\(change.id)"
    case .createMany: "the creation of \(kind):\(change.id) to \(kind):\(change.last)"
    }
  }

  static let backup = Command(
    "backup", "copy the store to a new file, while it is in use", usage: "FILE"
  ) { invocation, arguments in
    guard let path = arguments.words.first, arguments.words.count == 1 else {
      throw UsageError("`backup` takes the path of a new file")
    }
    try invocation.session().store().backup(to: path)
    invocation.say("Backed up to \(path).")
    return ExitStatus.done
  }

  static let vacuum = Command(
    "vacuum", "make the file of the store as small as it can be"
  ) { invocation, _ in
    try invocation.session().store().vacuum()
    invocation.say("Tidied up.")
    return ExitStatus.done
  }
}
