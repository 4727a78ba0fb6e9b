import CSQLite
import Glibc
import POSIX

/// Waits for another process to finish its transaction; gives up after about 30 seconds.
///
/// SQLite's own handler sleeps for up to 100 ms, in which a process that imports takes the lock
/// again many times over before anybody else is awake.
final class LockWait {
  /// After how many nanoseconds a wait is told.
  private static let patience: Int64 = 2_000_000_000
  /// After how many nanoseconds it is given up.
  private static let limit: Int64 = 30_000_000_000

  private let path: String
  /// Is told once that a wait takes long, with the process that is waited for if that is known.
  var tell: ((LockHolder?) -> Void)?
  /// Whether the work that waits is to end.
  var isCancelled: (() -> Bool)?
  private var began: Int64 = 0
  private var isTold = false

  init(path: String) {
    self.path = path
  }

  /// Waits a little; false when there is no more to wait for.
  ///
  /// - Parameter attempt: How often the same wait was asked for before.
  func wait(attempt: Int32) -> Bool {
    if isCancelled?() == true { return false }
    let now = MonotonicClock.nanoseconds
    if attempt == 0 {
      began = now
      isTold = false
    }
    let waited = now - began
    if waited >= Self.limit { return false }
    if waited >= Self.patience, !isTold {
      isTold = true
      tell?(LockHolder(ofStore: path))
    }
    // Not in step with the others: each process waits a time of its own.
    let jitter = UInt32(truncatingIfNeeded: (Int(getpid()) &* 31 &+ Int(attempt) &* 17) & 0x7FF)
    usleep(attempt < 5 ? 500 : 2_000 + jitter)
    return true
  }
}
