import CLinux
import Glibc
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

  private let interrupts: [(interrupt: Interrupt, reason: () -> Cancellation.Reason)]
  private var deadlines: [Deadline] = []
  /// How many of the deadlines stand outside of the innermost `finally`, and count no more in it.
  private var shieldedDeadlines = 0
  /// How many `finally` blocks stand around the step.
  private var shields = 0
  private var lastID: Int
  /// By when the outermost `finally` must be done; nil while nothing waits for it.
  private var shieldEnd: Int64?

  /// How long `finally` may take once the run is to end, in nanoseconds.
  private static let grace: Int64 = 10_000_000_000
  /// Stands for the end of that time among the deadlines, whose own numbers begin with 1.
  private static let graceID = 0

  /// The first line of a run, which an interrupt may end.
  init(_ interrupt: Interrupt, reason: @escaping () -> Cancellation.Reason = { .interrupted }) {
    interrupts = [(interrupt, reason)]
    lastID = 0
  }

  /// A branch: what ends its parent ends it, too, and a failure beside it.
  init(
    below parent: Strand, sibling: Interrupt,
    reason: @escaping () -> Cancellation.Reason = { .sibling }
  ) {
    // In a `finally` nothing from outside ends what runs; a branch there has only its siblings.
    let outer = parent.shields > 0 ? [] : parent.interrupts
    interrupts = outer + [(sibling, reason)]
    deadlines = Array(parent.deadlines.dropFirst(parent.shieldedDeadlines))
    shieldEnd = parent.shieldEnd
    lastID = parent.lastID
  }

  /// Whether anything can end it: without a deadline and an interrupt there is nothing to look at.
  @inline(__always)
  var needsLook: Bool {
    !deadlines.isEmpty || interrupts[0].interrupt.isSet || interrupts.count > 1
      || shieldEnd != nil
  }

  /// Throws when the line must end.
  ///
  /// - Parameter now: the monotonic clock, in nanoseconds.
  /// - Throws: `Cancellation`.
  func check(_ now: () -> Int64) throws {
    if shields == 0 {
      for (interrupt, reason) in interrupts where interrupt.isSet {
        throw Cancellation(reason())
      }
    }
    if shields > 0, shieldEnd == nil, isWanted(now) { shieldEnd = now() + Self.grace }
    guard deadlines.count > shieldedDeadlines || shieldEnd != nil else { return }
    let now = now()
    if let shieldEnd, shieldEnd <= now { throw Cancellation(.deadline(Self.graceID)) }
    // The outermost one ends most.
    for deadline in deadlines[shieldedDeadlines...] where deadline.instant <= now {
      throw Cancellation(.deadline(deadline.id))
    }
  }

  /// Whether `check` would throw.
  func mustEnd(_ now: () -> Int64) -> Bool {
    guard needsLook else { return false }
    // That it throws is the answer.
    return (try? check(now)) == nil
  }

  /// Whether the end is wanted of what a `finally` runs in.
  private func isWanted(_ now: () -> Int64) -> Bool {
    if interrupts.contains(where: { $0.interrupt.isSet }) { return true }
    let outer = deadlines[..<shieldedDeadlines]
    if outer.isEmpty { return false }
    let now = now()
    return outer.contains { $0.instant <= now }
  }

  /// By when a wait must be over; nil for no limit.
  var nearestDeadline: Int64? {
    (deadlines[shieldedDeadlines...].map(\.instant) + [shieldEnd].compactMap { $0 }).min()
  }

  /// The descriptors that a wait polls beside its own.
  var pollDescriptors: [Int32] {
    shields > 0 ? [] : interrupts.map(\.interrupt.pollDescriptor).filter { $0 >= 0 }
  }

  /// Runs a body that must be done by an instant.
  ///
  /// - Parameter expired: makes the error when it was not.
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

  /// Runs the body of a `finally`, which nothing from outside ends, but which has only so much time
  /// once the run is to end.
  ///
  /// - Parameter isEnding: whether that is so already.
  /// - Throws: what the body throws; what wanted the end when its time is up, with a `timeout`.
  func shielded<Result>(
    isEnding: Bool, _ now: () -> Int64, _ body: () throws -> Result
  ) throws -> Result {
    let outer = (shieldedDeadlines, shieldEnd)
    shieldedDeadlines = deadlines.count
    shields += 1
    if isEnding, shieldEnd == nil { shieldEnd = now() + Self.grace }
    defer {
      shields -= 1
      shieldedDeadlines = outer.0
      // What is inside of another `finally` has no time of its own.
      if shields == 0 { shieldEnd = outer.1 }
    }
    do {
      return try body()
    } catch let end as Cancellation where end.reason == .deadline(Self.graceID) && shields == 1 {
      let late = RunError(.timeout, "`finally` was not done after 10s, and the run is to end")
      guard let reason = wantedEnd(now) else { throw late }
      throw Cancellation(reason).after(late)
    }
  }

  /// Why what a `finally` runs in is to end; nil where nothing from outside wants it.
  private func wantedEnd(_ now: () -> Int64) -> Cancellation.Reason? {
    if let (_, reason) = interrupts.first(where: { $0.interrupt.isSet }) { return reason() }
    let now = now()
    return deadlines[..<shieldedDeadlines].first { $0.instant <= now }.map { .deadline($0.id) }
  }
}

/// Wakes what waits, and tells it to end: a flag, and a descriptor that can be polled.
///
/// A signal handler may call `set`, which only writes atomics and a descriptor.
package final class Interrupt: Sendable {
  private let flag = Atomic<Bool>(false)
  /// An `eventfd(2)`, readable once the flag is set; -1 before anything waited.
  private let descriptor = Atomic<Int32>(-1)

  /// Whether a signal that asks the process to end set it, and not the person.
  private let termination = Atomic<Bool>(false)

  package init() {}

  deinit {
    let descriptor = descriptor.load(ordering: .relaxed)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Whether an end is wanted.
  package var isSet: Bool { flag.load(ordering: .acquiring) }

  /// Whether the process was asked to end, and not by the person who started the run.
  package var isTermination: Bool { termination.load(ordering: .acquiring) }

  /// Asks for the end, and wakes what waits.
  package func set(isTermination: Bool = false) {
    if isTermination { termination.store(true, ordering: .sequentiallyConsistent) }
    flag.store(true, ordering: .sequentiallyConsistent)
    let descriptor = descriptor.load(ordering: .sequentiallyConsistent)
    if descriptor >= 0 { Self.signal(descriptor) }
  }

  /// The descriptor to poll for reading; made at the first wait. -1 when there is none to be had.
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
    // The flag may have been set before there was a descriptor to write to.
    if isSet { Self.signal(made) }
    return made
  }

  /// Whether one of some descriptors can be read now.
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
