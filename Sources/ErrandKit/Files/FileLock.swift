import Glibc
import POSIX
package import Source

/// A lock beside a file, which other processes wait for while the file is read and written.
package struct FileLock {
  private let descriptor: Int32

  /// How long another process may hold it, in milliseconds.
  private static let patience = 10_000
  /// After how many milliseconds of waiting it is told.
  private static let silence = 2_000

  /// Waits for the lock of a path; the folder is made if it is not there.
  ///
  /// - Parameter tellOfWait: is called once when another process has it for long.
  /// - Throws: `unwritable`.
  package init(beside path: String, tellOfWait: () -> Void = {}) throws(Diagnostic) {
    try PrivateFolder(path: Folder.parent(of: path)).make()
    descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path, String(cString: strerror(errno))) }
    let start = MonotonicClock.milliseconds
    var isTold = false
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let isLocked = errno == EWOULDBLOCK || errno == EINTR
      let waited = MonotonicClock.milliseconds - start
      guard isLocked, waited < Self.patience else {
        close(descriptor)
        throw Self.failure(path, "another process keeps it locked")
      }
      if waited >= Self.silence, !isTold {
        isTold = true
        tellOfWait()
      }
      usleep(5000)
    }
  }

  /// Lets the others go on.
  package func release() { close(descriptor) }

  private static func failure(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic("unwritable", "\(path) can't be written: \(reason)")
  }
}
