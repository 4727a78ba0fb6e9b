import Glibc

/// Detects other processes that write to a file.
package enum FileWriters {
  /// `F_SETLEASE`, which Swift's Glibc module lacks (fcntl(2)).
  private static let setLease: Int32 = 1024

  /// Returns whether some process has the file open for writing; nil if unknown, as on most network file systems and
  /// for files of other users.
  ///
  /// A read lease is granted only if no process has (fcntl(2), F_SETLEASE).
  /// - Parameter descriptor: The file, open for reading only.
  package static func exist(for descriptor: Int32) -> Bool? {
    // A process that opens the file for writing waits for the lease to end, which is signalled by SIGIO.
    let former = signal(SIGIO, SIG_IGN)
    defer { signal(SIGIO, former) }
    if fcntl(descriptor, setLease, Int32(F_RDLCK)) == 0 {
      _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
      return false
    }
    return errno == EAGAIN ? true : nil
  }
}
