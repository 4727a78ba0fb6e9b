import Glibc
import POSIX

/// A small file that only its owner can read.
package struct PrivateFile {
  /// The path.
  package let path: String

  /// Creates a value for a path; the file need not exist.
  package init(path: String) { self.path = path }

  /// Replaces the contents; false on failure.
  package func write(_ text: String) -> Bool { replace(Array(text.utf8), isDurable: false) }

  /// Replaces the contents atomically, by a temporary file and rename; false on failure, with
  /// `errno` set.
  ///
  /// If `isDurable` is true, the file is on disk when this returns.
  package func replace(_ bytes: [UInt8], isDurable: Bool) -> Bool {
    guard makeFolder() else { return false }
    do {
      // The name is unpredictable, and an existing file or symbolic link is never opened.
      let temporary = try TemporaryFile(for: path)
      try temporary.file.write(bytes)
      try temporary.publish(as: path, isSynced: isDurable)
    } catch {
      errno = error.code
      return false
    }
    if isDurable { Folder.sync(Folder.parent(of: path)) }
    return true
  }

  /// Appends text; a file larger than `limit` bytes is first renamed to `….1`.
  package func append(_ text: String, limit: Int) -> Bool {
    guard makeFolder() else { return false }
    if let status = stat.at(path), status.st_size > limit { rename(path, path + ".1") }
    do {
      let file = try Descriptor(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW)
      try file.write(Array(text.utf8))
      try file.close()
      return true
    } catch {
      return false
    }
  }

  private func makeFolder() -> Bool {
    let folder = Folder.parent(of: path)
    if access(folder, F_OK) == 0 { return true }
    guard path.hasPrefix("/") else { return false }
    return (try? PrivateFolder(path: folder).make()) != nil
  }
}
