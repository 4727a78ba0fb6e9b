import Glibc
import Synchronization

/// Lets large documents be read one after another, since a tree takes about thirty times the memory
/// of its document.
package final class LargeReads: Sendable {
  private let isBusy = Atomic(false)

  /// The size in bytes above which a document is large.
  static let size = 1 << 20
  /// The delay between two attempts, in microseconds.
  private static let delay: UInt32 = 5_000

  package init() {}

  /// Reads a document of this size, after waiting for other large ones unless the caller cancels.
  func read<Result>(_ size: Int, _ budget: ReadingBudget, _ body: () -> Result) -> Result {
    guard size > Self.size else { return body() }
    while !isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged {
      // A cancelled reader returns at once.
      if budget.isOver() { return body() }
      usleep(Self.delay)
    }
    defer { isBusy.store(false, ordering: .releasing) }
    return body()
  }
}
