import Glibc

/// A lock that one process has at a time (flock(2)); the kernel takes it back when the process ends,
/// however it does.
package final class FileLock {
  /// The file of the lock.
  package let file: Descriptor

  /// After how many milliseconds somebody who waits tries again.
  private static let pause: UInt32 = 5

  /// Takes the lock of a path, whose file is made if it is not there; nil when another process has it.
  package init?(_ path: String) throws(SystemError) {
    file = try Descriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW)
    while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return nil }
      if errno != EINTR { throw SystemError(path) }
    }
  }

  /// Takes the lock of a path as soon as another process gives it back; nil where that takes longer
  /// than so many milliseconds.
  ///
  /// - Parameter tellOfWait: Is called once when it has taken `silence` milliseconds.
  package static func wait(
    for path: String, patience: Int, silence: Int = .max, tellOfWait: () -> Void = {}
  ) throws(SystemError) -> FileLock? {
    let start = MonotonicClock.milliseconds
    var isTold = false
    while true {
      if let lock = try FileLock(path) { return lock }
      let waited = MonotonicClock.milliseconds - start
      if waited >= patience { return nil }
      if waited >= silence, !isTold {
        isTold = true
        tellOfWait()
      }
      usleep(pause * 1000)
    }
  }

  /// Lets the others go on.
  package func release() { try? file.close() }
}
