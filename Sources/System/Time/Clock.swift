import CLinux
import Glibc
import POSIX

/// Waiting until a time of ``MonotonicClock``.
enum Clock {
  /// Waits until an instant, or until a descriptor can be read.
  @Sendable
  static func pause(_ until: Int64?, _ descriptors: [Int32]) {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    wait(&polled, until: until)
  }

  /// Waits until an instant, or until something happens to a descriptor; whether something did.
  @discardableResult
  static func wait(_ polled: inout [pollfd], until: Int64?) -> Bool {
    let left = until.map { max(0, $0 - MonotonicClock.nanoseconds) } ?? -1
    return errand_poll(&polled, UInt(polled.count), left) > 0
  }
}
