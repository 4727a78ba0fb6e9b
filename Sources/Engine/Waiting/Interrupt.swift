import CLinux
import Glibc
import Synchronization

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
