import CLinux
import Glibc

/// Time that passes on this machine.
package enum Clock {
  /// A clock that only goes forward, in nanoseconds.
  package static var monotonic: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Waits until an instant, or until a descriptor can be read.
  @Sendable
  static func pause(_ until: Int64?, _ descriptors: [Int32]) {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    wait(&polled, until: until)
  }

  /// Waits until an instant, or until something happens to a descriptor; whether something did.
  @discardableResult
  static func wait(_ polled: inout [pollfd], until: Int64?) -> Bool {
    let left = until.map { max(0, $0 - monotonic) } ?? -1
    return errand_poll(&polled, UInt(polled.count), left) > 0
  }
}
