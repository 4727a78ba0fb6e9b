import Glibc

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
