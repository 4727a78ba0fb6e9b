import Items

/// The moves of files that one undo took back, which are made again when the rest of it fails.
final class FileReversals {
  private let revert: EntityStore.FileReverter
  private var done: [FileMove] = []

  init(_ revert: @escaping EntityStore.FileReverter) {
    self.revert = revert
  }

  /// Takes back a move; gives the move that did so.
  func takeBack(_ move: FileMove) throws -> FileMove {
    let back = try revert(move)
    done.append(back)
    return back
  }

  /// Makes all of them again, because of an error.
  ///
  /// - Throws: The error, or `io` when a file stays where it is.
  func abandon(_ error: any Error) throws -> Never {
    for move in done.reversed() {
      do { _ = try revert(move) } catch let second {
        throw StoreError(
          .io, "\(error); \(move.to) had been moved back by then, and stays so (\(second))")
      }
    }
    throw error
  }
}
