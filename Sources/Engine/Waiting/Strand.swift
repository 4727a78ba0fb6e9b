import Synchronization

/// One line of steps of a run: the run's own, or a branch that runs at once with others.
///
/// It knows by when it must end, and who may end it earlier.
package final class Strand {
  /// A time by which a block must be done.
  private struct Deadline {
    let id: Int
    /// On the monotonic clock, in nanoseconds.
    let instant: Int64
  }

  private let interrupts: [(interrupt: Interrupt, reason: Cancellation.Reason)]
  private var deadlines: [Deadline] = []
  /// How many of the deadlines stand outside of the innermost `finally`, and count no more in it.
  private var shieldedDeadlines = 0
  /// How many `finally` blocks stand around the step.
  private var shields = 0
  private var lastID: Int

  /// The first line of a run, which an interrupt may end.
  init(_ interrupt: Interrupt) {
    interrupts = [(interrupt, .interrupted)]
    lastID = 0
  }

  /// A branch: what ends its parent ends it, too, and a failure beside it.
  init(below parent: Strand, sibling: Interrupt) {
    // In a `finally` nothing from outside ends what runs; a branch there has only its siblings.
    let outer = parent.shields > 0 ? [] : parent.interrupts
    interrupts = outer + [(sibling, .sibling)]
    deadlines = Array(parent.deadlines.dropFirst(parent.shieldedDeadlines))
    lastID = parent.lastID
  }

  /// Whether anything can end it: without a deadline and an interrupt there is nothing to look at.
  @inline(__always)
  var needsLook: Bool {
    !deadlines.isEmpty || interrupts[0].interrupt.isSet || interrupts.count > 1
  }

  /// Throws when the line must end.
  ///
  /// - Parameter now: the monotonic clock, in nanoseconds.
  /// - Throws: `Cancellation`.
  func check(_ now: () -> Int64) throws {
    if shields == 0 {
      for (interrupt, reason) in interrupts where interrupt.isSet { throw Cancellation(reason) }
    }
    guard deadlines.count > shieldedDeadlines else { return }
    let now = now()
    // The outermost one ends most.
    for deadline in deadlines[shieldedDeadlines...] where deadline.instant <= now {
      throw Cancellation(.deadline(deadline.id))
    }
  }

  /// By when a wait must be over; nil for no limit.
  var nearestDeadline: Int64? { deadlines[shieldedDeadlines...].map(\.instant).min() }

  /// The descriptors that a wait polls beside its own.
  var pollDescriptors: [Int32] {
    shields > 0 ? [] : interrupts.map(\.interrupt.pollDescriptor).filter { $0 >= 0 }
  }

  /// Runs a body that must be done by an instant.
  ///
  /// - Parameter expired: makes the error when it was not.
  func within<Result>(
    _ instant: Int64, _ body: () throws -> Result, expired: () -> any Error
  ) throws -> Result {
    lastID += 1
    let id = lastID
    deadlines.append(Deadline(id: id, instant: instant))
    defer { deadlines.removeAll { $0.id == id } }
    do {
      return try body()
    } catch let cancellation as Cancellation where cancellation.reason == .deadline(id) {
      throw expired()
    }
  }

  /// Runs a body that nothing from outside ends.
  func shielded<Result>(_ body: () throws -> Result) throws -> Result {
    let outer = shieldedDeadlines
    shieldedDeadlines = deadlines.count
    shields += 1
    defer {
      shields -= 1
      shieldedDeadlines = outer
    }
    return try body()
  }
}
