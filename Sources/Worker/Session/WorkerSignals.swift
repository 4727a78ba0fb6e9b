import CLinux
package import Engine
import Glibc
import POSIX
import Synchronization

/// What signals do to a worker: the first request to end lets the job that goes on come to its end
/// within a grace, and then ends it as Ctrl-C would; SIGUSR1 ends that job alone.
package enum WorkerSignals {
  /// What ends the worker.
  package static let ending = Interrupt()
  /// What wakes the watch when a job alone is to end; an `eventfd(2)`.
  private static let cancelling = Atomic<Int32>(-1)
  private static let count = Atomic<Int>(0)

  /// Takes the signals over.
  package static func install() {
    _ = ending.pollDescriptor
    cancelling.store(errand_eventfd(), ordering: .sequentiallyConsistent)
    let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let handler: @convention(c) (Int32) -> Void = { WorkerSignals.hear($0) }
      // Whoever began it may want a signal ignored, as nohup(1) does.
      if let old = signal(number, handler), unsafeBitCast(old, to: Int.self) == ignored {
        signal(number, SIG_IGN)
      }
    }
    signal(SIGUSR1) { _ in WorkerSignals.cancel() }
  }

  /// The descriptor that can be read once the job that goes on is to end.
  fileprivate static var cancelDescriptor: Int32 { cancelling.load(ordering: .relaxed) }

  /// Whether somebody asked again for the end.
  fileprivate static var isPressing: Bool { count.load(ordering: .relaxed) > 1 }

  private static func hear(_ number: Int32) {
    count.add(1, ordering: .relaxed)
    ending.set(isTermination: number != SIGINT)
  }

  private static func cancel() {
    var one: UInt64 = 1
    _ = write(cancelling.load(ordering: .relaxed), &one, 8)
  }
}

/// Watches over the job that goes on, on a thread of its own: shows other workers that this one is
/// awake, and ends the job when it must.
package final class JobWatch: Sendable {
  private let stop = Interrupt()
  private let current = Mutex<Interrupt?>(nil)
  private let beat = Mutex<(@Sendable () -> Void)?>(nil)
  private let grace: Int64
  private let hasEnded = Interrupt()

  /// The time from one beat to the next, in nanoseconds.
  private static let pause: Int64 = 1_000_000_000

  /// - Parameter grace: how long a job may go on once the worker is to end, in nanoseconds.
  package init(grace: Int64) { self.grace = grace }

  /// Begins to watch.
  package func begin() { _ = BranchThread { [self] in watch() } }

  /// Says what ends the job that begins, and what shows that the worker is awake; nil at its end.
  package func follow(_ interrupt: Interrupt?, beat: (@Sendable () -> Void)?) {
    current.withLock { $0 = interrupt }
    self.beat.withLock { $0 = beat }
  }

  /// Says what ends the run that goes on.
  package func follow(_ interrupt: Interrupt) { current.withLock { $0 = interrupt } }

  private func watch() {
    var deadline: Int64?
    while !stop.isSet {
      var polled = [
        pollfd(fd: WorkerSignals.cancelDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(
          fd: deadline == nil ? WorkerSignals.ending.pollDescriptor : -1, events: Int16(POLLIN),
          revents: 0),
      ]
      _ = errand_poll(&polled, UInt(polled.count), Self.pause)
      beat.withLock { $0 }?()
      if polled[0].revents != 0 {
        var count: UInt64 = 0
        _ = read(WorkerSignals.cancelDescriptor, &count, 8)
        current.withLock { $0 }?.set()
      }
      guard WorkerSignals.ending.isSet else { continue }
      let now = MonotonicClock.nanoseconds
      if deadline == nil { deadline = now + grace }
      if WorkerSignals.isPressing || now >= deadline ?? 0 {
        current.withLock { $0 }?.set(isTermination: true)
      }
    }
  }
}
