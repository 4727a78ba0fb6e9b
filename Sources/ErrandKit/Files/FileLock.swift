package import POSIX
package import Source

extension FileLock {
  /// How long another process may hold a lock of ours, in milliseconds.
  private static let patience = 10_000
  /// After how many milliseconds of waiting it is told.
  private static let silence = 2_000

  /// Waits for the lock beside a file, which other processes wait for while the file is read and
  /// written; the folder is made if it is not there.
  ///
  /// - Parameter tellOfWait: is called once when another process has it for long.
  /// - Throws: `unwritable`.
  package static func taken(
    beside path: String, tellOfWait: () -> Void = {}
  ) throws(Diagnostic) -> FileLock {
    try PrivateFolder(path: Folder.parent(of: path)).make()
    var reason = "another process keeps it locked"
    do {
      let lock = try wait(
        for: path + ".lock", patience: patience, silence: silence, tellOfWait: tellOfWait)
      if let lock { return lock }
    } catch {
      reason = error.reason
    }
    throw Diagnostic("unwritable", "\(path) can't be written: \(reason)")
  }
}
