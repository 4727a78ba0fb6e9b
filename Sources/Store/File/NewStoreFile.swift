import CSQLite
import Glibc
import POSIX

/// Makes a store's file whole under another name and publishes it with `link(2)`.
///
/// Many processes may do so at once: the first one's file is used by all.
struct NewStoreFile {
  let path: String

  /// Makes the file at `path`, unless another process was first.
  ///
  /// - Throws: `readOnly`, `full`, `io`.
  func publish() throws {
    try makeFolders()
    // What a first start that was killed left behind.
    WorkFile.removeDead(path)
    let draft = "\(path).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).new"
    let descriptor = open(draft, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("make the store", errno) }
    close(descriptor)
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) }
    }
    try makeContents(draft)
    if link(draft, path) != 0 {
      let code = errno
      guard code == EEXIST else { throw failure("make the store", code) }
      if StoreOpener.size(path) == 0 { try fillEmptyFile() }
    }
    guard Folder.sync(Folder.parent(of: path)) == 0 else {
      throw failure("keep the store on the disk", errno)
    }
  }

  private func makeContents(_ file: String) throws {
    let connection = try Connection(file: file, flags: SQLITE_OPEN_READWRITE, path: path)
    try connection.run("PRAGMA journal_mode = WAL")
    try connection.transaction { try RecordTables.makeFirst(in: connection) }
    // The last connection to close writes the log back and removes it.
  }

  /// Makes a store of a file that somebody left empty, one process at a time.
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
  }

  private func makeFolders() throws {
    var missing: [String] = []
    var folder = Folder.parent(of: path)
    while StoreOpener.size(folder) == nil, errno == ENOENT, missing.count < 256 {
      missing.append(folder)
      let parent = Folder.parent(of: folder)
      if parent == folder { break }
      folder = parent
    }
    for folder in missing.reversed() where mkdir(folder, 0o700) != 0 && errno != EEXIST {
      throw failure("make the folder “\(folder)”", errno)
    }
    // A new folder is on the disk when the one that it lies in is.
    for folder in missing { Folder.sync(Folder.parent(of: folder)) }
  }

  private func failure(_ action: String, _ code: Int32) -> StoreError {
    let reason = String(cString: strerror(code))
    switch code {
    case EACCES, EPERM, EROFS:
      return StoreError(
        .readOnly, "cannot \(action) at “\(path)” (\(reason))",
        remedy: .otherPlace)
    case ENOSPC, EDQUOT:
      return StoreError(.full, "cannot \(action) at “\(path)”: the disk is full")
    default:
      return StoreError(.io, "cannot \(action) at “\(path)” (\(reason))")
    }
  }
}
