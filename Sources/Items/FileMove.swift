/// A moved file or folder, or a folder that was made, and its state afterwards.
package struct FileMove: Hashable, Sendable {
  /// The kind of move, which determines how it is undone.
  package enum Kind: String, Sendable {
    case move
    /// A move to the desktop's trash.
    case trash
    /// A move out of the trash.
    case restore
    /// A new folder; it has one path.
    case folder
    /// The removal of such a folder, unless it has files.
    case removal
  }

  /// File attributes for detecting later changes.
  package struct State: Hashable, Sendable {
    /// The inode number.
    package let inode: Int64
    /// The size in bytes; 0 for a folder.
    package let size: Int64
    /// The modification time in nanoseconds since 1970.
    package let modified: Int64

    package init(inode: Int64, size: Int64, modified: Int64) {
      self.inode = inode
      self.size = size
      self.modified = modified
    }
  }

  package let kind: Kind
  /// The absolute path before the move.
  package let from: String
  /// The absolute path after the move.
  package let to: String
  /// The state after the move.
  package var state: State

  package init(kind: Kind, from: String, to: String, state: State) {
    self.kind = kind
    self.from = from
    self.to = to
    self.state = state
  }
}
