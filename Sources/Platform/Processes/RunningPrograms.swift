import Glibc
import Synchronization

/// The running programs, for the signal handler that ends this process at once.
package enum RunningPrograms {
  private static let limit = 256
  /// Process ids, 0 for a free slot; a fixed allocation, since a signal handler may only read existing memory.
  nonisolated(unsafe) private static let ids: UnsafeMutablePointer<pid_t> = {
    let ids = UnsafeMutablePointer<pid_t>.allocate(capacity: limit)
    ids.initialize(repeating: 0, count: limit)
    return ids
  }()
  private static let lock = Mutex<Void>(())
  /// Whether a program was ever started, so that the signal handler does not initialize `ids`.
  private static let isUsed = Atomic<Bool>(false)

  /// Records a started program.
  static func add(_ id: pid_t) { replace(0, with: id) }

  /// Removes a program that has ended.
  static func remove(_ id: pid_t) { replace(id, with: 0) }

  private static func replace(_ old: pid_t, with new: pid_t) {
    lock.withLock { _ in
      guard let place = (0..<limit).first(where: { ids[$0] == old }) else { return }
      ids[place] = new
      isUsed.store(true, ordering: .releasing)
    }
  }

  /// Kills the programs and their process groups; async-signal-safe.
  package static func kill() {
    guard isUsed.load(ordering: .acquiring) else { return }
    for place in 0..<limit where ids[place] > 0 {
      _ = Glibc.kill(-ids[place], SIGKILL)
      _ = Glibc.kill(ids[place], SIGKILL)
    }
  }
}
