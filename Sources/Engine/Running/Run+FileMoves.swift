import Items
import Program
import Store

/// Moves of files, which `undo` can take back.
extension Run {
  /// Moves or copies a file; the new path, nil when nothing was done.
  func transfer(_ transfer: FileTransfer) throws -> String? {
    let files = host.machine.files
    if transfer.isCopy { return try outside { try files.transfer(transfer) }?.path }
    // A store that can't be used is told of before anything is moved.
    let store = try store()
    guard let result = try outside({ try files.transfer(transfer) }) else { return nil }
    if let move = result.move { try note(move, in: store) }
    return result.path
  }

  /// Moves a file to the trash; where it lies there.
  func trash(_ path: String) throws -> String {
    let files = host.machine.files
    let store = try store()
    let move = try outside { try files.trash(path) }
    try note(move, in: store)
    return move.to
  }

  /// Notes a move in the log of changes; what can't be noted is taken back at once.
  private func note(_ move: FileMove, in store: EntityStore) throws {
    do {
      try RunError.translating { try store.changes.note(move) }
      try commitWrites()
    } catch {
      do { _ = try host.machine.files.takeBack(move) } catch {
        host.log("\(move.from) is now \(move.to), and `undo` can't take that back")
      }
      throw error
    }
  }
}
