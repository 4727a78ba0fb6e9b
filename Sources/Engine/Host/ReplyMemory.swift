import CLinux
import Synchronization

/// The memory of a run that replies may take while they come in.
///
/// A large reply waits while a quarter of the run's memory is in use, until others were dealt with.
/// The one that was large first goes on up to half, so that one always gets through.
package final class ReplyMemory: Sendable {
  private let limit: Int
  private let bytesInUse: @Sendable () -> Int
  private let large = Mutex(Large())

  /// The large replies that are coming in, the first of them first.
  private struct Large {
    var last = 0
    var tickets: [Int] = []
  }

  /// The size up to which a reply is taken without a look, in bytes.
  package static let small = 1 << 20

  /// - Parameters:
  ///   - limit: how many bytes the run may use.
  ///   - bytesInUse: how many it uses.
  package init(limit: Int, bytesInUse: @escaping @Sendable () -> Int) {
    self.limit = limit
    self.bytesInUse = bytesInUse
  }

  /// The place of a reply that became large.
  package func enter() -> Int {
    large.withLock { large in
      large.last += 1
      large.tickets.append(large.last)
      return large.last
    }
  }

  /// Gives a place back.
  package func leave(_ ticket: Int) {
    large.withLock { $0.tickets.removeAll { $0 == ticket } }
  }

  /// Whether a large reply may take more now.
  package func mayGrow(_ ticket: Int) -> Bool {
    let used = bytesInUse()
    if used < limit / 4 { return true }
    return used < limit / 2 && large.withLock { $0.tickets.first == ticket }
  }
}
