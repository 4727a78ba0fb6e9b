import Glibc

/// Does something every second on a thread of its own, such as to show that the process is awake.
final class Heartbeat {
  private let stop = Interrupt()
  private let thread: BranchThread?

  /// The time from one beat to the next, in milliseconds.
  private static let pause: Int32 = 1000

  /// Begins; without a thread to be had it never beats.
  init(_ beat: @escaping @Sendable () -> Void) {
    let stop = stop
    let descriptor = stop.pollDescriptor
    thread = BranchThread {
      var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while !stop.isSet {
        _ = poll(&waited, 1, Self.pause)
        if !stop.isSet { beat() }
      }
    }
  }

  /// Ends it, and waits until it has ended.
  func end() {
    stop.set()
    thread?.join()
  }
}
