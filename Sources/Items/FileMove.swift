/// A file or a folder that was moved, with what tells whether it is still as the move left it.
package struct FileMove: Hashable, Sendable {
  /// How it was moved, which decides how it is taken back.
  package enum Kind: String, Sendable {
    case move
    /// Into the trash of the desktop.
    case trash
    /// Out of the trash.
    case restore
  }

  /// What is compared to find out whether a file was changed.
  package struct State: Hashable, Sendable {
    /// Its number in the file system.
    package let inode: Int64
    /// In bytes; 0 for a folder.
    package let size: Int64
    /// When it was written, in nanoseconds since 1970.
    package let modified: Int64

    package init(inode: Int64, size: Int64, modified: Int64) {
      self.inode = inode
      self.size = size
      self.modified = modified
    }
  }

  package let kind: Kind
  /// Where it was, from the root.
  package let from: String
  /// Where it is, from the root.
  package let to: String
  /// What it was like after the move.
  package var state: State

  package init(kind: Kind, from: String, to: String, state: State) {
    self.kind = kind
    self.from = from
    self.to = to
    self.state = state
  }
}
