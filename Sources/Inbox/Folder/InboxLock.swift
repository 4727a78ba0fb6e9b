import Glibc

/// The right to take shares in, which one process has at a time; the kernel takes it back when the
/// process ends, however it does.
package struct InboxLock: ~Copyable {
  private let descriptor: Int32

  /// Takes the lock of an inbox; nil when another process has it.
  ///
  /// - Throws: `io`.
  package init?(_ folder: InboxFolder) throws(InboxError) {
    let path = folder.path + "/lock"
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC
    var file = open(path, flags, 0o600)
    if file < 0, errno == ENOENT {
      try folder.make()
      file = open(path, flags, 0o600)
    }
    guard file >= 0 else { throw .system(path) }
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      let isTaken = errno == EWOULDBLOCK
      close(file)
      if isTaken { return nil }
      throw .system(path)
    }
    descriptor = file
  }

  deinit { close(descriptor) }
}
