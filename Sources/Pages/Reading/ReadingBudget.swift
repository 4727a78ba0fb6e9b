import Glibc

/// The work that reading a document may still cost, and whether its reader is to stop.
///
/// The readers are linear, so the processor's time only ends what got around that. Reading that ends
/// early gives what was read until then.
package final class ReadingBudget {
  /// Why reading ended early.
  package enum End {
    /// Its caller asked for the end.
    case interrupted
    /// It took too much of the processor's time.
    case spent
  }

  /// Why reading ended early; nil while it goes on.
  package private(set) var end: End?
  private let mustStop: () -> Bool
  /// The thread's processor time at which reading ends, in milliseconds; nil before the first look.
  private var deadline: Int?
  private var untilLook = ReadingBudget.lookEvery

  /// The processor time that one document may take, in milliseconds.
  private static let milliseconds = 20_000
  /// Units of work, mostly bytes, between two looks at the clock: about a millisecond.
  private static let lookEvery = 1 << 17

  /// A full budget.
  ///
  /// - Parameter mustStop: Tells whether the caller wants reading to end.
  package init(mustStop: @escaping () -> Bool = { false }) {
    self.mustStop = mustStop
  }

  /// Counts work; false once reading is to end.
  @inline(__always)
  func spend(_ count: Int) -> Bool {
    untilLook -= count
    return untilLook > 0 ? true : look()
  }

  /// Whether reading is to end, by a look at the clock and at the caller.
  func isOver() -> Bool { !look() }

  private func look() -> Bool {
    guard end == nil else { return false }
    untilLook = Self.lookEvery
    let now = Self.processorTime
    let deadline = deadline ?? now + Self.milliseconds
    self.deadline = deadline
    if mustStop() { end = .interrupted } else if now > deadline { end = .spent }
    return end == nil
  }

  /// The processor time of the thread in milliseconds.
  private static var processorTime: Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }
}
