package import CLinux
import Glibc

/// The clock that only goes forward, and stands still while the machine sleeps.
package enum MonotonicClock {
  /// The time since some moment, in nanoseconds.
  package static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The time since some moment, in milliseconds.
  package static var milliseconds: Int { Int(nanoseconds / 1_000_000) }

  /// Waits until an instant, or until something happens to a descriptor; whether something did.
  @discardableResult
  package static func wait(_ polled: inout [pollfd], until: Int64?) -> Bool {
    let left = until.map { max(0, $0 - nanoseconds) } ?? -1
    return errand_poll(&polled, UInt(polled.count), left) > 0
  }

  /// Waits until an instant, or until a descriptor can be read.
  @Sendable
  package static func pause(_ until: Int64?, _ descriptors: [Int32]) {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    wait(&polled, until: until)
  }
}
