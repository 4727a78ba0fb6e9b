import CLinux
import Glibc
import POSIX

/// Calls a closure every second on its own thread, such as to show that the process is alive.
final class Heartbeat {
  private let stop = Interrupt()
  private let thread: BranchThread?

  /// The interval between beats.
  private static let interval = Duration.seconds(1)

  /// Starts the thread; does nothing if no thread can be created.
  init(_ beat: @escaping @Sendable () -> Void) {
    let stop = stop
    let descriptor = stop.pollDescriptor
    thread = BranchThread {
      var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while !stop.isSet {
        _ = poll(&waited, 1, Int32(Self.interval.milliseconds))
        if !stop.isSet { beat() }
      }
    }
  }

  /// Stops the thread and joins it.
  func end() {
    stop.set()
    thread?.join()
  }
}
