import Glibc
import POSIX
package import Source

/// A folder that only its owner may look into.
package struct PrivateFolder {
  /// Where it is.
  package let path: String

  /// The folder at a path, which need not be there.
  package init(path: String) { self.path = path }

  /// Makes the folder and those above it; existing ones stay as they are.
  ///
  /// What is new is on the disk when this returns: a file in a folder that a power cut takes away
  /// would be lost with it.
  /// - Throws: `unwritable`.
  package func make() throws(Diagnostic) {
    if mkdir(path, 0o700) == 0 {
      Folder.sync(Folder.parent(of: path))
      return
    }
    switch errno {
    case EEXIST: return
    case ENOENT where Folder.parent(of: path) != path:
      try PrivateFolder(path: Folder.parent(of: path)).make()
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure() }
      Folder.sync(Folder.parent(of: path))
    default: throw failure()
    }
  }

  private func failure() -> Diagnostic {
    let isDenied = errno == EACCES || errno == EPERM || errno == EROFS
    return Diagnostic(
      "unwritable", "can't create \(path): \(String(cString: strerror(errno)))",
      help: isDenied ? "set HOME or XDG_DATA_HOME to a folder you may write to" : nil)
  }
}
