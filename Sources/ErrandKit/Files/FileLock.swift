package import POSIX
package import Source

extension FileLock {
  /// The maximum wait for another process.
  private static let patience = Duration.seconds(10)
  /// The wait after which `tellOfWait` is called.
  private static let silence = Duration.seconds(2)

  /// Locks a file through a lock file next to it, for reading and writing it; creates the folder if
  /// necessary.
  ///
  /// - Parameter tellOfWait: Called once if another process holds the lock for long.
  /// - Throws: `unwritable`.
  package static func taken(
    beside path: String, tellOfWait: () -> Void = {}
  ) throws(Diagnostic) -> FileLock {
    try PrivateFolder(path: Folder.parent(of: path)).make()
    var reason = "another process has locked it"
    do {
      let lock = try wait(
        for: path + ".lock", patience: patience, silence: silence, tellOfWait: tellOfWait)
      if let lock { return lock }
    } catch {
      reason = error.reason
    }
    throw Diagnostic("unwritable", "\(path) cannot be written: \(reason)")
  }
}
