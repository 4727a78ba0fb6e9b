import Glibc
import Source

/// A lock beside a file, which other processes wait for while the file is read and written.
struct FileLock {
  private let descriptor: Int32

  /// How long another process may hold it, in milliseconds.
  private static let patience = 10_000

  /// Waits for the lock of a path; the folder is made if it is not there.
  ///
  /// - Throws: `unwritable`.
  init(beside path: String) throws(Diagnostic) {
    try PrivateFolder(path: PrivateFolder.parent(of: path)).make()
    descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path, String(cString: strerror(errno))) }
    let deadline = MonotonicClock.milliseconds + Self.patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, MonotonicClock.milliseconds < deadline else {
        close(descriptor)
        throw Self.failure(path, "another process keeps it locked")
      }
      usleep(5000)
    }
  }

  /// Lets the others go on.
  func release() { close(descriptor) }

  private static func failure(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic("unwritable", "\(path) can't be written: \(reason)")
  }
}
