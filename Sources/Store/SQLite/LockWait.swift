import CSQLite
import Glibc
import POSIX

/// Waits for another process's transaction; gives up after about 30 seconds.
///
/// SQLite's own handler sleeps for up to 100 ms, while an importing process retakes the lock many
/// times. Here writers queue up: only the first in line polls SQLite's lock, and does so often.
final class LockWait {
  /// The time until a wait is reported.
  private static let reportDelay = Duration.seconds(2)
  /// The time until a wait is given up.
  private static let limit = Duration.seconds(30)
  /// The time without progress after which others try too: the first in line may
  /// be frozen.
  private static let stallLimit = Duration.seconds(1)

  /// The number of quick polls by those further back in line.
  private static let quickPolls: Int32 = 20

  private let path: String
  /// The queue of waiting writers; nil for a database that no other process can open.
  let line: WriteLine?
  /// Called once when a wait takes long, with the process that holds the lock if known.
  var tell: ((LockHolder?) -> Void)?
  /// Whether the waiting work is cancelled.
  var isCancelled: (() -> Bool)?
  /// Called repeatedly during a long statement.
  var beat: (() -> Void)?
  private var began: Int64?
  private var isReported = false
  /// Whether the wait is for starting a write transaction.
  private var isBeginning = false

  init(path: String, line: WriteLine?) {
    self.path = path
    self.line = line
  }

  /// Sends a heartbeat; returns whether a long statement may continue.
  func beatsOn() -> Bool {
    beat?()
    return isCancelled?() != true
  }

  /// Starts a write transaction, behind those already waiting.
  func inLine<Result>(_ begin: () throws -> Result) rethrows -> Result {
    guard let line else { return try begin() }
    isBeginning = true
    defer {
      line.leave()
      isBeginning = false
      began = nil
    }
    if line.hasOthers { _ = waitInLine(line) }
    return try begin()
  }

  /// Sleeps before the next attempt; returns false when cancelled or timed out.
  ///
  /// - Parameter attempt: The number of earlier calls for the same wait.
  func wait(attempt: Int32) -> Bool {
    if attempt == 0, !isBeginning { began = nil }
    guard shouldContinue else { return false }
    if isBeginning, let line {
      // Only the first in line polls this often.
      usleep(attempt == 0 ? 20 : attempt < 5 ? 50 : 300)
      return waitInLine(line)
    }
    // Jitter keeps the processes out of step.
    usleep(attempt < 5 ? 500 : 2_000 + jitter(attempt))
    return true
  }

  /// Waits until it is first in line; returns false when cancelled or timed out.
  private func waitInLine(_ line: WriteLine) -> Bool {
    line.enter(at: MonotonicClock.nanoseconds)
    var known: Int64?
    var since: Int64 = 0
    var polls: Int32 = 0
    while let first = line.predecessor {
      guard shouldContinue else { return false }
      let now = MonotonicClock.nanoseconds
      if first != known { (known, since) = (first, now) }
      let isStalled = now - since >= Self.stallLimit.nanoseconds
      // Most transactions are short.
      usleep(isStalled ? 5_000 : polls < Self.quickPolls ? 150 : 700 + jitter(polls) / 4)
      if isStalled { return true }
      polls &+= 1
    }
    return true
  }

  /// Whether to keep waiting; reports a long wait.
  private var shouldContinue: Bool {
    if isCancelled?() == true { return false }
    let now = MonotonicClock.nanoseconds
    guard let began else {
      began = now
      isReported = false
      return true
    }
    let waited = now - began
    if waited >= Self.limit.nanoseconds { return false }
    if waited >= Self.reportDelay.nanoseconds, !isReported {
      isReported = true
      tell?(LockHolder(ofStore: path))
    }
    return true
  }

  private func jitter(_ attempt: Int32) -> UInt32 {
    UInt32(truncatingIfNeeded: (Int(getpid()) &* 31 &+ Int(attempt) &* 17) & 0x7FF)
  }
}

/// The queue of processes that wait to write to a store, first come, first served.
///
/// Each waiter locks a byte of the write-ahead log, far beyond its end, at an offset given by its
/// time of arrival. The kernel releases the lock when the process dies. SQLite itself does not lock
/// that file, and a writer that need not wait takes no lock.
final class WriteLine {
  /// The offset of the first place, beyond the end of any log.
  private static let start: Int64 = 1 << 48

  private let path: String
  private var file: Descriptor?
  /// The place in the queue; nil while not waiting.
  private var place: Int64?

  /// The queue of the store with its write-ahead log at a path.
  init(log path: String) { self.path = path }

  /// Whether this process is waiting.
  var isWaiting: Bool { place != nil }

  /// Whether others are waiting.
  var hasOthers: Bool { other(before: .max) != nil }

  /// The place of an earlier waiter; nil for the first in line, or when unknown.
  var predecessor: Int64? { place.flatMap(other) }

  /// Joins the queue behind all earlier waiters.
  ///
  /// - Parameter now: The monotonic clock, in nanoseconds.
  func enter(at now: Int64) {
    guard place == nil, let file = opened() else { return }
    // If no lock is available, it waits without a place.
    place = (now..<now + 64).first { (try? file.lock(at: Self.start + $0)) == true }
  }

  /// Leaves the queue.
  func leave() {
    if let place { file?.unlock(at: Self.start + place) }
    place = nil
  }

  private func other(before place: Int64) -> Int64? {
    guard place > 0, let file = opened() else { return nil }
    let lock = try? file.otherLock(at: Self.start, count: place == .max ? 0 : place)
    return lock.map { $0 - Self.start }
  }

  private func opened() -> Descriptor? {
    // The log may have been deleted and recreated before this process opened it.
    if let file, let status = try? file.status(), status.st_nlink > 0 { return file }
    file = try? Descriptor(path, O_RDWR | O_NOFOLLOW)
    return file
  }
}
