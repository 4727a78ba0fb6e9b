import Glibc

/// The lock of a run's branches, which take turns in the order in which they asked.
///
/// A branch holds it while it works, and lets go of it only while it waits for something outside.
final class TurnLock {
  /// A branch that waits in simulated time.
  final class Sleeper {
    /// When it goes on; nil for one that waits until others have ended.
    fileprivate let until: Int64?
    /// Whether something ends its wait before.
    fileprivate let isWoken: () -> Bool
    fileprivate var ticket: UInt64?
    fileprivate let signal = Signal()

    fileprivate init(until: Int64?, isWoken: @escaping () -> Bool) {
      self.until = until
      self.isWoken = isWoken
    }
  }

  /// Wakes one branch, and only the one whose turn it is: with many of them, each of which looked
  /// whether it was meant, most of the time would go into looking.
  fileprivate final class Signal {
    let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() { pthread_cond_init(condition, nil) }

    deinit {
      pthread_cond_destroy(condition)
      condition.deallocate()
    }
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// What wakes those that wait for their turn.
  private var waiting: [UInt64: Signal] = [:]
  /// The next ticket to be given, and the one whose turn it is.
  private var nextTicket: UInt64 = 0
  private var served: UInt64 = 0
  /// The clock that goes forward once nobody can work; nil where time passes by itself.
  private let clock: SimulatedClock?
  /// Those that wait in simulated time, in the order in which they began.
  private var sleepers: [Sleeper] = []

  init(clock: SimulatedClock? = nil) {
    self.clock = clock
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// A place in the line, in the order of the calls.
  func takeTicket() -> UInt64 {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    nextTicket += 1
    return nextTicket - 1
  }

  /// Waits until it is the ticket's turn.
  func enter(_ ticket: UInt64) {
    pthread_mutex_lock(mutex)
    if served != ticket {
      let signal = Signal()
      waiting[ticket] = signal
      while served != ticket { pthread_cond_wait(signal.condition, mutex) }
      waiting[ticket] = nil
    }
    pthread_mutex_unlock(mutex)
  }

  /// Waits for a turn at the end of the line.
  func enter() { enter(takeTicket()) }

  /// Ends the turn.
  func leave() {
    pthread_mutex_lock(mutex)
    passOn()
    pthread_mutex_unlock(mutex)
  }

  /// Gives the turn to the next in line, or to the first whose wait ends.
  private func passOn() {
    served += 1
    if served == nextTicket, !sleepers.isEmpty { wakeNext() }
    // One that has its ticket and does not wait yet sees that it is its turn.
    if let signal = waiting[served] { pthread_cond_signal(signal.condition) }
  }

  // MARK: Simulated time

  /// Lets others work until an instant of the simulated clock, or until something ends the wait.
  func sleep(until instant: Int64, isWoken: @escaping () -> Bool) {
    sleep(Sleeper(until: instant, isWoken: isWoken))
  }

  /// Lets others work until `wake` is called for the sleeper.
  func sleep(_ sleeper: Sleeper) {
    pthread_mutex_lock(mutex)
    if sleeper.until != nil { sleepers.append(sleeper) }
    passOn()
    while sleeper.ticket != served { pthread_cond_wait(sleeper.signal.condition, mutex) }
    sleeper.ticket.map { waiting[$0] = nil }
    pthread_mutex_unlock(mutex)
  }

  /// One that waits for others to end.
  func makeSleeper() -> Sleeper { Sleeper(until: nil, isWoken: { false }) }

  /// Puts a sleeper into the line, whose turn then comes before any time passes.
  func wake(_ sleeper: Sleeper) {
    pthread_mutex_lock(mutex)
    queue(sleeper)
    pthread_mutex_unlock(mutex)
  }

  /// Whether others could work now.
  var othersAreReady: Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return nextTicket - served > 1
  }

  /// When the next of those that wait goes on; nil when none waits.
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
    sleeper.ticket = nextTicket
    waiting[nextTicket] = sleeper.signal
    nextTicket += 1
  }
}

/// A thread that runs a branch, or watches over something.
package final class BranchThread {
  private let thread: pthread_t

  /// What the thread does, handed over to it whole.
  private final class Job {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// The stack of a branch, in bytes: as much as the first thread's, for calls forty deep.
  private static let stackSize = 8 << 20

  /// Starts a thread; nil when the system has none.
  ///
  /// What `body` shares with other branches it touches only in its turn.
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
  }

  /// Waits for its end.
  package func join() { pthread_join(thread, nil) }
}
