package import CLinux
import Glibc

/// The monotonic clock, which does not advance while the machine is suspended.
package enum MonotonicClock {
  /// The current time of the clock in nanoseconds.
  package static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The current time of the clock in milliseconds.
  package static var milliseconds: Int { Int(nanoseconds / 1_000_000) }

  /// Waits until a time or an event on a descriptor; returns whether there was an event.
  @discardableResult
  package static func wait(_ polled: inout [pollfd], until: Int64?) -> Bool {
    let left = until.map { max(0, $0 - nanoseconds) } ?? -1
    return errand_poll(&polled, UInt(polled.count), left) > 0
  }

  /// Waits until a time, or until a descriptor is readable.
  @Sendable
  package static func pause(_ until: Int64?, _ descriptors: [Int32]) {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    wait(&polled, until: until)
  }
}
