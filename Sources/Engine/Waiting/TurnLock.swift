import Glibc

/// The lock of a run's branches, which take turns in the order in which they asked.
///
/// A branch holds it while it works, and lets go of it only while it waits for something outside.
final class TurnLock {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// The next ticket to be given, and the one whose turn it is.
  private var nextTicket: UInt64 = 0
  private var served: UInt64 = 0

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
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
    while served != ticket { pthread_cond_wait(changed, mutex) }
    pthread_mutex_unlock(mutex)
  }

  /// Waits for a turn at the end of the line.
  func enter() { enter(takeTicket()) }

  /// Ends the turn.
  func leave() {
    pthread_mutex_lock(mutex)
    served += 1
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }
}
