import CSQLite
import Glibc
import POSIX

/// Creates a store's file under a temporary name and publishes it with `link(2)`.
///
/// Safe with concurrent processes: all use the first one's file.
struct NewStoreFile {
  let path: String

  /// Creates the file at `path`, unless another process was first.
  ///
  /// - Throws: `readOnly`, `full`, `io`.
  func publish() throws {
    if StoreOpener.size(path) == nil {
      do { try Folder.make(Folder.parent(of: path), isDurable: true) } catch {
        throw failure("create the folder “\(error.path)”", error.code)
      }
      let temporary = try WorkFile(for: path) { _, code in failure("create the store", code) }
      defer { temporary.remove() }
      try makeContents(temporary.path)
      _ = try temporary.publish(ifFree: path)
    }
    if StoreOpener.size(path) == 0 { try fillEmptyFile() }
  }

  private func makeContents(_ file: String) throws {
    let connection = try Connection(file: file, flags: SQLITE_OPEN_READWRITE, path: path)
    try connection.run("PRAGMA journal_mode = WAL")
    try connection.transaction { try SystemTables.makeFirst(in: connection) }
    // The last connection to close writes the log back and removes it.
  }

  /// Turns an existing empty file into a store, one process at a time.
  private func fillEmptyFile() throws {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("write the store", errno) }
    // SQLite's own locks are dropped when any descriptor of the file is closed, so this one is
    // closed last.
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw failure("lock the store", errno) }
    }
    guard StoreOpener.size(path) == 0 else { return }
    try makeContents(path)
    Folder.sync(Folder.parent(of: path))
  }

  private func failure(_ action: String, _ code: Int32) -> StoreError {
    let reason = String(cString: strerror(code))
    switch code {
    case EACCES, EPERM, EROFS:
      return StoreError(.readOnly, "cannot \(action) at “\(path)” (\(reason))", remedy: .otherPlace)
    case ENOSPC, EDQUOT: return StoreError(.full, "cannot \(action) at “\(path)”: the disk is full")
    default: return StoreError(.io, "cannot \(action) at “\(path)” (\(reason))")
    }
  }
}
