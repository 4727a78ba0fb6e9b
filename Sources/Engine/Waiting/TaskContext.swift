import CLinux
import Glibc
import POSIX
import Synchronization

/// The run's main sequence of steps or one parallel branch, with its deadlines and cancellation.
package final class TaskContext {
  /// The deadline of a block.
  private struct Deadline {
    let id: Int
    /// On the monotonic clock, in nanoseconds.
    let instant: Int64
  }

  private let interrupts: [(interrupt: Interrupt, reason: () -> Cancellation.Reason)]
  private var deadlines: [Deadline] = []
  /// Number of outer deadlines, which are suspended in the innermost `finally`.
  private var shieldedDeadlines = 0
  /// Nesting depth of `finally` blocks.
  private var nesting = 0
  private var lastID: Int
  /// The deadline of the outermost `finally`; nil while no cancellation is pending.
  private var shieldEnd: Int64?

  /// Grace period of `finally` after cancellation.
  private static let grace = Duration.seconds(10)
  /// The ID of that deadline; other IDs start at 1.
  private static let graceID = 0

  /// The main sequence of a run, which an interrupt can cancel.
  init(_ interrupt: Interrupt, reason: @escaping () -> Cancellation.Reason = { .interrupted }) {
    interrupts = [(interrupt, reason)]
    lastID = 0
  }

  /// A branch, which is cancelled with its parent or when a sibling fails.
  init(
    below parent: TaskContext, sibling: Interrupt,
    reason: @escaping () -> Cancellation.Reason = { .sibling }
  ) {
    // A `finally` is shielded from outer interrupts; a branch in it has only its siblings.
    let outer = parent.nesting > 0 ? [] : parent.interrupts
    interrupts = outer + [(sibling, reason)]
    deadlines = Array(parent.deadlines.dropFirst(parent.shieldedDeadlines))
    shieldEnd = parent.shieldEnd
    lastID = parent.lastID
  }

  /// Whether `check` is needed at all: there is a deadline, or an interrupt could be set.
  @inline(__always)
  var needsLook: Bool {
    !deadlines.isEmpty || interrupts[0].interrupt.isSet || interrupts.count > 1
      || shieldEnd != nil
  }

  /// Throws if the sequence must end.
  ///
  /// - Parameter now: the monotonic clock, in nanoseconds.
  /// - Throws: `Cancellation`.
  func check(_ now: () -> Int64) throws {
    if nesting == 0 {
      for (interrupt, reason) in interrupts where interrupt.isSet {
        throw Cancellation(reason())
      }
    }
    if nesting > 0, shieldEnd == nil, isEndPending(now) {
      shieldEnd = now() + Self.grace.nanoseconds
    }
    guard deadlines.count > shieldedDeadlines || shieldEnd != nil else { return }
    let now = now()
    if let shieldEnd, shieldEnd <= now { throw Cancellation(.deadline(Self.graceID)) }
    // The outermost deadline takes precedence.
    for deadline in deadlines[shieldedDeadlines...] where deadline.instant <= now {
      throw Cancellation(.deadline(deadline.id))
    }
  }

  /// Whether `check` would throw.
  func mustEnd(_ now: () -> Int64) -> Bool {
    guard needsLook else { return false }
    // The error itself is not needed.
    return (try? check(now)) == nil
  }

  /// Whether cancellation of the block around a `finally` is pending.
  private func isEndPending(_ now: () -> Int64) -> Bool {
    if interrupts.contains(where: { $0.interrupt.isSet }) { return true }
    let outer = deadlines[..<shieldedDeadlines]
    if outer.isEmpty { return false }
    let now = now()
    return outer.contains { $0.instant <= now }
  }

  /// The earliest deadline for a wait; nil for no limit.
  var nearestDeadline: Int64? {
    (deadlines[shieldedDeadlines...].map(\.instant) + [shieldEnd].compactMap { $0 }).min()
  }

  /// The descriptors that interrupt a wait.
  var pollDescriptors: [Int32] {
    nesting > 0 ? [] : interrupts.map(\.interrupt.pollDescriptor).filter { $0 >= 0 }
  }

  /// Runs a body with a deadline.
  ///
  /// - Parameter expired: makes the error for a missed deadline.
  func within<Result>(
    _ instant: Int64, _ body: () throws -> Result, expired: () -> RunError
  ) throws -> Result {
    lastID += 1
    let id = lastID
    deadlines.append(Deadline(id: id, instant: instant))
    defer { deadlines.removeAll { $0.id == id } }
    do {
      return try body()
    } catch let cancellation as Cancellation where cancellation.reason == .deadline(id) {
      var error = expired()
      if let failure = cancellation.failure { error.addCause(failure) }
      throw error
    }
  }

  /// Runs the body of a `finally`, which is shielded from cancellation, but limited to the grace
  /// period once cancellation is pending.
  ///
  /// - Parameter isEnding: whether cancellation is already pending.
  /// - Throws: the body's error; after the grace period the pending cancellation with a `timeout`.
  func shielded<Result>(
    isEnding: Bool, _ now: () -> Int64, _ body: () throws -> Result
  ) throws -> Result {
    let outer = (shieldedDeadlines, shieldEnd)
    shieldedDeadlines = deadlines.count
    nesting += 1
    if isEnding, shieldEnd == nil { shieldEnd = now() + Self.grace.nanoseconds }
    interrupts[0].interrupt.shields.add(1, ordering: .relaxed)
    defer {
      interrupts[0].interrupt.shields.subtract(1, ordering: .relaxed)
      nesting -= 1
      shieldedDeadlines = outer.0
      // An inner `finally` shares the grace period of the outermost one.
      if nesting == 0 { shieldEnd = outer.1 }
    }
    do {
      return try body()
    } catch let end as Cancellation where end.reason == .deadline(Self.graceID) && nesting == 1 {
      let late = RunError(.timeout, "`finally` took longer than 10s after the run was cancelled")
      guard let reason = pendingReason(now) else { throw late }
      throw Cancellation(reason).after(late)
    }
  }

  /// The pending cancellation of the block around a `finally`; nil for none.
  private func pendingReason(_ now: () -> Int64) -> Cancellation.Reason? {
    if let (_, reason) = interrupts.first(where: { $0.interrupt.isSet }) { return reason() }
    let now = now()
    return deadlines[..<shieldedDeadlines].first { $0.instant <= now }.map { .deadline($0.id) }
  }
}

/// A cancellation flag with a descriptor that waits can poll.
///
/// `set` is async-signal-safe: it only writes atomics and a descriptor.
package final class Interrupt: Sendable {
  private let flag = Atomic<Bool>(false)
  /// An `eventfd(2)`, readable once the flag is set; -1 before the first wait.
  private let descriptor = Atomic<Int32>(-1)

  /// Whether the flag was set by a termination signal rather than by the person.
  private let termination = Atomic<Bool>(false)

  /// Number of `finally` blocks that are running.
  fileprivate let shields = Atomic<Int>(0)

  package init() {}

  deinit {
    let descriptor = descriptor.load(ordering: .relaxed)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Whether cancellation is requested.
  package var isSet: Bool { flag.load(ordering: .acquiring) }

  /// Whether waits for the store must end: cancellation is requested, and no `finally` is running.
  package var endsWaits: Bool { isSet && shields.load(ordering: .relaxed) == 0 }

  /// Whether the process was asked to terminate, rather than the run by the person.
  package var isTermination: Bool { termination.load(ordering: .acquiring) }

  /// Requests cancellation and wakes waiters.
  package func set(isTermination: Bool = false) {
    if isTermination { termination.store(true, ordering: .sequentiallyConsistent) }
    flag.store(true, ordering: .sequentiallyConsistent)
    let descriptor = descriptor.load(ordering: .sequentiallyConsistent)
    if descriptor >= 0 { Self.signal(descriptor) }
  }

  /// The descriptor to poll for reading, created at the first wait; -1 if none could be created.
  package var pollDescriptor: Int32 {
    let known = descriptor.load(ordering: .acquiring)
    if known >= 0 { return known }
    let made = errand_eventfd()
    guard made >= 0 else { return -1 }
    let (isFirst, other) = descriptor.compareExchange(
      expected: -1, desired: made, ordering: .sequentiallyConsistent)
    guard isFirst else {
      close(made)
      return other
    }
    // The flag may have been set before the descriptor existed.
    if isSet { Self.signal(made) }
    return made
  }

  /// Whether any of the descriptors is readable now.
  static func isAnyReadable(_ descriptors: [Int32]) -> Bool {
    if descriptors.isEmpty { return false }
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return poll(&polled, nfds_t(polled.count), 0) > 0
  }

  private static func signal(_ descriptor: Int32) {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }
}
