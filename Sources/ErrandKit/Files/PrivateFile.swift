import Glibc
import POSIX

/// A small file of the person's own that nobody else may read.
package struct PrivateFile {
  /// Where it is.
  package let path: String

  /// The file at a path, which need not be there.
  package init(path: String) { self.path = path }

  /// Puts text in the place of what is there; false when it can't be written.
  package func write(_ text: String) -> Bool { replace(Array(text.utf8), isDurable: false) }

  /// Puts bytes in the place of what is there; false when they can't be written, with `errno`.
  ///
  /// They are written beside it and moved, so that nobody ever sees half of it. With `isDurable`
  /// they are on the disk when this returns.
  package func replace(_ bytes: [UInt8], isDurable: Bool) -> Bool {
    guard makeFolder() else { return false }
    do {
      // A name that nobody can foresee, and no file or link that is there already.
      let draft = try DraftFile(for: path)
      try draft.file.write(bytes)
      try draft.publish(as: path, isSynced: isDurable)
    } catch {
      errno = error.code
      return false
    }
    if isDurable { Folder.sync(Folder.parent(of: path)) }
    return true
  }

  /// Adds text at the end; a file that has grown beyond `limit` bytes is put aside as `….1` first.
  package func append(_ text: String, limit: Int) -> Bool {
    guard makeFolder() else { return false }
    var status = stat()
    if stat(path, &status) == 0, status.st_size > limit { rename(path, path + ".1") }
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
