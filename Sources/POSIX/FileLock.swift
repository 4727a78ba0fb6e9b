import Glibc

/// An exclusive lock between processes (flock(2)); the kernel releases it when the process ends.
package final class FileLock {
  /// The lock file.
  package let file: Descriptor

  /// Retry interval.
  private static let pause = Duration.milliseconds(5)

  /// Acquires the lock of a path, creating its file if needed; nil if another process holds it.
  package init?(_ path: String) throws(SystemError) {
    file = try Descriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW)
    while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return nil }
      if errno != EINTR { throw SystemError(path) }
    }
  }

  /// Waits for the lock of a path; nil after `patience`.
  ///
  /// - Parameter tellOfWait: Called once after waiting for `silence`.
  package static func wait(
    for path: String, patience: Duration, silence: Duration? = nil, tellOfWait: () -> Void = {}
  ) throws(SystemError) -> FileLock? {
    let start = MonotonicClock.nanoseconds
    var isReported = false
    while true {
      if let lock = try FileLock(path) { return lock }
      let waited = Duration.nanoseconds(MonotonicClock.nanoseconds - start)
      if waited >= patience { return nil }
      if let silence, waited >= silence, !isReported {
        isReported = true
        tellOfWait()
      }
      usleep(UInt32(pause.microseconds))
    }
  }

  /// Releases the lock.
  package func release() { try? file.close() }
}
