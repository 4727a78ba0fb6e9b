#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A small file of the person's own that nobody else may read.
struct PrivateFile {
  /// Where it is.
  let path: String

  /// Puts text in the place of what is there; false when it can't be written.
  func write(_ text: String) -> Bool {
    guard makeFolder() else { return false }
    // Written beside it and moved, so that nobody ever sees half of it.
    let temporary = "\(path).\(getpid())"
    guard put(text, at: temporary, O_TRUNC) else {
      unlink(temporary)
      return false
    }
    return rename(temporary, path) == 0
  }

  /// Adds text at the end; a file that has grown beyond `limit` bytes is put aside as `….1` first.
  func append(_ text: String, limit: Int) -> Bool {
    guard makeFolder() else { return false }
    var status = stat()
    if stat(path, &status) == 0, status.st_size > limit { rename(path, path + ".1") }
    return put(text, at: path, O_APPEND)
  }

  private func put(_ text: String, at path: String, _ flag: Int32) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flag, 0o600)
    guard descriptor >= 0 else { return false }
    let code = Console.write(Array(text.utf8), to: descriptor)
    return close(descriptor) == 0 && code == 0
  }

  private func makeFolder() -> Bool {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return true }
    let folder = String(path[..<slash])
    if access(folder, F_OK) == 0 { return true }
    guard path.hasPrefix("/") else { return false }
    return (try? TrustFile.makeFolder(folder)) != nil
  }
}
