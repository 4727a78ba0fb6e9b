import CSQLite
import Items
import Store

/// Makes a store's file anew from the tables that nothing else tells: the items, what the store
/// records about itself, its runs and jobs, and what can be read of the log.
///
/// Only those are read, so that it does not matter what the other pages hold: indexes, lists, text
/// indexes and unused pages. It is made in another file, looked at, and then copied over the store
/// in one transaction, as `VACUUM` does it; whoever has the store open goes on with the new contents.
struct StoreReplacement {
  private let store: Database
  private let path: String

  init(of store: Database, at path: String) {
    self.store = store
    self.path = Database.resolved(path)
  }

  /// How often it is tried while others may write; then they have to wait.
  private static let attempts = 2

  /// Makes the file anew.
  ///
  /// - Returns: What could not be kept, a sentence each.
  /// - Throws: `corrupt` when items cannot be read, and then nothing was changed; `busy`, `full`,
  ///   `io`.
  func run(_ progress: (String) -> Void) throws -> [String] {
    do {
      for attempt in 0...Self.attempts {
        if let losses = try make(holding: attempt == Self.attempts, progress) { return losses }
      }
    } catch let error as StoreError where error.code == .full {
      throw StoreError(
        .full,
        "the disk or your quota is full: the file cannot be made anew beside “\(path)”, which was "
          + "left as it was; free some space and try again", sqliteCode: error.sqliteCode)
    }
    throw StoreError(.bug, "the store “\(path)” was written by others in spite of its lock")
  }

  /// Makes the file anew once; nil when others wrote to the store meanwhile.
  ///
  /// - Parameter isHolding: Whether nobody else may write until it is done.
  private func make(holding isHolding: Bool, _ progress: (String) -> Void) throws -> [String]? {
    let snapshot = WorkFile(for: path)
    defer { snapshot.remove() }
    try snapshot.make()
    let draft = WorkFile(for: path)
    defer { draft.remove() }
    let new = try Database(at: .file(draft.path), context: store.context)
    defer { new.shutDown() }
    let file = try Connection(file: path, flags: SQLITE_OPEN_READWRITE, path: path)
    // The file is thrown away when this does not come to its end.
    try new.connection.run("PRAGMA journal_mode = MEMORY")
    // The pages of both must be of one size.
    if case .int(let size)? = try file.first("PRAGMA page_size") {
      try new.connection.run("PRAGMA page_size = \(raw: String(size))")
      try new.connection.run("VACUUM")
    }
    let writing = isHolding ? try Writing(new.connection, over: file) : nil
    // What is read is one moment of the store, and its version tells whether it is the last.
    let reader = try Connection(file: path, flags: SQLITE_OPEN_READWRITE, path: path)
    let version = try reader.first("PRAGMA data_version")
    try Database.copyPages(of: reader, to: snapshot.path, named: path)
    let schemas = try store.storedLayouts().compactMap {
      try store.wholeDefinition(of: $0)?.schema
    }
    let recovery = Recovery(of: snapshot.path, named: path, to: new, schemas, isSameFile: true)
    try recovery.run(progress)
    progress("writing the file")
    let last = try writing ?? Writing(new.connection, over: file)
    guard try reader.first("PRAGMA data_version") == version else { return nil }
    try last.finish()
    return recovery.losses
  }

  /// The copying of a new file over the store, which nobody else writes from its beginning on.
  private final class Writing {
    private let store: Connection
    private var backup: OpaquePointer?

    init(_ new: Connection, over store: Connection) throws {
      self.store = store
      guard let backup = sqlite3_backup_init(store.handle, "main", new.handle, "main") else {
        throw store.failure(sqlite3_errcode(store.handle), doing: "writing the store")
      }
      self.backup = backup
      // A step without a page takes the lock of writers.
      let status = sqlite3_backup_step(backup, 0)
      guard status == SQLITE_OK else { throw store.failure(status, doing: "locking the store") }
    }

    deinit { sqlite3_backup_finish(backup) }

    func finish() throws {
      let status = sqlite3_backup_step(backup, -1)
      let finished = sqlite3_backup_finish(backup)
      backup = nil
      guard status == SQLITE_DONE, finished == SQLITE_OK else {
        throw store.failure(status == SQLITE_DONE ? finished : status, doing: "writing the store")
      }
    }
  }
}
