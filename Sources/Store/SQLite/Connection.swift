import CEL
import CSQLite
import Glibc

/// A connection to one database: the only owner of its handle, used by one thread at a time.
package final class Connection {
  package let handle: OpaquePointer
  /// The path for messages.
  package let path: String
  /// The lock-wait policy.
  let lockWait: LockWait
  private var cache = StatementCache(capacity: 64)
  private var depth = 0
  private var isClosed = false
  /// An error that could not be thrown where it occurred; thrown at the end of the statement.
  private var fault: StoreError?
  private var isPreparedForWriting = false
  /// Returns the first moment of a day in the user's zone, by which days and moments are sorted.
  var midnight: ((String) -> Timestamp?)?
  /// Whether the functions used by searches are registered.
  var isSearchRegistered = false

  /// SQLite's global configuration, applied once.
  private static let configuration = errand_omit_statistics()

  /// Opens a database; `flags` are SQLite's `SQLITE_OPEN_…`.
  ///
  /// - Parameter isDefensive: Whether ordinary statements may write neither the schema nor the
  ///   tables of FTS5; only a repair may.
  /// - Throws: `io`, `readOnly`, `full` as SQLite reports them.
  package init(
    file: String, flags: Int32, path: String, isDefensive: Bool = true
  ) throws(StoreError) {
    _ = Self.configuration
    var handle: OpaquePointer?
    // One thread at a time needs no locks of SQLite's own.
    let status = sqlite3_open_v2(
      file, &handle, flags | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX, nil)
    guard status == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw StoreError(
        sqlite: status, detail: handle.map { String(cString: sqlite3_errmsg($0)) } ?? "",
        doing: "opening it", path: path)
    }
    self.handle = handle
    self.path = path
    var defensive: Int32 = 0
    let log = sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? ""
    lockWait = LockWait(path: file, line: log.isEmpty ? nil : WriteLine(log: log + "-wal"))
    sqlite3_busy_handler(
      handle,
      { wait, attempt in
        guard let wait else { return 0 }
        return Unmanaged<LockWait>.fromOpaque(wait).takeUnretainedValue().wait(attempt: attempt)
          ? 1 : 0
      }, Unmanaged.passUnretained(lockWait).toOpaque())
    if isDefensive { errand_set_defensive(handle, &defensive) }
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 256 << 20)
    try registerWords()
    try registerMoments()
  }

  deinit { close() }

  /// Closes the database before its owner is released; later statements fail.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    cache.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Whether the database was opened read-only.
  package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Whether the file at the path is no longer the opened one.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return hasMoved != 0
  }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// The number of rows that the last statement changed.
  package var changes: Int { Int(sqlite3_changes(handle)) }

  /// The row id of the last insert.
  var lastInsertedID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Enlarges the page cache for work on many items, or restores the default.
  ///
  /// The indexes of a large store do not fit a small cache, and each miss costs a read and a write.
  /// Errors are ignored: only speed depends on it.
  package func useLargeCache(_ isLarge: Bool) {
    // Negative numbers are kibibytes (SQLite, "PRAGMA cache_size"); 2,000 is the default.
    try? run("PRAGMA cache_size = \(raw: isLarge ? "-32768" : "-2000")")
  }

  /// Ends waits and statements once `isCancelled` returns true; it is polled.
  func end(when isCancelled: @escaping () -> Bool) {
    lockWait.isCancelled = isCancelled
    updateProgressHandler()
  }

  /// Runs `body` with another cancellation check for its waits and statements; it is polled.
  ///
  /// - Throws: `cancelled`, and the errors of `body`.
  package func ending<Result>(
    when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    let previous = lockWait.isCancelled
    end(when: isCancelled)
    defer {
      lockWait.isCancelled = previous
      updateProgressHandler()
    }
    return try body()
  }

  // MARK: Statements

  /// Lends a prepared statement; the same text may be lent twice at a time.
  package func withStatement<Result>(
    _ text: String, _ body: (Statement) throws -> Result
  ) throws -> Result {
    guard !isClosed else { throw StoreError(.bug, "the store “\(path)” is closed") }
    try throwFault()
    let statement = try cache.take(text) ?? prepared(text)
    defer {
      statement.reset()
      cache.put(statement)
    }
    let result = try body(statement)
    try throwFault()
    return result
  }

  private func prepared(_ text: String) throws(StoreError) -> Statement {
    let statement = try Statement(text, on: self)
    cache.add(statement)
    return statement
  }

  /// Records an error that occurred while an expression was evaluated, which cannot throw it.
  func note(_ error: any Error) {
    if fault == nil { fault = error as? StoreError ?? StoreError(.bug, "\(error)") }
  }

  /// Rethrows the first error from lazily loading a referenced item: inside an expression, such an
  /// item is null.
  package func throwFault() throws {
    guard let fault else { return }
    self.fault = nil
    throw fault
  }

  /// Runs a statement to completion.
  package func run(_ sql: SQL) throws {
    try withStatement(sql.text) { statement in
      try statement.bind(sql.bindings)
      while try statement.step() {}
    }
  }

  /// Calls `body` with each row; it returns false to stop.
  package func rows(_ sql: SQL, _ body: (Statement) throws -> Bool) throws {
    try withStatement(sql.text) { statement in
      try statement.bind(sql.bindings)
      while try statement.step(), try body(statement) {}
    }
  }

  /// Calls `body` with each row.
  package func each(_ sql: SQL, _ body: (Statement) throws -> Void) throws {
    try rows(sql) { row in
      try body(row)
      return true
    }
  }

  /// The first column of the first row; nil when there is no row.
  package func first(_ sql: SQL) throws -> SQLValue? { try firstRow(sql) { $0.value(0) } }

  /// The first column of the first row as an integer; nil when there is no row, or NULL.
  package func number(_ sql: SQL) throws -> Int64? {
    if case .int(let number)? = try first(sql) { number } else { nil }
  }

  /// The first column of the first row as text; nil when there is no row, or NULL.
  package func text(_ sql: SQL) throws -> String? {
    if case .text(let text)? = try first(sql) { text } else { nil }
  }

  /// Whether there is a row.
  package func exists(_ sql: SQL) throws -> Bool { try first(sql) != nil }

  /// The first row, transformed by `body`; nil when there is none.
  func firstRow<Value>(_ sql: SQL, _ body: (Statement) throws -> Value) throws -> Value? {
    var value: Value?
    try rows(sql) { row in
      value = try body(row)
      return false
    }
    return value
  }

  /// All rows, transformed by `body`.
  package func map<Value>(_ sql: SQL, _ body: (Statement) throws -> Value) throws -> [Value] {
    var values: [Value] = []
    try each(sql) { values.append(try body($0)) }
    return values
  }

  /// The first column of each row, as integers.
  package func numbers(_ sql: SQL) throws -> [Int64] { try map(sql) { $0.int(0) } }

  /// The first column of each row, as text.
  package func texts(_ sql: SQL) throws -> [String] { try map(sql) { $0.text(0) } }

  /// The second column of each row, keyed by the first.
  func pairs(_ sql: SQL) throws -> [String: String] {
    try Dictionary(map(sql) { ($0.text(0), $0.text(1)) }, uniquingKeysWith: { $1 })
  }

  // MARK: Transactions

  /// Runs `body` in a write transaction; a nested one is a savepoint.
  ///
  /// - Parameter waitsForDisk: As in `begin`; ignored for a savepoint.
  package func transaction<Result>(
    waitsForDisk: Bool = true, _ body: () throws -> Result
  ) throws -> Result {
    let isOuter = depth == 0
    if isOuter {
      try begin(waitsForDisk: waitsForDisk)
    } else {
      try run("SAVEPOINT inner_step")
      depth += 1
    }
    defer { depth -= 1 }
    do {
      let result = try body()
      try run(isOuter ? "COMMIT" : "RELEASE inner_step")
      return result
    } catch {
      // A full disk or a damaged file may have ended the transaction already.
      if isInTransaction { rollBack(isOuter) }
      throw error
    }
  }

  /// Begins a write transaction that stays open over many steps, each a savepoint.
  ///
  /// In WAL mode `synchronous = NORMAL` keeps the order of commits and survives a killed process;
  /// only a power cut may lose the latest ones (SQLite, "PRAGMA synchronous").
  /// - Parameter waitsForDisk: Whether the commit is synced; otherwise a later one makes it
  ///   durable.
  func begin(waitsForDisk: Bool = true) throws {
    if waitsForDisk || path.isEmpty {
      try prepareForWriting()
    } else {
      try run("PRAGMA synchronous = NORMAL")
      isPreparedForWriting = false
    }
    try lockWait.inLine { try run("BEGIN IMMEDIATE") }
    depth = 1
  }

  /// Ends the transaction started by `begin`, rolling back if the commit fails.
  func end(committing: Bool) throws {
    depth = 0
    // A full disk or a damaged file may have ended it already.
    guard isInTransaction else { return }
    guard committing else { return rollBack(true) }
    do { try run("COMMIT") } catch {
      if isInTransaction { rollBack(true) }
      throw error
    }
  }

  /// Whether the open transaction is outside of any savepoint.
  var isAtFirstLevel: Bool { depth == 1 }

  /// Rolls back the transaction or the innermost savepoint.
  private func rollBack(_ isOuter: Bool) {
    fault = nil
    do {
      try run(isOuter ? "ROLLBACK" : "ROLLBACK TO inner_step")
      if !isOuter { try run("RELEASE inner_step") }
    } catch {
      // The writes of a failed step must not be committed with the rest.
      note(error)
    }
  }

  /// Runs `body` in one read snapshot.
  package func reading<Result>(_ body: () throws -> Result) throws -> Result {
    guard !isInTransaction else { return try body() }
    try run("BEGIN")
    defer {
      // It wrote nothing; if this fails, the next `BEGIN` reports it.
      let fault = self.fault
      self.fault = nil
      try? run("COMMIT")
      self.fault = fault
    }
    return try body()
  }

  /// Makes commits durable (`synchronous = FULL`), once.
  private func prepareForWriting() throws {
    guard !isPreparedForWriting, !path.isEmpty else { return }
    try run("PRAGMA synchronous = FULL")
    guard try first("PRAGMA synchronous") == .int(2) else {
      throw StoreError(.bug, "\(path): SQLite does not accept PRAGMA synchronous = FULL")
    }
    isPreparedForWriting = true
  }

  /// The error for a result code; SQLite's message is read at once.
  package func failure(_ status: Int32, doing action: String) -> StoreError {
    StoreError(
      sqlite: status == SQLITE_ERROR ? sqlite3_extended_errcode(handle) : status,
      detail: String(cString: sqlite3_errmsg(handle)), doing: action, path: path)
  }

  /// The number of virtual-machine steps between heartbeats: some milliseconds.
  private static let heartbeatSteps: Int32 = 100_000

  /// Calls `beat` repeatedly while `body` runs long statements on this connection.
  package func withHeartbeat<Result>(
    _ beat: @escaping () -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    lockWait.beat = beat
    updateProgressHandler()
    defer {
      lockWait.beat = nil
      updateProgressHandler()
    }
    return try body()
  }

  /// Installs or removes the progress handler, which sends heartbeats and interrupts long
  /// statements on cancellation.
  private func updateProgressHandler() {
    let isNeeded = lockWait.isCancelled != nil || lockWait.beat != nil
    sqlite3_progress_handler(
      handle, isNeeded ? Self.heartbeatSteps : 0,
      { wait in
        guard let wait else { return 0 }
        return Unmanaged<LockWait>.fromOpaque(wait).takeUnretainedValue().beatsOn() ? 0 : 1
      }, Unmanaged.passUnretained(lockWait).toOpaque())
  }
}
