import CSQLite

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Makes a store's file anew from the tables that nothing else tells: the items, what the store
/// records about itself, and what can be read of the log.
///
/// Only those are read, so that it does not matter what the other pages hold: indexes, lists, text
/// indexes and unused pages. It is made in another file, looked at, and then copied over the store
/// in one transaction, as `VACUUM` does it; whoever has the store open goes on with the new contents.
struct StoreRemaking {
  private let path: String
  private let makeUID: () -> GlobalID

  /// A remaking of the file at a path.
  init(_ path: String, makeUID: @escaping () -> GlobalID) {
    self.path = path
    self.makeUID = makeUID
  }

  /// How often it is begun anew because others wrote to the store meanwhile.
  private static let attempts = 5

  /// Makes the file anew.
  ///
  /// - Returns: What could not be kept, a sentence each.
  /// - Throws: `corrupt` when items cannot be read, and then nothing was changed; `busy` when others
  ///   go on writing, `full`, `io`.
  func run(_ progress: (String) -> Void) throws -> [String] {
    for _ in 0..<Self.attempts {
      let draft = "\(path).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).new"
      try EntityStore.makeFile(draft)
      defer {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) }
      }
      let target = try Connection(
        file: draft, flags: SQLITE_OPEN_READWRITE, path: path, isDefensive: false)
      var content = RemadeContent(target, makeUID: makeUID)
      try content.attach(path)
      let version = try content.copy(progress)
      progress("writing the file")
      if try publish(target, madeOf: version) { return content.losses }
    }
    throw StoreError(
      .busy, "the store “\(path)” is changed by others again and again: try again when it is not")
  }

  /// Copies the new file over the store, unless that was changed since it was read.
  private func publish(_ target: Connection, madeOf version: SQLValue?) throws -> Bool {
    let store = try Connection(file: path, flags: SQLITE_OPEN_READWRITE, path: path)
    guard let backup = sqlite3_backup_init(store.handle, "main", target.handle, "main") else {
      throw store.failure(sqlite3_errcode(store.handle), doing: "writing the store")
    }
    var isFinished = false
    defer { if !isFinished { sqlite3_backup_finish(backup) } }
    // A step without a page takes the lock of writers.
    var status = sqlite3_backup_step(backup, 0)
    guard status == SQLITE_OK else { throw store.failure(status, doing: "locking the store") }
    guard try target.first("PRAGMA damaged.data_version") == version else { return false }
    status = sqlite3_backup_step(backup, -1)
    isFinished = true
    let finished = sqlite3_backup_finish(backup)
    guard status == SQLITE_DONE, finished == SQLITE_OK else {
      throw store.failure(status == SQLITE_DONE ? finished : status, doing: "writing the store")
    }
    return true
  }
}
