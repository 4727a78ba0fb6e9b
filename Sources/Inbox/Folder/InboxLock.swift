import Glibc
import POSIX

/// The right to take shares in, which one process has at a time; the kernel takes it back when the
/// process ends, however it does.
package final class InboxLock {
  private let lock: FileLock

  /// Takes the lock of an inbox; nil when another process has it.
  ///
  /// - Throws: `io`.
  package init?(_ folder: InboxFolder) throws(InboxError) {
    if !folder.isThere { try folder.make() }
    let path = folder.path + "/lock"
    let taken = try InboxError.wording { () throws(SystemError) -> FileLock? in
      try FileLock(path)
    }
    guard let taken else { return nil }
    lock = taken
  }

  /// When the folders were swept last, or the inbox was made, in seconds since 1970.
  package var lastSweep: Int {
    (try? lock.file.status()).map { Int($0.st_mtim.tv_sec) } ?? 0
  }

  /// Notes that they are swept now.
  package func noteSweep() { _ = futimens(lock.file.number, nil) }
}
