import CSQLite
import Items
import Store

/// Rebuilds a store's file from its primary tables: the items, the metadata, runs and jobs, and the
/// readable part of the log.
///
/// All other pages are ignored: indexes, lists, text indexes and unused pages. The new contents are
/// built in another file, checked, and then copied over the store in one transaction, like
/// `VACUUM`, so open connections continue with them.
struct StoreReplacement {
  private let store: Database
  private let path: String

  init(of store: Database, at path: String) {
    self.store = store
    self.path = Database.resolved(path)
  }

  /// The number of attempts that allow concurrent writes; the last one blocks them.
  private static let attempts = 2

  /// Rebuilds the file.
  ///
  /// - Returns: The losses, a sentence each.
  /// - Throws: `corrupt` when items are unreadable, and nothing is changed then; `busy`, `full`,
  ///   `io`.
  func run(_ progress: (String) -> Void) throws -> [String] {
    do {
      for attempt in 0...Self.attempts {
        if let losses = try make(holding: attempt == Self.attempts, progress) { return losses }
      }
    } catch let error as StoreError where error.code == .full {
      throw StoreError(
        .full,
        "the disk or your quota is full: “\(path)” cannot be rebuilt, and nothing was changed; "
          + "free some space and try again", sqliteCode: error.sqliteCode)
    }
    throw StoreError(.bug, "the store “\(path)” was written by others despite its lock")
  }

  /// Rebuilds the file once; nil when others wrote to the store meanwhile.
  ///
  /// - Parameter isHolding: Whether other writers are blocked until it is done.
  private func make(holding isHolding: Bool, _ progress: (String) -> Void) throws -> [String]? {
    let snapshot = try WorkFile(for: path)
    defer { snapshot.remove() }
    let draft = try WorkFile(for: path)
    defer { draft.remove() }
    let new = try Database(at: .file(draft.path), context: store.context)
    defer { new.shutDown() }
    let file = try Connection(file: path, flags: SQLITE_OPEN_READWRITE, path: path)
    // The file is discarded if this fails.
    try new.connection.run("PRAGMA journal_mode = MEMORY")
    // Both files must have the same page size.
    if let size = try file.number("PRAGMA page_size") {
      try new.connection.run("PRAGMA page_size = \(raw: String(size))")
      try new.connection.run("VACUUM")
    }
    let held = isHolding ? try writing(new.connection, over: file) : nil
    // The reader has one snapshot, whose version shows whether it is still current.
    let reader = try Connection(file: path, flags: SQLITE_OPEN_READWRITE, path: path)
    let version = try reader.first("PRAGMA data_version")
    try Database.copyPages(of: reader, to: snapshot.path, named: path)
    let schemas = try store.storedLayouts().compactMap { try store.wholeDefinition(of: $0)?.schema }
    let recovery = Recovery(of: snapshot.path, named: path, to: new, schemas, isSameFile: true)
    try recovery.run(progress)
    progress("writing the file")
    let last = try held ?? writing(new.connection, over: file)
    guard try reader.first("PRAGMA data_version") == version else { return nil }
    try last.finish()
    return recovery.losses
  }

  /// Prepares copying the new file over the store, and blocks other writers from then on.
  private func writing(_ new: Connection, over store: Connection) throws -> PageCopy {
    let copy = try PageCopy(of: new, over: store)
    try copy.lock()
    return copy
  }
}
