import Engine
import Glibc
import Items
import Program

/// Takes back a move of a file, if the file is still as the move left it.
struct MoveReversal {
  private let move: FileMove
  private let trash: Trash

  init(_ move: FileMove, _ trash: Trash) {
    self.move = move
    self.trash = trash
  }

  /// The move that took it back.
  ///
  /// - Throws: `conflict` when the file was changed or is gone, or something is in its old place.
  func run() throws -> FileMove {
    guard let state = try FileMove.State(of: move.to) else {
      throw RunError(.conflict, "\(move.to) is not there any more")
    }
    guard state == move.state else {
      throw RunError(.conflict, "\(move.to) was changed after it was moved there")
    }
    if move.kind == .restore { return try trash.put(move.to) }
    guard try FolderListing.entry(move.from) == nil else {
      throw RunError(.conflict, "there is something else at \(move.from) now")
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
  /// The move of a file that lies at its new place now.
  ///
  /// - Parameter from: Its old place, from the root.
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
  /// The state of what lies at a path; nil when there is nothing.
  init?(of path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw RunError.file(path)
    }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    self.init(
      inode: Int64(truncatingIfNeeded: status.st_ino), size: isFolder ? 0 : Int64(status.st_size),
      modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
  }
}

extension FilePathText {
  /// A path from the root; a link at its end stays what it is.
  ///
  /// - Throws: `io`, `not-found`.
  static func absolute(_ path: String) throws -> String {
    guard let resolved = realpath(folder(of: path), nil) else { throw RunError.file(path) }
    defer { free(resolved) }
    let base = String(cString: resolved)
    return (base == "/" ? "" : base) + "/" + name(of: path)
  }
}
