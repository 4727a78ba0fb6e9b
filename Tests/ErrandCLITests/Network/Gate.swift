import Glibc
import Synchronization

/// Lets nobody through before so many have arrived.
final class Gate: Sendable {
  private let left: Atomic<Int>

  init(count: Int) { left = Atomic(count) }

  /// Waits for the others.
  func arrive() {
    left.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    while left.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
  }
}

/// Counts from 0.
final class Counter: Sendable {
  private let value = Atomic(0)

  /// The next number.
  func next() -> Int { value.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue }

  /// Counts from 0 again.
  func reset() { value.store(0, ordering: .sequentiallyConsistent) }
}
