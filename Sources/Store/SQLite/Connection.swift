import CSQLite
import Glibc

/// A connection to one database: the only owner of its handle, used by one thread at a time.
package final class Connection {
  package let handle: OpaquePointer
  /// The path for messages.
  package let path: String
  /// How it waits for the locks of others.
  let lockWait: LockWait
  private var cache = StatementCache(capacity: 64)
  private var depth = 0
  private var isClosed = false
  /// What went wrong where it could not be thrown; the work that met it throws it at its end.
  private var fault: StoreError?
  private var isPreparedForWriting = false
  /// Whether what searches call is known.
  var isSearchRegistered = false

  /// What the library as a whole is told, once.
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
  }

  deinit { close() }

  /// Closes the database before its owner goes; statements fail from then on.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    cache.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Whether the database was opened without the right to write it.
  package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Whether the file is not, or not any more, what stands at its path.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return hasMoved != 0
  }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// The number of rows that the last statement changed.
  package var changes: Int { Int(sqlite3_changes(handle)) }

  /// The id of the row that was inserted last.
  var lastInsertedID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Keeps more of the database in memory for work on many items, or as much as usual again.
  ///
  /// The indexes of a large store fit no small cache, and each miss would be a read and a write.
  /// It is a matter of speed alone, so that the work goes on where this fails.
  package func useLargeCache(_ isLarge: Bool) {
    // Negative numbers are kibibytes (SQLite, "PRAGMA cache_size"); 2,000 is the default.
    try? run("PRAGMA cache_size = \(raw: isLarge ? "-32768" : "-2000")")
  }

  /// Ends waits and statements when `isCancelled` says so; it is asked again and again.
  func end(when isCancelled: @escaping () -> Bool) {
    lockWait.isCancelled = isCancelled
    watchForTheEnd()
  }

  /// Runs `body`, whose waits and statements end when `isCancelled` says so, whatever else would end
  /// them; it is asked again and again.
  ///
  /// - Throws: `cancelled`, and what the body throws.
  package func ending<Result>(
    when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    let usual = lockWait.isCancelled
    end(when: isCancelled)
    defer {
      lockWait.isCancelled = usual
      watchForTheEnd()
    }
    return try body()
  }

  // MARK: Statements

  /// Lends a prepared statement; the same text may be lent twice at once.
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

  /// Keeps what went wrong while an expression was evaluated, which knows no faults of the store.
  func note(_ error: any Error) {
    if fault == nil { fault = error as? StoreError ?? StoreError(.bug, "\(error)") }
  }

  /// Throws what went wrong when an item that another one refers to was read, and nobody heard of: in
  /// the middle of an expression such an item appears as null.
  package func throwFault() throws {
    guard let fault else { return }
    self.fault = nil
    throw fault
  }

  /// Runs a statement with its bindings to the end.
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
      while try statement.step() {
        guard try body(statement) else { return }
      }
    }
  }

  /// The first column of the first row, or nil when there is no row.
  package func first(_ sql: SQL) throws -> SQLValue? {
    var result: SQLValue?
    try rows(sql) { row in
      result = row.value(0)
      return false
    }
    return result
  }

  /// The first column of the first row as a whole number; nil when there is no row or none in it.
  package func number(_ sql: SQL) throws -> Int64? {
    if case .int(let number)? = try first(sql) { number } else { nil }
  }

  /// The first column of the first row as text; nil when there is no row or none in it.
  package func text(_ sql: SQL) throws -> String? {
    if case .text(let text)? = try first(sql) { text } else { nil }
  }

  /// Whether there is a row.
  package func exists(_ sql: SQL) throws -> Bool { try first(sql) != nil }

  /// What `body` makes of the first row; nil when there is none.
  func firstRow<Value>(_ sql: SQL, _ body: (Statement) throws -> Value) throws -> Value? {
    var value: Value?
    try rows(sql) { row in
      value = try body(row)
      return false
    }
    return value
  }

  /// What `body` makes of each row.
  package func map<Value>(_ sql: SQL, _ body: (Statement) throws -> Value) throws -> [Value] {
    var values: [Value] = []
    try rows(sql) { row in
      values.append(try body(row))
      return true
    }
    return values
  }

  /// The first column of each row, of whole numbers.
  package func numbers(_ sql: SQL) throws -> [Int64] { try map(sql) { $0.int(0) } }

  /// The first column of each row, of texts.
  package func texts(_ sql: SQL) throws -> [String] { try map(sql) { $0.text(0) } }

  // MARK: Transactions

  /// Runs `body` in a write transaction; one inside another is a savepoint of it.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try transaction(preparing: true, body)
  }

  private func transaction<Result>(
    preparing: Bool, _ body: () throws -> Result
  ) throws -> Result {
    let isOuter = depth == 0
    if isOuter, preparing { try prepareForWriting() }
    if isOuter {
      try lockWait.inLine { try run("BEGIN IMMEDIATE") }
    } else {
      try run("SAVEPOINT inner_step")
    }
    depth += 1
    defer { depth -= 1 }
    do {
      let result = try body()
      try run(isOuter ? "COMMIT" : "RELEASE inner_step")
      return result
    } catch {
      // A full disk or a damaged file may have ended the transaction already.
      if isInTransaction { takeBack(isOuter) }
      throw error
    }
  }

  /// Begins a write transaction that stays open over many steps, each of which is one inside of it.
  ///
  /// - Parameter waitsForDisk: Whether it is on the disk at its end; else no later than the next one.
  func begin(waitsForDisk: Bool = true) throws {
    if waitsForDisk || path.isEmpty { try prepareForWriting() } else { try relaxWriting() }
    try lockWait.inLine { try run("BEGIN IMMEDIATE") }
    depth = 1
  }

  /// Ends the transaction that `begin` began, and takes it back where that fails.
  func end(committing: Bool) throws {
    depth = 0
    // A full disk or a damaged file may have ended it already.
    guard isInTransaction else { return }
    guard committing else { return takeBack(true) }
    do { try run("COMMIT") } catch {
      if isInTransaction { takeBack(true) }
      throw error
    }
  }

  /// Whether the open transaction is between two of its steps.
  var isAtFirstLevel: Bool { depth == 1 }

  /// Takes back a transaction, or the inner one.
  private func takeBack(_ isOuter: Bool) {
    fault = nil
    do {
      try run(isOuter ? "ROLLBACK" : "ROLLBACK TO inner_step")
      if !isOuter { try run("RELEASE inner_step") }
    } catch {
      // What belongs to a step that failed must not be committed with the rest.
      note(error)
    }
  }

  /// Runs `body` on one moment of the database, which also saves each statement from finding it.
  package func reading<Result>(_ body: () throws -> Result) throws -> Result {
    guard !isInTransaction else { return try body() }
    try run("BEGIN")
    defer {
      // It wrote nothing; one that stays open is told of when the next begins.
      let fault = self.fault
      self.fault = nil
      try? run("COMMIT")
      self.fault = fault
    }
    return try body()
  }

  /// Runs `body` in a write transaction that is on the disk no later than the next usual one.
  ///
  /// In WAL mode `synchronous = NORMAL` keeps the order of commits and loses none of them when a
  /// process is killed; only a power cut may take the latest (SQLite, "PRAGMA synchronous").
  func withoutWaitingForDisk<Result>(_ body: () throws -> Result) throws -> Result {
    // The level can't change inside a transaction, which is then one that waits.
    guard depth == 0, !path.isEmpty else { return try transaction(body) }
    try relaxWriting()
    return try transaction(preparing: false, body)
  }

  /// Lets the next transaction not wait for the disk; those after it are prepared anew, and wait.
  private func relaxWriting() throws {
    try run("PRAGMA synchronous = NORMAL")
    isPreparedForWriting = false
  }

  /// Makes sure, once, that what is committed survives a power cut.
  private func prepareForWriting() throws {
    guard !isPreparedForWriting, !path.isEmpty else { return }
    try run("PRAGMA synchronous = FULL")
    let level = try first("PRAGMA synchronous")
    guard level == .int(2) else {
      throw StoreError(.bug, "\(path): SQLite does not write to the disk when asked to")
    }
    isPreparedForWriting = true
  }

  /// The error for a result code, with SQLite's own words read at once.
  package func failure(_ status: Int32, doing action: String) -> StoreError {
    StoreError(
      sqlite: status == SQLITE_ERROR ? sqlite3_extended_errcode(handle) : status,
      detail: String(cString: sqlite3_errmsg(handle)), doing: action, path: path)
  }

  /// After how many steps of SQLite's machine the heart beats, which is some milliseconds.
  private static let heartbeatSteps: Int32 = 100_000

  /// Calls `beat` again and again while `body` runs long statements on this connection.
  package func withHeartbeat<Result>(
    _ beat: @escaping () -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    let isCancelled = lockWait.isCancelled
    let heart = Heart {
      beat()
      return isCancelled?() != true
    }
    sqlite3_progress_handler(
      handle, Self.heartbeatSteps,
      { heart in
        guard let heart else { return 0 }
        return Unmanaged<Heart>.fromOpaque(heart).takeUnretainedValue().beatsOn() ? 0 : 1
      }, Unmanaged.passUnretained(heart).toOpaque())
    defer { watchForTheEnd() }
    return try withExtendedLifetime(heart) { try body() }
  }

  /// Ends long statements from now on when the work is cancelled, if that can be.
  func watchForTheEnd() {
    guard lockWait.isCancelled != nil else {
      sqlite3_progress_handler(handle, 0, nil, nil)
      return
    }
    sqlite3_progress_handler(
      handle, Self.heartbeatSteps,
      { wait in
        guard let wait else { return 0 }
        return Unmanaged<LockWait>.fromOpaque(wait).takeUnretainedValue().isCancelled?() == true
          ? 1 : 0
      }, Unmanaged.passUnretained(lockWait).toOpaque())
  }

  /// Holds a closure for C.
  private final class Heart {
    let beatsOn: () -> Bool

    init(_ beatsOn: @escaping () -> Bool) {
      self.beatsOn = beatsOn
    }
  }
}
