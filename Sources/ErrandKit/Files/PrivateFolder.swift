import Glibc
import POSIX
package import Source

/// A folder that only its owner may look into.
package struct PrivateFolder {
  /// Where it is.
  package let path: String

  /// The folder at a path, which need not be there.
  package init(path: String) { self.path = path }

  /// Makes the folder and those above it, on the disk; existing ones stay as they are.
  ///
  /// - Throws: `unwritable`.
  package func make() throws(Diagnostic) {
    do {
      try Folder.make(path, isDurable: true)
    } catch {
      let isDenied = error.code == EACCES || error.code == EPERM || error.code == EROFS
      throw Diagnostic(
        "unwritable", "can't create \(error.path): \(error.reason)",
        help: isDenied ? "set HOME or XDG_DATA_HOME to a folder you may write to" : nil)
    }
  }
}
