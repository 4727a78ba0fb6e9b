import CSQLite
import Glibc
import POSIX

/// Waits for another process to finish its transaction; gives up after about 30 seconds.
///
/// SQLite's own handler sleeps for up to 100 ms, in which a process that imports takes the lock
/// again many times over before anybody else is awake. Here those that want to write stand in line:
/// only the first of them looks for SQLite's lock, and it looks often.
final class LockWait {
  /// After how many nanoseconds a wait is told.
  private static let patience: Int64 = 2_000_000_000
  /// After how many nanoseconds it is given up.
  private static let limit: Int64 = 30_000_000_000
  /// For how long nobody may come forward in line before others try, too: the first may be frozen.
  private static let standstill: Int64 = 1_000_000_000

  private let path: String
  /// Those that wait to write; nil for a database that others can't reach.
  let line: WriteLine?
  /// Is told once that a wait takes long, with the process that is waited for if that is known.
  var tell: ((LockHolder?) -> Void)?
  /// Whether the work that waits is to end.
  var isCancelled: (() -> Bool)?
  private var began: Int64?
  private var isTold = false
  /// Whether what waits is to begin a write transaction.
  private var isBeginning = false

  init(path: String, line: WriteLine?) {
    self.path = path
    self.line = line
  }

  /// Runs what begins a write transaction, behind those that wait for theirs.
  func inLine<Result>(_ begin: () throws -> Result) rethrows -> Result {
    guard let line else { return try begin() }
    isBeginning = true
    defer {
      line.leave()
      isBeginning = false
      began = nil
    }
    if line.hasOthers { _ = standInLine(line) }
    return try begin()
  }

  /// Waits a little; false when there is no more to wait for.
  ///
  /// - Parameter attempt: How often the same wait was asked for before.
  func wait(attempt: Int32) -> Bool {
    if attempt == 0, !isBeginning { began = nil }
    guard goesOn else { return false }
    if isBeginning, let line {
      // The first in line looks often, as it alone does.
      usleep(attempt == 0 ? 100 : 300)
      return standInLine(line)
    }
    // Not in step with the others: each process waits a time of its own.
    usleep(attempt < 5 ? 500 : 2_000 + jitter(attempt))
    return true
  }

  /// Waits until it is the first in line; false when there is no more to wait for.
  private func standInLine(_ line: WriteLine) -> Bool {
    line.enter(at: MonotonicClock.nanoseconds)
    var known: Int64?
    var since: Int64 = 0
    var looks: Int32 = 0
    while let first = line.predecessor {
      guard goesOn else { return false }
      let now = MonotonicClock.nanoseconds
      if first != known { (known, since) = (first, now) }
      let isStill = now - since >= Self.standstill
      usleep(isStill ? 5_000 : 700 + jitter(looks) / 4)
      if isStill { return true }
      looks &+= 1
    }
    return true
  }

  /// Whether the wait is to go on; tells that it takes long.
  private var goesOn: Bool {
    if isCancelled?() == true { return false }
    let now = MonotonicClock.nanoseconds
    guard let began else {
      began = now
      isTold = false
      return true
    }
    let waited = now - began
    if waited >= Self.limit { return false }
    if waited >= Self.patience, !isTold {
      isTold = true
      tell?(LockHolder(ofStore: path))
    }
    return true
  }

  private func jitter(_ attempt: Int32) -> UInt32 {
    UInt32(truncatingIfNeeded: (Int(getpid()) &* 31 &+ Int(attempt) &* 17) & 0x7FF)
  }
}
