import Catalog
package import Engine
package import Items
import Store

extension Run {
  /// Takes a change of the library back, with the files that it moved.
  ///
  /// - Parameter progress: Is told how many of how many items are done.
  /// - Throws: `conflict` where something was changed since; nothing is taken back then.
  package func undo(
    _ target: UndoTarget, progress: (Int, Int) -> Void
  ) throws -> [Change] {
    try storeForReverting().changes.undo(target, progress: progress, files: takeBack)
  }

  /// Makes the change that was taken back last again.
  ///
  /// - Throws: as `undo`.
  package func redo(progress: (Int, Int) -> Void) throws -> [Change] {
    try storeForReverting().changes.redo(progress: progress, files: takeBack)
  }

  /// The store with the tables of all entities ready.
  private func storeForReverting() throws -> EntityStore {
    for name in library.entityNames { _ = try store(for: name) }
    return try store()
  }

  private func takeBack(_ move: FileMove) throws -> FileMove {
    do { return try host.machine.files.takeBack(move) } catch let error as RunError {
      throw RunError(error.code, error.message + "; nothing was taken back", remedy: error.remedy)
    }
  }
}
