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

/// The line of processes that wait to write to a store: who came first writes first.
///
/// Each that waits holds a lock on a byte of the write-ahead log, far behind its end, whose place is
/// the time at which it came. The kernel lets go of it when the process dies. SQLite has no locks on
/// that file, and one that waits for nobody takes none.
final class WriteLine {
  /// `F_OFD_GETLK` and `F_OFD_SETLK`, which belong to an open file and not to a process (fcntl(2)).
  private static let getLock: Int32 = 36
  private static let setLock: Int32 = 37
  /// Where the places begin: no log is as long.
  private static let start: Int64 = 1 << 48

  private let path: String
  private var descriptor: Int32 = -1
  /// Its place; nil while it does not wait.
  private var place: Int64?

  /// The line of the store with a write-ahead log at a path.
  init(log path: String) { self.path = path }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether it waits.
  var isWaiting: Bool { place != nil }

  /// Whether others wait.
  var hasOthers: Bool { other(before: .max) != nil }

  /// The place of another that came before; nil for the first in line, and where that is not known.
  var predecessor: Int64? { place.flatMap(other) }

  /// Gets in line, behind all that came before.
  ///
  /// - Parameter now: the monotonic clock, in nanoseconds.
  func enter(at now: Int64) {
    guard place == nil, open() else { return }
    for offset in 0..<Int64(64) {
      let place = now + offset
      var lock = Self.range(place, length: 1, F_WRLCK)
      if fcntl(descriptor, Self.setLock, &lock) == 0 {
        self.place = place
        return
      }
    }
  }

  /// Gets out of line, as it writes or has given up.
  func leave() {
    guard let place else { return }
    self.place = nil
    var lock = Self.range(place, length: 1, F_UNLCK)
    _ = fcntl(descriptor, Self.setLock, &lock)
  }

  private func other(before place: Int64) -> Int64? {
    guard place > 0, open() else { return nil }
    var lock = Self.range(0, length: place == .max ? 0 : place, F_WRLCK)
    guard fcntl(descriptor, Self.getLock, &lock) == 0, Int32(lock.l_type) != F_UNLCK else {
      return nil
    }
    return Int64(lock.l_start) - Self.start
  }

  private func open() -> Bool {
    if descriptor >= 0 {
      // The log may have been deleted and made anew before this process held it open.
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return true }
      close(descriptor)
    }
    descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    return descriptor >= 0
  }

  /// A lock of places; of all from one on where the length is 0.
  private static func range(_ place: Int64, length: Int64, _ type: Int32) -> flock {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(start + place)
    lock.l_len = off_t(length)
    return lock
  }
}
