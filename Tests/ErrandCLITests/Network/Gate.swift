import Glibc
import Synchronization

/// Barrier that opens once a number of callers have arrived.
final class Gate: Sendable {
  private let left: Atomic<Int>

  init(count: Int) { left = Atomic(count) }

  /// Waits until all threads have arrived.
  func arrive() {
    left.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    while left.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
  }
}

/// A counter from 0.
final class Counter: Sendable {
  private let value = Atomic(0)

  /// Returns the next number.
  func next() -> Int { value.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue }

  /// Resets the counter to 0.
  func reset() { value.store(0, ordering: .sequentiallyConsistent) }
}
