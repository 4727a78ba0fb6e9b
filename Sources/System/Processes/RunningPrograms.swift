import Glibc
import Synchronization

/// The programs that run now, for the handler of a signal that ends this process at once.
package enum RunningPrograms {
  private static let limit = 256
  /// Their numbers, 0 for a free place; a handler may read no more than memory that is there.
  nonisolated(unsafe) private static let ids: UnsafeMutablePointer<pid_t> = {
    let ids = UnsafeMutablePointer<pid_t>.allocate(capacity: limit)
    ids.initialize(repeating: 0, count: limit)
    return ids
  }()
  private static let lock = Mutex<Void>(())
  /// Whether there ever was one, so that the handler makes nothing.
  private static let isUsed = Atomic<Bool>(false)

  /// Notes that a program was started.
  static func add(_ id: pid_t) { replace(0, with: id) }

  /// Notes that a program has ended.
  static func remove(_ id: pid_t) { replace(id, with: 0) }

  private static func replace(_ old: pid_t, with new: pid_t) {
    lock.withLock { _ in
      guard let place = (0..<limit).first(where: { ids[$0] == old }) else { return }
      ids[place] = new
      isUsed.store(true, ordering: .releasing)
    }
  }

  /// Kills them and the groups that they lead; safe in the handler of a signal.
  package static func kill() {
    guard isUsed.load(ordering: .acquiring) else { return }
    for place in 0..<limit where ids[place] > 0 {
      _ = Glibc.kill(-ids[place], SIGKILL)
      _ = Glibc.kill(ids[place], SIGKILL)
    }
  }
}
