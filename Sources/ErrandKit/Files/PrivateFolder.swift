import Glibc
import POSIX
package import Source

/// A folder that only its owner can access.
package struct PrivateFolder {
  /// The path.
  package let path: String

  /// Creates a value for a path; the folder need not exist.
  package init(path: String) { self.path = path }

  /// Creates the folder and its parents and syncs them; existing folders are not changed.
  ///
  /// - Throws: `unwritable`.
  package func make() throws(Diagnostic) {
    do {
      try Folder.make(path, isDurable: true)
    } catch {
      let isDenied = error.code == EACCES || error.code == EPERM || error.code == EROFS
      throw Diagnostic(
        "unwritable", "cannot create \(error.path): \(error.reason)",
        help: isDenied ? "set HOME or XDG_DATA_HOME to a folder you may write to" : nil)
    }
  }
}
