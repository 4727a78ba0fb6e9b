package import CEL
package import Items

/// The files and folders that a run may reach.
///
/// - Throws: each function throws `RunError` with the code `io` or `not-found`.
package struct FileAccess: Sendable {
  /// All bytes of a file, so many at most.
  package var read: @Sendable (_ path: String, _ limit: Int) throws -> [UInt8]
  /// Writes a file.
  package var write: @Sendable (_ path: String, _ bytes: [UInt8], WriteMode) throws -> Void
  /// What lies in a folder, by name; with `deep` in the folders below it, too.
  package var list: @Sendable (_ folder: String, _ deep: Bool) throws -> [FileEntry]
  /// Moves or copies; nil when nothing was done.
  package var transfer: @Sendable (FileTransfer) throws -> FileTransfer.Result?
  /// Moves a file to the trash of the desktop (freedesktop.org).
  package var trash: @Sendable (_ path: String) throws -> FileMove
  /// Takes back a move of a file that is as the move left it; gives the move that did so.
  package var takeBack: @Sendable (FileMove) throws -> FileMove
  /// What is known of a file without reading it; nil when there is none.
  package var status: @Sendable (_ path: String) throws -> FileEntry?
  /// Keeps the bytes of a file in a folder, by their hash; in none they stay where they are.
  package var keep: @Sendable (_ path: String, _ folder: String?) throws -> KeptFile
  /// A path in full and without links, as far as it is there.
  package var canonical: @Sendable (_ path: String) -> String

  package init(
    read: @escaping @Sendable (_ path: String, _ limit: Int) throws -> [UInt8],
    write: @escaping @Sendable (_ path: String, _ bytes: [UInt8], WriteMode) throws -> Void,
    list: @escaping @Sendable (_ folder: String, _ deep: Bool) throws -> [FileEntry],
    transfer: @escaping @Sendable (FileTransfer) throws -> FileTransfer.Result?,
    trash: @escaping @Sendable (_ path: String) throws -> FileMove,
    takeBack: @escaping @Sendable (FileMove) throws -> FileMove,
    status: @escaping @Sendable (_ path: String) throws -> FileEntry?,
    canonical: @escaping @Sendable (_ path: String) -> String = { $0 },
    keep: (@Sendable (_ path: String, _ folder: String?) throws -> KeptFile)? = nil
  ) {
    self.read = read
    self.write = write
    self.list = list
    self.transfer = transfer
    self.trash = trash
    self.takeBack = takeBack
    self.status = status
    self.canonical = canonical
    self.keep = keep ?? { path, _ in try KeptFile(bytes: read(path, KeptFile.limit), at: path) }
  }

  /// How a file is written.
  package enum WriteMode: String, Sendable, CaseIterable {
    /// In place of what is there, at once.
    case replace
    /// After what is there.
    case append
    /// Only where nothing is.
    case create
  }
}

/// A file or a folder, as a listing shows it.
package struct FileEntry: Sendable {
  package let path: String
  package let name: String
  /// In bytes.
  package let size: Int64
  package let modified: Timestamp
  package let isFolder: Bool

  package init(path: String, name: String, size: Int64, modified: Timestamp, isFolder: Bool) {
    self.path = path
    self.name = name
    self.size = size
    self.modified = modified
    self.isFolder = isFolder
  }
}

/// A file that is moved or copied.
package struct FileTransfer: Sendable {
  /// What is done where something is at the target.
  package enum Conflict: String, Sendable, CaseIterable {
    case fail, replace, number, skip
  }

  /// What came of it.
  package struct Result: Sendable {
    /// The new path, as the transfer names it.
    package let path: String
    /// What `undo` takes back; nil for a copy.
    package let move: FileMove?

    package init(path: String, move: FileMove?) {
      self.path = path
      self.move = move
    }
  }

  package let from: String
  /// A folder when it ends in `/`, else the new path.
  package let to: String
  package let isCopy: Bool
  package let onConflict: Conflict

  package init(from: String, to: String, isCopy: Bool, onConflict: Conflict) {
    self.from = from
    self.to = to
    self.isCopy = isCopy
    self.onConflict = onConflict
  }
}
