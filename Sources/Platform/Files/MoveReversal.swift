import Engine
import Glibc
import Items
import Program

/// Undoes a move of a file, if the file is unchanged since.
struct MoveReversal {
  private let move: FileMove
  private let trash: Trash

  init(_ move: FileMove, _ trash: Trash) {
    self.move = move
    self.trash = trash
  }

  /// Moves the file back and returns that move.
  ///
  /// - Throws: `conflict` if the file was changed or is gone, or its old path is taken.
  func run() throws -> FileMove {
    switch move.kind {
    case .folder: return try removeFolder()
    case .removal:
      _ = try FileAccess.makeFolders(move.to)
      return try FileMove(.folder, from: move.to, to: move.to)
    case .move, .trash, .restore: return try moveBack()
    }
  }

  /// Removes a folder that was made; keeps one that has files or was replaced.
  private func removeFolder() throws -> FileMove {
    if try FileMove.State(of: move.to)?.inode == move.state.inode, rmdir(move.to) != 0,
      errno != ENOTEMPTY, errno != EEXIST
    {
      throw RunError.file(move.to)
    }
    return FileMove(kind: .removal, from: move.to, to: move.to, state: move.state)
  }

  private func moveBack() throws -> FileMove {
    guard let state = try FileMove.State(of: move.to) else {
      throw RunError(.conflict, "\(move.to) no longer exists")
    }
    guard state == move.state else {
      throw RunError(.conflict, "\(move.to) was changed after it was moved there")
    }
    if move.kind == .restore { return try trash.put(move.to) }
    guard try FolderListing.entry(move.from) == nil else {
      throw RunError(.conflict, "something else is now at \(move.from)")
    }
    let transfer = FileTransfer(
      from: move.to, to: move.from, isCopy: false, onConflict: .fail)
    guard let back = try FileMover(transfer).run()?.move else {
      throw RunError(.conflict, "\(move.to) could not be moved back")
    }
    guard move.kind == .trash else { return back }
    Trash.forget(move.to)
    return FileMove(kind: .restore, from: back.from, to: back.to, state: back.state)
  }
}

extension FileMove {
  /// Creates the record of a completed move.
  ///
  /// - Parameter from: The old path, absolute.
  /// - Throws: `io`, `not-found`.
  init(_ kind: Kind, from: String, to: String) throws {
    let place = try FilePathText.absolute(to)
    guard let state = try State(of: place) else {
      throw RunError(.notFound, "there is no \(to)")
    }
    self.init(kind: kind, from: from, to: place, state: state)
  }
}

extension FileMove.State {
  /// Reads the state of the file at a path; nil if it does not exist.
  init?(of path: String) throws {
    guard let status = try RunError.status(of: path) else { return nil }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    self.init(
      inode: Int64(truncatingIfNeeded: status.st_ino), size: isFolder ? 0 : Int64(status.st_size),
      modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
  }
}

extension FilePathText {
  /// Returns the absolute path; a link as the last component is not resolved.
  ///
  /// - Throws: `io`, `not-found`.
  static func absolute(_ path: String) throws -> String {
    guard let base = CanonicalPath.resolved(folder(of: path)) else { throw RunError.file(path) }
    return (base == "/" ? "" : base) + "/" + name(of: path)
  }
}
