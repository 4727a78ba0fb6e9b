import CEL
import CSQLite
import JSON

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension EntityStore {
  /// Copies the store to a new file, as it is at this moment, while others go on using it.
  ///
  /// - Throws: `conflict` when there is a file already, `readOnly`, `full`, `io`.
  public func backup(to path: String) throws {
    guard access(path, F_OK) != 0 else {
      throw StoreError(.conflict, "“\(path)” is there already: name a new file")
    }
    let draft = path + ".\(getpid()).new"
    try Self.makeFile(draft)
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) }
    }
    try Self.copyPages(of: connection, to: draft, path: path)
    guard link(draft, path) == 0 else {
      throw StoreError(.conflict, "“\(path)” is there already: name a new file")
    }
  }

  /// Copies all pages as they are, damaged or not.
  static func copyPages(
    of source: Connection, to draft: String, path: String
  ) throws {
    let copy = try Connection(
      file: draft, flags: SQLITE_OPEN_READWRITE, path: path)
    guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main") else {
      throw copy.failure(sqlite3_errcode(copy.handle), doing: "starting a backup")
    }
    // In one step it is one moment of the store, whatever others write meanwhile.
    let status = sqlite3_backup_step(backup, -1)
    let finished = sqlite3_backup_finish(backup)
    guard status == SQLITE_DONE, finished == SQLITE_OK else {
      throw copy.failure(status == SQLITE_DONE ? finished : status, doing: "copying the store")
    }
    try copy.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Makes the file as small as it can be, and searches a little faster.
  ///
  /// - Throws: `busy` while others use the store, `readOnly`, `full`.
  public func vacuum() throws {
    for layout in try storedLayouts() where layout.hasTextIndex {
      let name = layout.name + "_search"
      try connection.run("INSERT INTO \(name: name) (\(name: name)) VALUES ('optimize')")
    }
    try connection.run("VACUUM")
  }

  /// Makes an empty file that nobody else may read.
  static func makeFile(_ path: String) throws {
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(.io, "cannot write “\(path)” (\(String(cString: strerror(errno))))")
    }
    close(descriptor)
  }

  /// Copies the store beside itself before its tables change, also from inside the transaction in
  /// which they will; another connection sees the store as it was before.
  ///
  /// - Returns: the path of the copy; nil for a store in memory.
  func backUpBesides() throws -> String? {
    guard case .file(let path) = location else { return nil }
    let moment = context.now().jsonText.filter { $0 != ":" && $0 != "-" }
    let reader = try Connection(file: path, flags: SQLITE_OPEN_READWRITE, path: path)
    var copy = "\(path).\(moment).backup"
    var number = 1
    while access(copy, F_OK) == 0 {
      number += 1
      copy = "\(path).\(moment)-\(number).backup"
    }
    try Self.makeFile(copy)
    try Self.copyPages(of: reader, to: copy, path: copy)
    return copy
  }
}
