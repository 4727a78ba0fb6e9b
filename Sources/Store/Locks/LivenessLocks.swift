import Glibc
import POSIX

/// Liveness locks of runs: each process locks a byte per run in a file beside the store and writes
/// its heartbeats there; the kernel releases the lock when the process dies.
package final class LivenessLocks {
  /// The bytes per run in the file: the last heartbeat and the process id, 8 each.
  private static let stride: Int64 = 16

  private let path: String
  private var file: Descriptor?
  /// Milliseconds to wait for a child of a killed process.
  var patience = 500

  /// The locks of the store at a path.
  package init(ofStore path: String, suffix: String = ".runs") { self.path = path + suffix }

  /// Locks a run; returns false when another process holds the lock.
  ///
  /// A frozen process keeps its lock byte; its successor locks the following byte.
  /// - Parameter limit: The maximum time since the holder's last heartbeat; nil for no limit.
  /// - Throws: `io` when the file cannot be used.
  package func lock(_ run: Int64, silentFor limit: Duration? = nil) throws -> Bool {
    guard let file = try opened(creating: true) else { return false }
    if try isHeld(run), limit.map({ silence(of: run) <= $0 }) ?? true { return false }
    for place in 0..<Self.stride {
      do {
        guard try file.lock(at: run * Self.stride + place) else { continue }
      } catch { throw failure(error) }
      note(run, in: file)
      return true
    }
    return false
  }

  /// Releases the lock of a run.
  package func unlock(_ run: Int64) {
    file?.unlock(at: run * Self.stride, count: Self.stride)
  }

  /// Whether another process holds the lock of a run.
  ///
  /// The lock of a dead process may be held by its child until that executes another program; this
  /// is waited for. An unsuccessful wait is not repeated: the process may be in another PID
  /// namespace, where its number means nothing.
  package func isHeld(_ run: Int64) throws -> Bool {
    guard let file = try opened(creating: false) else { return false }
    do {
      var waited = 0
      while try file.otherLock(at: run * Self.stride, count: Self.stride) != nil {
        let process = process(of: run)
        guard process > 0, kill(process, 0) != 0, errno == ESRCH else { return true }
        guard waited < patience else {
          patience = 0
          return true
        }
        waited += 1
        usleep(1_000)
      }
      return false
    } catch { throw failure(error) }
  }

  /// Writes a heartbeat for a run.
  package func beat(_ run: Int64) { beating(run)?() }

  /// A function that writes a heartbeat for a run, callable from any thread while these locks
  /// exist; it does nothing once another process has taken over the run.
  package func beating(_ run: Int64) -> (@Sendable () -> Void)? {
    guard let descriptor = file?.number else { return nil }
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

  /// Records this process as the run's, with a heartbeat.
  private func note(_ run: Int64, in file: Descriptor) {
    var note = (MonotonicClock.nanoseconds, Int64(getpid()))
    _ = pwrite(file.number, &note, 16, off_t(run * Self.stride))
  }

  /// The process that holds, or last held, the lock of a run; 0 when unknown.
  package func process(of run: Int64) -> Int32 {
    Int32(truncatingIfNeeded: number(at: run * Self.stride + 8) ?? 0)
  }

  /// The time since a run's last heartbeat.
  package func silence(of run: Int64) -> Duration {
    guard let last = number(at: run * Self.stride) else { return .zero }
    // The monotonic clock restarts at boot.
    return .nanoseconds(max(0, MonotonicClock.nanoseconds - last))
  }

  /// The integer at an offset of the file; nil beyond its end.
  private func number(at place: Int64) -> Int64? {
    var number: Int64 = 0
    guard let file, pread(file.number, &number, 8, off_t(place)) == 8 else { return nil }
    return number
  }

  private func opened(creating: Bool) throws -> Descriptor? {
    if file != nil { return file }
    do { file = try Descriptor(path, (creating ? O_CREAT : 0) | O_RDWR) } catch {
      if creating || error.code != ENOENT { throw failure(error) }
    }
    return file
  }

  private func failure(_ error: SystemError) -> StoreError {
    let reason = String(cString: strerror(error.code))
    return StoreError(.io, "cannot use the lock file “\(path)”: \(reason)")
  }
}

/// Liveness locks of workers: each holds a numbered lock (its seat) with heartbeats; the kernel
/// releases it when the process dies.
package final class WorkerLocks {
  /// The maximum number of workers per store.
  private static let count: Int64 = 1024

  private let locks: LivenessLocks
  /// This process's seat; nil until one is taken.
  package private(set) var own: Int64?

  /// The seats of the store at a path.
  init(ofStore path: String) { locks = LivenessLocks(ofStore: path, suffix: ".workers") }

  /// Takes a free seat.
  ///
  /// - Throws: `busy` when all are taken, `io`.
  @discardableResult
  package func take() throws -> Int64 {
    if let own { return own }
    for seat in 1...Self.count where try locks.lock(seat) {
      own = seat
      return seat
    }
    throw StoreError(.busy, "\(Self.count) processes are already running jobs of this store")
  }

  /// Releases the seat.
  package func leave() {
    guard let own else { return }
    self.own = nil
    locks.unlock(own)
  }

  /// Whether a seat's process holds it and had a recent heartbeat.
  func isAlive(_ seat: Int64, silentFor limit: Duration) throws -> Bool {
    if seat == own { return true }
    return try locks.isHeld(seat) && locks.silence(of: seat) <= limit
  }

  /// The other workers, with the time since their last heartbeat.
  package func others() throws -> [(process: Int32, silence: Duration)] {
    // Workers take the lowest free seat, so the search ends after a long gap.
    var found: [(process: Int32, silence: Duration)] = []
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

  /// A function that writes a heartbeat, callable from any thread; nil without a seat.
  package var beat: (@Sendable () -> Void)? { own.flatMap(locks.beating) }
}
