import Glibc

/// An exclusive lock between processes (flock(2)); the kernel releases it when the process ends.
package final class FileLock {
  /// The lock file.
  package let file: Descriptor

  /// Retry interval in milliseconds.
  private static let pause: UInt32 = 5

  /// Acquires the lock of a path, creating its file if needed; nil if another process holds it.
  package init?(_ path: String) throws(SystemError) {
    file = try Descriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW)
    while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return nil }
      if errno != EINTR { throw SystemError(path) }
    }
  }

  /// Waits for the lock of a path; nil after `patience` milliseconds.
  ///
  /// - Parameter tellOfWait: Called once after `silence` milliseconds of waiting.
  package static func wait(
    for path: String, patience: Int, silence: Int = .max, tellOfWait: () -> Void = {}
  ) throws(SystemError) -> FileLock? {
    let start = MonotonicClock.milliseconds
    var isReported = false
    while true {
      if let lock = try FileLock(path) { return lock }
      let waited = MonotonicClock.milliseconds - start
      if waited >= patience { return nil }
      if waited >= silence, !isReported {
        isReported = true
        tellOfWait()
      }
      usleep(pause * 1000)
    }
  }

  /// Releases the lock.
  package func release() { try? file.close() }
}
