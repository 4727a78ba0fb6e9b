import Glibc

/// Limits the work of reading a document, and allows to cancel it.
///
/// The readers take linear time; the limit of processor time is a safeguard. Reading that ends
/// early returns a partial result.
package final class ReadingBudget {
  /// The reason reading ended early.
  package enum End {
    /// The caller cancelled it.
    case interrupted
    /// The limit of processor time was reached.
    case spent
  }

  /// The reason reading ended early; nil otherwise.
  package private(set) var end: End?
  private let mustStop: () -> Bool
  /// The thread's processor time at which reading ends, in milliseconds; nil before the first
  /// check.
  private var deadline: Int?
  private var untilCheck = ReadingBudget.checkInterval

  /// The limit of processor time per document, in milliseconds.
  private static let milliseconds = 20_000
  /// The units of work, mostly bytes, between two checks: about a millisecond.
  private static let checkInterval = 1 << 17

  /// Creates a full budget.
  ///
  /// - Parameter mustStop: Returns whether the caller has cancelled.
  package init(mustStop: @escaping () -> Bool = { false }) {
    self.mustStop = mustStop
  }

  /// Spends work; false if reading must end.
  @inline(__always)
  func spend(_ count: Int) -> Bool {
    untilCheck -= count
    return untilCheck > 0 ? true : check()
  }

  /// Checks the clock and the caller; returns whether reading must end.
  func isOver() -> Bool { !check() }

  private func check() -> Bool {
    guard end == nil else { return false }
    untilCheck = Self.checkInterval
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
