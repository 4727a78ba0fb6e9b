import Glibc

/// The right to take shares in, which one process has at a time; the kernel takes it back when the
/// process ends, however it does.
package final class InboxLock {
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

  /// When the folders were swept last, or the inbox was made, in seconds since 1970.
  package var lastSweep: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_mtim.tv_sec) : 0
  }

  /// Notes that they are swept now.
  package func noteSweep() { _ = futimens(descriptor, nil) }
}
