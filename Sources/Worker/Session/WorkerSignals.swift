import CLinux
package import Engine
import Glibc
import POSIX
import Synchronization

/// The signals of a worker: the first termination request allows the current job a grace period and
/// then ends it like Ctrl-C; SIGUSR1 ends only the current job.
package enum WorkerSignals {
  /// Set when the worker must end.
  package static let ending = Interrupt()
  /// An `eventfd(2)` that is signalled when only the current job must end.
  private static let cancelEvent = Atomic<Int32>(-1)
  private static let count = Atomic<Int>(0)

  /// Installs the signal handlers.
  package static func install() {
    _ = ending.pollDescriptor
    cancelEvent.store(errand_eventfd(), ordering: .sequentiallyConsistent)
    let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let handler: @convention(c) (Int32) -> Void = { WorkerSignals.handle($0) }
      // The parent may have set a signal to be ignored, as nohup(1) does.
      if let old = signal(number, handler), unsafeBitCast(old, to: Int.self) == ignored {
        signal(number, SIG_IGN)
      }
    }
    signal(SIGUSR1) { _ in WorkerSignals.cancel() }
  }

  /// Readable once the current job must end.
  fileprivate static var cancelDescriptor: Int32 { cancelEvent.load(ordering: .relaxed) }

  /// Whether the request to end was repeated.
  fileprivate static var isRepeated: Bool { count.load(ordering: .relaxed) > 1 }

  private static func handle(_ number: Int32) {
    count.add(1, ordering: .relaxed)
    ending.set(isTermination: number != SIGINT)
  }

  private static func cancel() {
    var one: UInt64 = 1
    _ = write(cancelEvent.load(ordering: .relaxed), &one, 8)
  }
}

/// Monitors the current job on its own thread: sends heartbeats to other workers, and ends the job
/// when required.
package final class JobWatch: Sendable {
  private let stop = Interrupt()
  private let current = Mutex<Interrupt?>(nil)
  private let beat = Mutex<(@Sendable () -> Void)?>(nil)
  private let grace: Duration
  private let hasEnded = Interrupt()

  /// The heartbeat interval.
  private static let heartbeatInterval = Duration.seconds(1)

  /// - Parameter grace: The time that a job may continue after a request to end.
  package init(grace: Duration) { self.grace = grace }

  /// Starts the thread.
  package func begin() { _ = BranchThread { [self] in watch() } }

  /// Sets the current job's interrupt and the heartbeat; nil at its end.
  package func follow(_ interrupt: Interrupt?, beat: (@Sendable () -> Void)?) {
    current.withLock { $0 = interrupt }
    self.beat.withLock { $0 = beat }
  }

  /// Sets the current run's interrupt.
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
      _ = errand_poll(&polled, UInt(polled.count), Self.heartbeatInterval.nanoseconds)
      beat.withLock { $0 }?()
      if polled[0].revents != 0 {
        var count: UInt64 = 0
        _ = read(WorkerSignals.cancelDescriptor, &count, 8)
        current.withLock { $0 }?.set()
      }
      guard WorkerSignals.ending.isSet else { continue }
      let now = MonotonicClock.nanoseconds
      if deadline == nil { deadline = now + grace.nanoseconds }
      if WorkerSignals.isRepeated || now >= deadline ?? 0 {
        current.withLock { $0 }?.set(isTermination: true)
      }
    }
  }
}
