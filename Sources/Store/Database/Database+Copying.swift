import CEL
import CSQLite
import Glibc
import JSON

extension Database {
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
      if suspendsJobs { try copy.suspendJobs() }
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
    for layout in try connection.storedLayouts() where layout.hasTextIndex {
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
    guard let path else { return nil }
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
    guard let path else { return [] }
    return MigrationCopies(of: Self.resolved(path)).all
  }

  /// The path of the file that a symbolic link leads to.
  package static func resolved(_ path: String) -> String {
    guard let pointer = realpath(path, nil) else { return path }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  // MARK: Values of journals

  /// The folder beside a store with the values of journals that are too large for a line, each in a
  /// file that is called by its hash and never changes.
  package static func valueFolder(ofStore path: String) -> String { path + ".values" }

  /// Puts the values that lines of journals name beside a copy of the store.
  ///
  /// - Throws: `full`, `io`.
  func copyValues(besides copy: String) throws {
    guard let path else { return }
    try Self.copyValues(try runs.hashesInJournal(), ofStore: path, besides: copy)
  }

  /// Puts values of a store beside another one.
  ///
  /// - Throws: `full`, `io`.
  package static func copyValues(
    _ hashes: Set<String>, ofStore path: String, besides copy: String
  ) throws {
    if hashes.isEmpty { return }
    let source = Self.valueFolder(ofStore: path)
    let target = Self.valueFolder(ofStore: copy)
    guard mkdir(target, 0o700) == 0 || errno == EEXIST else { throw Self.failure(target) }
    for hash in hashes {
      let original = "\(source)/\(hash)"
      // One that is gone by now belonged to a run that was forgotten meanwhile.
      guard access(original, F_OK) == 0 else { continue }
      let place = "\(target)/\(hash)"
      if link(original, place) == 0 || errno == EEXIST { continue }
      try Self.copyFile(original, to: place)
    }
  }

  /// Copies a file where it can't be linked, as to another disk.
  private static func copyFile(_ source: String, to target: String) throws {
    let input = open(source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw failure(source) }
    defer { close(input) }
    let output = open(target, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw failure(target) }
    defer { close(output) }
    do {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(input, &buffer, buffer.count)
        if count == 0 { break }
        // A part that is not written is an error of the disk: files take all or fail.
        guard count > 0, Glibc.write(output, buffer, count) == count else { throw failure(target) }
      }
      guard fsync(output) == 0 else { throw failure(target) }
    } catch {
      unlink(target)
      throw error
    }
  }

  private static func failure(_ path: String) -> StoreError {
    let number = errno
    return StoreError(
      number == ENOSPC || number == EDQUOT ? .full : .io,
      "a value of a run can't be copied to \(path): \(String(cString: strerror(number)))")
  }
}
