import Glibc

/// Other processes that write to a file.
package enum FileWriters {
  /// `F_SETLEASE`, which Swift's own module of the C library leaves out (fcntl(2)).
  private static let setLease: Int32 = 1024

  /// Whether some process has a file open for writing; nil where the kernel can't tell, as on most
  /// file systems of a network and for files of others.
  ///
  /// A read lease is granted only where nobody has (fcntl(2), F_SETLEASE).
  /// - Parameter descriptor: The file, open for reading only.
  package static func exist(for descriptor: Int32) -> Bool? {
    // Whoever opens it for writing meanwhile waits for the lease to end, and a signal says so.
    let former = signal(SIGIO, SIG_IGN)
    defer { signal(SIGIO, former) }
    if fcntl(descriptor, setLease, Int32(F_RDLCK)) == 0 {
      _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
      return false
    }
    return errno == EAGAIN ? true : nil
  }
}
