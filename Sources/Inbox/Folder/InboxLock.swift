import Glibc
import POSIX

/// The exclusive lock for importing shares; the kernel releases it when the process exits.
package final class InboxLock {
  private let lock: FileLock

  /// Acquires the lock; nil if another process holds it.
  ///
  /// - Throws: `io`.
  package init?(_ folder: InboxFolder) throws(InboxError) {
    if !folder.isThere { try folder.make() }
    let taken = try InboxError.wording { try FileLock(folder.path + "/lock") }
    guard let taken else { return nil }
    lock = taken
  }

  /// The time of the last sweep, or of the inbox's creation, in seconds since 1970.
  package var lastSweep: Int { (try? lock.file.status()).map { Int($0.st_mtim.tv_sec) } ?? 0 }

  /// Records a sweep.
  package func noteSweep() { _ = futimens(lock.file.number, nil) }
}
