import Glibc
import POSIX

/// A small file of the person's own that nobody else may read.
package struct PrivateFile {
  /// Where it is.
  package let path: String

  /// The file at a path, which need not be there.
  package init(path: String) { self.path = path }

  /// How often another name is tried for the file that is written first.
  private static let attempts = 16

  /// Puts text in the place of what is there; false when it can't be written.
  package func write(_ text: String) -> Bool { replace(Array(text.utf8), isDurable: false) }

  /// Puts bytes in the place of what is there; false when they can't be written, with `errno`.
  ///
  /// They are written beside it and moved, so that nobody ever sees half of it. With `isDurable`
  /// they are on the disk when this returns.
  package func replace(_ bytes: [UInt8], isDurable: Bool) -> Bool {
    guard makeFolder() else { return false }
    for _ in 0..<Self.attempts {
      // A name that nobody can foresee, and no file or link that is there already.
      let temporary = "\(path).\(UInt64.random(in: .min ... .max))"
      let descriptor = open(
        temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if descriptor < 0 {
        if errno == EEXIST { continue }
        return false
      }
      var code = WholeWrite.write(bytes, to: descriptor)
      if code == 0, isDurable, fsync(descriptor) != 0 { code = errno }
      if close(descriptor) != 0, code == 0 { code = errno }
      if code == 0, rename(temporary, path) != 0 { code = errno }
      if code == 0 {
        if isDurable { Folder.sync(Folder.parent(of: path)) }
        return true
      }
      unlink(temporary)
      errno = code
      return false
    }
    return false
  }

  /// Adds text at the end; a file that has grown beyond `limit` bytes is put aside as `….1` first.
  package func append(_ text: String, limit: Int) -> Bool {
    guard makeFolder() else { return false }
    var status = stat()
    if stat(path, &status) == 0, status.st_size > limit { rename(path, path + ".1") }
    let descriptor = open(
      path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    let code = WholeWrite.write(Array(text.utf8), to: descriptor)
    return close(descriptor) == 0 && code == 0
  }

  private func makeFolder() -> Bool {
    let folder = Folder.parent(of: path)
    if access(folder, F_OK) == 0 { return true }
    guard path.hasPrefix("/") else { return false }
    return (try? PrivateFolder(path: folder).make()) != nil
  }
}
