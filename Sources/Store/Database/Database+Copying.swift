import CEL
import CSQLite
import Glibc
import JSON
import POSIX

extension Database {
  /// Copies a snapshot of the store to a new file while others use it.
  ///
  /// - Throws: `conflict` when the file exists, `full`, `io`.
  package func backup(to path: String) throws {
    guard access(path, F_OK) != 0 else { throw WorkFile.taken(path) }
    let temporary = try WorkFile(for: path)
    defer { temporary.remove() }
    try Self.copyPages(of: connection, to: temporary.path, named: path, suspendsJobs: true)
    try copyValues(besides: path)
    try temporary.publish()
  }

  /// Calls `body` with the path of a copy of the store, with its jobs as they are, which is removed then.
  ///
  /// - Throws: `full`, `io`, or the error of `body`.
  package func withCopy<Result>(_ body: (String) throws -> Result) throws -> Result {
    let temporary = try WorkFile(for: (path ?? "") + ".trial")
    defer { temporary.remove() }
    try Self.copyPages(of: connection, to: temporary.path, named: temporary.path)
    return try body(temporary.path)
  }

  /// Copies all pages unchanged, damaged or not.
  ///
  /// - Parameters:
  ///   - name: The name of the copy in messages.
  ///   - suspendsJobs: Whether the jobs of the copy wait for confirmation.
  package static func copyPages(
    of source: Connection, to temporary: String, named name: String, suspendsJobs: Bool = false
  ) throws {
    do {
      let copy = try Connection(file: temporary, flags: SQLITE_OPEN_READWRITE, path: name)
      try PageCopy(of: source, over: copy).finish()
      if suspendsJobs { try copy.suspendJobs() }
      try copy.run("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch let error as StoreError where error.code == .full {
      throw StoreError(
        .full,
        "the disk or your quota is full: the copy “\(name)” was not written, and nothing was "
          + "changed; free some space and try again", sqliteCode: error.sqliteCode)
    }
  }

  /// Shrinks the file and optimizes its text indexes.
  ///
  /// - Throws: `busy` while others use the store, `readOnly`, `full`.
  package func vacuum() throws {
    for layout in try connection.storedLayouts() where layout.hasTextIndex {
      let name = layout.name + "_search"
      try connection.run("INSERT INTO \(name: name) (\(name: name)) VALUES ('optimize')")
    }
    try connection.run("VACUUM")
  }

  /// Copies the store to a file beside it before a migration, also from inside the migrating
  /// transaction: another connection still sees the old state.
  ///
  /// - Parameter entity: The entity about to be migrated; nil before a repair.
  /// - Returns: The path of the copy; nil for a store in memory.
  package func backUpBesides(before entity: String? = nil) throws -> String? {
    guard let path else { return nil }
    let moment = context.world.now().jsonText.filter { $0 != ":" && $0 != "-" }
    let reader = try Connection(file: path, flags: SQLITE_OPEN_READWRITE, path: path)
    let file = Self.resolved(path)
    let temporary = try WorkFile(for: file)
    defer { temporary.remove() }
    func name(_ number: Int) -> String {
      if let entity { return MigrationCopies.name(file, moment, entity, number: number) }
      return "\(file).\(moment)\(number > 1 ? "-\(number)" : "").backup"
    }
    var number = entity == nil ? 1 : MigrationCopies(of: file).nextNumber(moment)
    try Self.copyPages(of: reader, to: temporary.path, named: name(number), suspendsJobs: true)
    while try !temporary.publish(ifFree: name(number)) { number += 1 }
    return name(number)
  }

  /// The copies made before migrations, with their sizes, oldest first.
  package func migrationCopies() -> [(path: String, bytes: Int)] {
    guard let path else { return [] }
    return MigrationCopies(of: Self.resolved(path)).all
  }

  /// The path with symbolic links resolved.
  package static func resolved(_ path: String) -> String {
    guard let pointer = realpath(path, nil) else { return path }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  // MARK: Values of journals

  /// The folder beside a store for journal values that are too large for a line: immutable files
  /// named by their hash.
  package static func valueFolder(ofStore path: String) -> String { path + ".values" }

  /// Copies the values that journal lines refer to beside a copy of the store.
  ///
  /// - Throws: `full`, `io`.
  func copyValues(besides copy: String) throws {
    guard let path else { return }
    try Self.copyValues(try runs.hashesInJournal(), ofStore: path, besides: copy)
  }

  /// Copies values of a store to the value folder of its copy.
  ///
  /// - Throws: `full`, `io`.
  package static func copyValues(
    _ hashes: Set<String>, ofStore path: String, besides copy: String
  ) throws {
    if hashes.isEmpty { return }
    let source = Self.valueFolder(ofStore: path)
    let target = Self.valueFolder(ofStore: copy)
    guard mkdir(target, 0o700) == 0 || errno == EEXIST else { throw failure(target, errno) }
    for hash in hashes {
      let original = "\(source)/\(hash)"
      // A missing file belonged to a run that was pruned meanwhile.
      guard access(original, F_OK) == 0 else { continue }
      let place = "\(target)/\(hash)"
      if link(original, place) == 0 || errno == EEXIST { continue }
      // Hard links cannot cross file systems.
      do {
        let source = try Descriptor(original, O_RDONLY)
        let temporary = try TemporaryFile(for: place)
        try temporary.file.write(contentOf: source.number)
        try temporary.publish(as: place)
      } catch { throw failure(place, error.code) }
    }
  }

  private static func failure(_ path: String, _ number: Int32) -> StoreError {
    StoreError(
      number == ENOSPC || number == EDQUOT ? .full : .io,
      "cannot copy a value of a run to “\(path)”: \(String(cString: strerror(number)))")
  }
}
