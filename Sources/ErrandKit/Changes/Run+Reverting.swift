import Catalog
package import Engine
package import Items
import Store

extension Run {
  /// Undoes a change of the library, including file moves.
  ///
  /// - Parameter progress: Receives the number of items done and their total.
  /// - Throws: `conflict` if something was changed since; then nothing is undone.
  package func undo(
    _ target: UndoTarget, progress: (Int, Int) -> Void
  ) throws -> [Change] {
    try storeForReverting().changes.undo(target, progress: progress, files: takeBack)
  }

  /// Redoes the change that was undone last.
  ///
  /// - Throws: As `undo`.
  package func redo(progress: (Int, Int) -> Void) throws -> [Change] {
    try storeForReverting().changes.redo(progress: progress, files: takeBack)
  }

  /// The store, with the tables of all entities prepared.
  private func storeForReverting() throws -> Database {
    for name in catalog.entityNames { _ = try store(for: name) }
    return try store()
  }

  private func takeBack(_ move: FileMove) throws -> FileMove {
    do { return try host.machine.files.takeBack(move) } catch let error as RunError {
      throw RunError(error.code, error.message + "; nothing was undone", remedy: error.remedy)
    }
  }
}
