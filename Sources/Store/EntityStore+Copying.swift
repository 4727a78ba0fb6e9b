import CEL
import CSQLite
import Glibc
import JSON

extension EntityStore {
  /// Copies the store to a new file, as it is at this moment, while others go on using it.
  ///
  /// - Throws: `conflict` when there is a file already, `full`, `io`.
  package func backup(to path: String) throws {
    guard access(path, F_OK) != 0 else { throw WorkFile.taken(path) }
    let draft = WorkFile(for: path)
    defer { draft.remove() }
    try draft.make()
    try Self.copyPages(of: connection, to: draft.path, named: path, suspendsJobs: true)
    try copyValues(besides: path)
    try draft.publish()
  }

  /// Copies all pages as they are, damaged or not.
  ///
  /// - Parameters:
  ///   - name: What messages call the copy.
  ///   - suspendsJobs: Whether the jobs of the copy wait for a person's word.
  package static func copyPages(
    of source: Connection, to draft: String, named name: String, suspendsJobs: Bool = false
  ) throws {
    do {
      let copy = try Connection(file: draft, flags: SQLITE_OPEN_READWRITE, path: name)
      guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main") else {
        throw copy.failure(sqlite3_errcode(copy.handle), doing: "starting a backup")
      }
      // In one step it is one moment of the store, whatever others write meanwhile.
      let status = sqlite3_backup_step(backup, -1)
      let finished = sqlite3_backup_finish(backup)
      guard status == SQLITE_DONE, finished == SQLITE_OK else {
        throw copy.failure(status == SQLITE_DONE ? finished : status, doing: "copying the store")
      }
      if suspendsJobs { try suspendJobs(in: copy) }
      try copy.run("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch let error as StoreError where error.code == .full {
      throw StoreError(
        .full,
        "the disk or your quota is full: the copy “\(name)” was not written, and nothing was "
          + "changed; free some space and try again", sqliteCode: error.sqliteCode)
    }
  }

  /// Makes the file as small as it can be, and searches a little faster.
  ///
  /// - Throws: `busy` while others use the store, `readOnly`, `full`.
  package func vacuum() throws {
    for layout in try storedLayouts() where layout.hasTextIndex {
      let name = layout.name + "_search"
      try connection.run("INSERT INTO \(name: name) (\(name: name)) VALUES ('optimize')")
    }
    try connection.run("VACUUM")
  }

  /// Copies the store beside itself before its tables change, also from inside the transaction in
  /// which they will; another connection sees the store as it was before.
  ///
  /// - Parameter entity: The entity whose items are about to change; nil before a repair.
  /// - Returns: the path of the copy; nil for a store in memory.
  package func backUpBesides(before entity: String? = nil) throws -> String? {
    guard case .file(let path) = location else { return nil }
    let moment = context.now().jsonText.filter { $0 != ":" && $0 != "-" }
    let reader = try Connection(file: path, flags: SQLITE_OPEN_READWRITE, path: path)
    let file = Self.resolved(path)
    let draft = WorkFile(for: file)
    defer { draft.remove() }
    try draft.make()
    func name(_ number: Int) -> String {
      if let entity { return MigrationCopies.name(file, moment, entity, number: number) }
      return "\(file).\(moment)\(number > 1 ? "-\(number)" : "").backup"
    }
    var number = entity == nil ? 1 : MigrationCopies(of: file).nextNumber(moment)
    try Self.copyPages(of: reader, to: draft.path, named: name(number), suspendsJobs: true)
    while try !draft.publish(ifFree: name(number)) { number += 1 }
    let copy = name(number)
    return copy
  }

  /// The copies that were made beside the store before migrations, with their sizes, the oldest first.
  package func migrationCopies() -> [(path: String, bytes: Int)] {
    guard case .file(let path) = location else { return [] }
    return MigrationCopies(of: Self.resolved(path)).all
  }

  /// The path of the file that a symbolic link leads to.
  package static func resolved(_ path: String) -> String {
    guard let pointer = realpath(path, nil) else { return path }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}
