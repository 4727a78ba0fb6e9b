import CSQLite
import Glibc
import Items
import Store

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

  /// How often it is tried while others may write; then they have to wait.
  private static let attempts = 2

  /// Makes the file anew.
  ///
  /// - Returns: What could not be kept, a sentence each.
  /// - Throws: `corrupt` when items cannot be read, and then nothing was changed; `busy`, `full`,
  ///   `io`.
  func run(_ progress: (String) -> Void) throws -> [String] {
    do {
      for _ in 0..<Self.attempts {
        if let losses = try attempt(holding: false, progress) { return losses }
      }
      if let losses = try attempt(holding: true, progress) { return losses }
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
  private func attempt(
    holding isHolding: Bool, _ progress: (String) -> Void
  ) throws -> [String]? {
    let path = EntityStore.resolved(path)
    let snapshot = WorkFile(for: path)
    defer { snapshot.remove() }
    try snapshot.make()
    let draft = WorkFile(for: path)
    defer { draft.remove() }
    try draft.make()
    let target = try Connection(
      file: draft.path, flags: SQLITE_OPEN_READWRITE, path: path, isDefensive: false)
    let store = try Connection(file: path, flags: SQLITE_OPEN_READWRITE, path: path)
    if isHolding {
      try copyPageSize(of: store, to: target)
      // A file without pages would be taken for one that is copied already.
      try target.run("CREATE TABLE room (a)")
      try target.run("DROP TABLE room")
    }
    let writing = isHolding ? try Writing(target, over: store) : nil
    // What is read is one moment of the store, and its version tells whether it is the last.
    let reader = try Connection(file: path, flags: SQLITE_OPEN_READWRITE, path: path)
    let version = try reader.first("PRAGMA data_version")
    try EntityStore.copyPages(of: reader, to: snapshot.path, named: path)
    var content = RemadeContent(target, makeUID: makeUID)
    try content.attach(snapshot.path)
    try content.copy(progress)
    progress("writing the file")
    let last = try writing ?? Writing(target, over: store)
    guard try reader.first("PRAGMA data_version") == version else { return nil }
    try last.finish()
    return content.losses
  }

  /// Both must have pages of one size.
  private func copyPageSize(of store: Connection, to target: Connection) throws {
    guard case .int(let size)? = try store.first("PRAGMA page_size") else { return }
    try target.run("PRAGMA page_size = \(raw: String(size))")
  }

  /// The copying of a new file over the store, which nobody else writes from its beginning on.
  private final class Writing {
    private let store: Connection
    private var backup: OpaquePointer?

    init(_ target: Connection, over store: Connection) throws {
      self.store = store
      guard case .int(let pages)? = try target.first("PRAGMA page_count"), pages > 0 else {
        throw StoreError(.bug, "an empty file is not copied over the store “\(store.path)”")
      }
      guard let backup = sqlite3_backup_init(store.handle, "main", target.handle, "main") else {
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
