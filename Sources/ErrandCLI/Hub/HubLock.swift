import Engine
import ErrandKit
import POSIX
import Store

/// A lock beside a store, which lets only one of its processes talk to the hub at a time.
struct HubLock {
  private let path: String?
  private static let pause = Duration.milliseconds(20)

  init(_ store: Database, _ name: String) {
    path = if case .file(let path) = store.location { "\(path).\(name)" } else { nil }
  }

  /// A held lock; a store in memory needs none.
  struct Held {
    fileprivate let lock: FileLock?
    func release() { lock?.release() }
  }

  /// Waits for the lock; nil after `patience`, which is for ever when nil.
  ///
  /// - Throws: `Cancellation` when the person ends the wait.
  func wait(for patience: Duration?) throws -> Held? {
    guard let path else { return Held(lock: nil) }
    let start = MonotonicClock.nanoseconds
    while true {
      do { if let lock = try FileLock(path) { return Held(lock: lock) } } catch {
        throw RunError(.io, "cannot lock \(path): \(error.reason)")
      }
      let waited = Duration.nanoseconds(MonotonicClock.nanoseconds - start)
      if let patience, waited > patience { return nil }
      try HubCommand.pause(Self.pause)
    }
  }
}
