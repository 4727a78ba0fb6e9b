package import CEL
import Synchronization

/// Time that passes only in waits, and there at once: for tests of programs.
///
/// The branches of a run take turns. When all of them wait, the clock goes to the earliest end of a
/// wait, and that branch goes on: so what happens is the same every time.
package final class SimulatedClock: Sendable {
  private struct State {
    var nanoseconds: Int64 = 0
    /// What something that is faked took, which the run has yet to wait for.
    var owed: Int64 = 0
  }

  private let start: Timestamp
  private let state = Mutex(State())

  /// A clock that begins at a moment.
  package init(at start: Timestamp) {
    self.start = start
  }

  /// The clock that only goes forward, in nanoseconds from its beginning.
  package var monotonic: Int64 { state.withLock { $0.nanoseconds } }

  /// The time on the wall.
  package var now: Timestamp {
    Timestamp(microseconds: start.microseconds &+ monotonic / 1000)
  }

  /// Goes forward to an instant.
  package func advance(to instant: Int64) {
    state.withLock { $0.nanoseconds = max($0.nanoseconds, instant) }
  }

  /// Notes that what was just done outside took so long, in nanoseconds.
  package func spend(_ nanoseconds: Int64) { state.withLock { $0.owed += max(nanoseconds, 0) } }

  /// The instant until which the run must wait for what was done outside; nil when it took no time.
  func takeOwed() -> Int64? {
    state.withLock { state in
      guard state.owed > 0 else { return nil }
      defer { state.owed = 0 }
      return state.nanoseconds &+ state.owed
    }
  }
}
