package import CEL

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
  /// Moves or copies; gives the new path, or nil when nothing was done.
  package var transfer: @Sendable (FileTransfer) throws -> String?
  /// Moves a file to the trash of the desktop (freedesktop.org); gives where it lies there.
  package var trash: @Sendable (_ path: String) throws -> String
  /// What is known of a file without reading it; nil when there is none.
  package var status: @Sendable (_ path: String) throws -> FileEntry?
  /// A path in full and without links, as far as it is there.
  package var canonical: @Sendable (_ path: String) -> String

  package init(
    read: @escaping @Sendable (_ path: String, _ limit: Int) throws -> [UInt8],
    write: @escaping @Sendable (_ path: String, _ bytes: [UInt8], WriteMode) throws -> Void,
    list: @escaping @Sendable (_ folder: String, _ deep: Bool) throws -> [FileEntry],
    transfer: @escaping @Sendable (FileTransfer) throws -> String?,
    trash: @escaping @Sendable (_ path: String) throws -> String,
    status: @escaping @Sendable (_ path: String) throws -> FileEntry?,
    canonical: @escaping @Sendable (_ path: String) -> String = { $0 }
  ) {
    self.read = read
    self.write = write
    self.list = list
    self.transfer = transfer
    self.trash = trash
    self.status = status
    self.canonical = canonical
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
