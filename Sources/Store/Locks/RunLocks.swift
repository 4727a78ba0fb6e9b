import Glibc
import POSIX

/// Tells which runs of a store are alive: each holds a byte of a file beside it, which the kernel lets
/// go of when its process dies, and writes there when it was last awake.
package final class RunLocks {
  /// `F_OFD_GETLK` and `F_OFD_SETLK`, which belong to an open file and not to a process (fcntl(2)).
  private static let getLock: Int32 = 36
  private static let setLock: Int32 = 37
  /// The room of a run in the file, in bytes: when its process was last awake, and its number.
  private static let stride: Int64 = 16

  private let path: String
  private var descriptor: Int32 = -1

  /// The locks of the store at a path.
  package init(ofStore path: String, suffix: String = ".runs") { self.path = path + suffix }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Takes the lock of a run; false when another process has it.
  ///
  /// A process that is frozen keeps its byte: who takes the run over from it has the next one.
  /// - Parameter limit: for how long another process may have been asleep, in nanoseconds.
  /// - Throws: `io` when the file can't be used.
  package func lock(_ run: Int64, silentFor limit: Int64 = .max) throws -> Bool {
    try open(creating: true)
    if try isHeld(run), silence(of: run) <= limit { return false }
    for place in 0..<Self.stride {
      var lock = Self.range(of: run, F_WRLCK)
      lock.l_start += off_t(place)
      lock.l_len = 1
      if fcntl(descriptor, Self.setLock, &lock) == 0 {
        note(run)
        return true
      }
      guard errno == EAGAIN || errno == EACCES else { throw failure() }
    }
    return false
  }

  /// Lets go of the lock of a run.
  package func unlock(_ run: Int64) {
    guard descriptor >= 0 else { return }
    var lock = Self.range(of: run, F_UNLCK)
    _ = fcntl(descriptor, Self.setLock, &lock)
  }

  /// Whether another process has the lock of a run.
  package func isHeld(_ run: Int64) throws -> Bool {
    try open(creating: false)
    guard descriptor >= 0 else { return false }
    var lock = Self.range(of: run, F_WRLCK)
    guard fcntl(descriptor, Self.getLock, &lock) == 0 else { throw failure() }
    return Int32(lock.l_type) != F_UNLCK
  }

  /// Notes that the process of a run is awake.
  package func beat(_ run: Int64) { beating(run)?() }

  /// What notes that the process of a run is awake, from any thread while these locks are there; of
  /// a run that another process took over it notes nothing.
  package func beating(_ run: Int64) -> (@Sendable () -> Void)? {
    guard descriptor >= 0 else { return nil }
    let descriptor = descriptor
    return {
      let place = off_t(run * Self.stride)
      var process: Int64 = 0
      guard pread(descriptor, &process, 8, place + 8) == 8, process == Int64(getpid()) else {
        return
      }
      var now = MonotonicClock.nanoseconds
      _ = pwrite(descriptor, &now, 8, place)
    }
  }

  /// Notes that this process has a run, and is awake.
  private func note(_ run: Int64) {
    var note = (MonotonicClock.nanoseconds, Int64(getpid()))
    _ = pwrite(descriptor, &note, 16, off_t(run * Self.stride))
  }

  /// The process that has the lock of a run, or had it last; 0 when that is not known.
  package func process(of run: Int64) -> Int32 {
    var process: Int64 = 0
    guard descriptor >= 0, pread(descriptor, &process, 8, off_t(run * Self.stride + 8)) == 8 else {
      return 0
    }
    return Int32(truncatingIfNeeded: process)
  }

  /// For how long the process of a run has been asleep, in nanoseconds.
  package func silence(of run: Int64) -> Int64 {
    var last: Int64 = 0
    guard descriptor >= 0, pread(descriptor, &last, 8, off_t(run * Self.stride)) == 8 else {
      return 0
    }
    // After a start of the machine its clock begins anew.
    return max(0, MonotonicClock.nanoseconds - last)
  }

  private func open(creating: Bool) throws {
    guard descriptor < 0 else { return }
    descriptor = Glibc.open(path, (creating ? O_CREAT : 0) | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor < 0, creating || errno != ENOENT else { return }
    throw failure()
  }

  private func failure() -> StoreError {
    StoreError(
      .io, "“\(path)”, which tells what runs, can't be used: \(String(cString: strerror(errno)))")
  }

  private static func range(of run: Int64, _ type: Int32) -> flock {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(run * stride)
    lock.l_len = off_t(stride)
    return lock
  }
}

/// Tells which processes do jobs of a store: each holds a seat, a lock that the kernel lets go of when
/// it dies, and notes there when it was last awake.
package final class WorkerSeats {
  /// How many may do jobs of one store at once.
  private static let count: Int64 = 1024

  private let locks: RunLocks
  /// The seat of this process; nil before it has taken one.
  package private(set) var own: Int64?

  /// The seats of the store at a path.
  init(ofStore path: String) { locks = RunLocks(ofStore: path, suffix: ".workers") }

  /// Takes a free seat.
  ///
  /// - Throws: `busy` where all are taken, `io`.
  func take() throws -> Int64 {
    if let own { return own }
    for seat in 1...Self.count where try locks.lock(seat) {
      own = seat
      return seat
    }
    throw StoreError(.busy, "\(Self.count) processes do jobs of this store already")
  }

  /// Lets go of the seat.
  package func leave() {
    guard let own else { return }
    self.own = nil
    locks.unlock(own)
  }

  /// Whether a process has a seat and was awake lately.
  func isAlive(_ seat: Int64, silentFor limit: Int64) throws -> Bool {
    if seat == own { return true }
    return try locks.isHeld(seat) && locks.silence(of: seat) <= limit
  }

  /// The processes that have seats, with how long each has been asleep, in nanoseconds.
  package func others() throws -> [(process: Int32, silence: Int64)] {
    // The lowest free seat is taken, so those behind a long row of free ones are free.
    var found: [(process: Int32, silence: Int64)] = []
    var free = 0
    for seat in 1...Self.count where free < 64 {
      if try seat != own && locks.isHeld(seat) {
        found.append((locks.process(of: seat), locks.silence(of: seat)))
        free = 0
      } else {
        free += 1
      }
    }
    return found
  }

  /// What notes that this process is awake, from any thread; nil without a seat.
  package var beat: (@Sendable () -> Void)? { own.flatMap(locks.beating) }
}
