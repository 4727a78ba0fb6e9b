import Glibc

/// A FIFO lock that the branches of a run take in turns.
///
/// A branch holds it while it works and releases it only while it waits for something outside.
final class FairLock {
  /// A branch that waits in simulated time.
  final class Sleeper {
    /// The wake-up time; nil for one that waits until other branches have ended.
    fileprivate let until: Int64?
    /// Whether something ends the wait early.
    fileprivate let isWoken: () -> Bool
    fileprivate let signal = Signal()

    fileprivate init(until: Int64?, isWoken: @escaping () -> Bool) {
      self.until = until
      self.isWoken = isWoken
    }
  }

  /// Wakes only the next branch in line; a condition variable would wake all of them.
  fileprivate final class Signal {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
      sem_destroy(semaphore)
      semaphore.deallocate()
    }

    func wait() { while sem_wait(semaphore) != 0 {} }

    func wake() { sem_post(semaphore) }
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// The signals of waiting branches by ticket.
  private var waiting: [UInt64: Signal] = [:]
  /// The next ticket to hand out, and the one being served.
  private var nextTicket: UInt64 = 0
  private var served: UInt64 = 0
  /// The clock that advances when no branch can run; nil for real time.
  private let clock: SimulatedClock?
  /// The branches that wait in simulated time, oldest first.
  private var sleepers: [Sleeper] = []

  init(clock: SimulatedClock? = nil) {
    self.clock = clock
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Returns a ticket; tickets are served in order.
  func takeTicket() -> UInt64 {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    nextTicket += 1
    return nextTicket - 1
  }

  /// Waits until the ticket is served.
  func enter(_ ticket: UInt64) {
    pthread_mutex_lock(mutex)
    let signal = served == ticket ? nil : Signal()
    waiting[ticket] = signal
    pthread_mutex_unlock(mutex)
    signal?.wait()
  }

  /// Waits for a turn at the end of the line.
  func enter() { enter(takeTicket()) }

  /// Ends the turn.
  func leave() {
    pthread_mutex_lock(mutex)
    passOn()
  }

  /// Passes the turn to the next in line, or to the first sleeper to wake. Unlocks the mutex before
  /// the signal, so that the woken thread does not block on it.
  private func passOn() {
    served += 1
    if served == nextTicket, !sleepers.isEmpty { wakeNext() }
    // A branch that has a ticket but does not wait yet will see that it is served.
    let signal = waiting.removeValue(forKey: served)
    pthread_mutex_unlock(mutex)
    signal?.wake()
  }

  // MARK: Simulated time

  /// Releases the turn until an instant of the simulated clock, or until something ends the wait.
  func sleep(until instant: Int64, isWoken: @escaping () -> Bool) {
    sleep(Sleeper(until: instant, isWoken: isWoken))
  }

  /// Releases the turn until `wake` is called for the sleeper.
  func sleep(_ sleeper: Sleeper) {
    pthread_mutex_lock(mutex)
    if sleeper.until != nil { sleepers.append(sleeper) }
    passOn()
    sleeper.signal.wait()
  }

  /// A sleeper that waits for other branches to end.
  func makeSleeper() -> Sleeper { Sleeper(until: nil, isWoken: { false }) }

  /// Queues a sleeper, which then runs before any time passes.
  func wake(_ sleeper: Sleeper) {
    pthread_mutex_lock(mutex)
    queue(sleeper)
    pthread_mutex_unlock(mutex)
  }

  /// Whether other branches are ready to run.
  var othersAreReady: Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return nextTicket - served > 1
  }

  /// The earliest wake-up time; nil without sleepers.
  var earliestWake: Int64? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return sleepers.compactMap(\.until).min()
  }

  private func wakeNext() {
    var next = sleepers.firstIndex { $0.isWoken() }
    if next == nil {
      next = sleepers.indices.min { (sleepers[$0].until ?? 0, $0) < (sleepers[$1].until ?? 0, $1) }
      if let next, let until = sleepers[next].until { clock?.advance(to: until) }
    }
    guard let next else { return }
    queue(sleepers.remove(at: next))
  }

  /// Puts a sleeper at the end of the line.
  private func queue(_ sleeper: Sleeper) {
    waiting[nextTicket] = sleeper.signal
    nextTicket += 1
  }
}

/// A thread that runs a branch or a monitor.
package final class BranchThread {
  private let thread: pthread_t
  /// Protects `isJoined`, since a thread may be joined by two others.
  private let joining = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var isJoined = false

  /// The closure passed to the thread.
  private final class Job {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// Stack size in bytes: that of the main thread, enough for forty nested calls.
  private static let stackSize = 8 << 20

  /// Starts a thread; nil when none can be created.
  ///
  /// `body` may access state shared with other branches only while it holds the lock.
  package init?(_ body: @escaping () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackSize)
    let job = Unmanaged.passRetained(Job(body)).toOpaque()
    var thread = pthread_t()
    let status = pthread_create(
      &thread, &attributes,
      { context in
        if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body() }
        return nil
      }, job)
    guard status == 0 else {
      Unmanaged<Job>.fromOpaque(job).release()
      return nil
    }
    self.thread = thread
    pthread_mutex_init(joining, nil)
  }

  deinit {
    pthread_mutex_destroy(joining)
    joining.deallocate()
  }

  /// Waits for its end; several threads may.
  package func join() {
    pthread_mutex_lock(joining)
    if !isJoined { pthread_join(thread, nil) }
    isJoined = true
    pthread_mutex_unlock(joining)
  }
}
