import CEL
import CSQLite
package import Items
import POSIX

/// The database of a store: its connection, metadata, prepared tables and current write session;
/// used by one thread at a time.
///
/// The `Store` target owns the SQLite file: items with their indexes and searches, the change log,
/// recorded runs, the job queue and receipts, each a module of the database
/// (`Database+Modules.swift`). Each entity has a typed table, created from its schema and migrated
/// with it.
package final class Database {
  package let connection: Connection
  package let context: StoreContext
  /// The location of the store.
  package let location: StoreLocation
  /// The store's metadata, as last read.
  var metadata: [String: String]
  /// The tables of defined entities that are ready for use, by name.
  package internal(set) var tables: [String: EntityTable] = [:]
  /// The tables of entities without a definition, used while undoing a change of their items.
  var recordedTables: [String: EntityTable] = [:]
  /// The database version at which the schemas were last compared with the file.
  var checkedVersion: SQLValue?
  /// The write session: that of the current run, else one without a run.
  package internal(set) var session = WriteSession()
  /// Dequeues the next job as one completes; nil when no worker chains jobs.
  var succession: JobSuccession?
  /// Whether the change log is known to have the columns of later releases.
  var isLogExtended = false
  /// The metadata keys read since the database was opened.
  private var notedKeys: Set<String> = []
  /// State that modules attach to the database.
  var attachments = Attachments()
  /// Random bytes for new ids.
  private var randomPool = RandomPool()
  /// The liveness locks of runs; nil in memory, where there is only one process.
  private(set) lazy var runLocks = path.map { LivenessLocks(ofStore: Self.resolved($0)) }
  /// The liveness locks of workers; nil in memory, where there is only one process.
  private(set) lazy var seats = path.map { WorkerLocks(ofStore: Self.resolved($0)) }

  /// Opens a store, creating it when missing.
  ///
  /// - Throws: `readOnly`, `full`, `corrupt`, `notAStore`, `newerFormat`, `busy`, `io`.
  package init(at location: StoreLocation, context: StoreContext) throws {
    self.location = location
    self.context = context
    (connection, metadata) = try StoreOpener(location).open()
    connection.lockWait.tell = context.events.isWaiting
    connection.midnight = context.world.midnight
    if context.readsOnly { try connection.run("PRAGMA query_only = 1") }
    if let isCancelled = context.events.isCancelled { connection.end(when: isCancelled) }
  }

  /// Closes the store for good, for a process that is about to exit.
  package func shutDown() { connection.close() }

  /// The path of the file; nil for a store in memory.
  var path: String? { if case .file(let path) = location { path } else { nil } }

  /// Watches for changes made by other processes; nil where that is impossible, as in memory.
  package func watch() -> StoreWatch? { path.flatMap(StoreWatch.init) }

  /// Whether the store cannot be written.
  package var isReadOnly: Bool { context.readsOnly || connection.isReadOnly }

  /// A new global id.
  package func makeUID() -> GlobalID {
    GlobalID(
      milliseconds: context.world.now().microseconds / 1000,
      random: randomPool.take(from: context.world.randomBytes))
  }

  // MARK: Metadata

  /// The metadata value of a key; nil when there is none.
  package func metadata(_ key: String) throws -> String? {
    try connection.text("SELECT value FROM errand_meta WHERE key = \(.text(key))")
  }

  /// Sets the metadata value of a key; nil deletes it.
  package func setMetadata(_ key: String, to value: String?) throws {
    if let value {
      try connection.run(
        """
        INSERT INTO errand_meta (key, value) VALUES (\(.text(key)), \(.text(value))) \
        ON CONFLICT (key) DO UPDATE SET value = excluded.value
        """)
    } else {
      try connection.run("DELETE FROM errand_meta WHERE key = \(.text(key))")
    }
    metadata[key] = value
  }

  /// The id of the key that last signed links; nil when none were ever signed.
  package func signingKeyID() throws -> String? { try metadata("signing-key") }

  /// Records the id of the key that signs links.
  package func setSigningKeyID(_ id: String) throws { try setMetadata("signing-key", to: id) }

  /// The entities stored in the file.
  package func storedLayouts() throws -> [StoredLayout] { try connection.storedLayouts() }

  /// The entities that have items in the file, whether defined or not.
  package func entitiesWithItems() throws -> [String] {
    try storedLayouts().map(\.name).filter {
      try connection.exists("SELECT 1 FROM \(name: $0) LIMIT 1")
    }
  }

  /// The storage kind of each column that an entity ever had, by name.
  func recordedColumns(of entity: String) throws -> [String: String] {
    let columns = StoredLayout.columns(try metadata("columns:" + entity) ?? "")
    return Dictionary(columns.map { ($0.name, $0.form) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Decoding

  /// The codec with this store's dates and references.
  package private(set) lazy var codec = PropertyCodec(
    dateText: context.world.dateText, midnight: context.world.midnight,
    item: { [unowned self] entity, id in reference(to: entity, id: id) })

  /// A reference to an item of another entity; the item is loaded on first use.
  private func reference(to entity: String, id: Int64) -> Value {
    let table: EntityTable
    do { table = try self.table(entity) } catch {
      // An entity that is no longer declared, or not as stored, has no items to show.
      if (error as? StoreError)?.isFault != false { connection.note(error) }
      return .null
    }
    let loader = Loader(database: self, table: table)
    return .object(Item(DeferredRecord(id: id, load: loader.load), layout: table.layout))
  }
}

/// Loads a referenced item on first use, as long as its store is open.
///
/// Items are Sendable values of expressions, while a store belongs to one thread: a caller that
/// follows a reference on another thread must serialize the two, as for any use of a store.
private struct Loader: @unchecked Sendable {
  weak var database: Database?
  let table: EntityTable

  func load(_ id: Int64) -> Record? {
    guard let database else { return nil }
    do { return try database.items.record(id: id, in: table) } catch {
      database.connection.note(error)
      return nil
    }
  }
}

/// A pool of unused random bytes: one system call for each id would dominate its cost.
private struct RandomPool {
  /// The number of bytes requested at once.
  private static let size = 320

  private var bytes: ArraySlice<UInt8> = []

  /// Returns ten bytes: enough for one id.
  mutating func take(from source: (Int) -> [UInt8]) -> ArraySlice<UInt8> {
    if bytes.count < 10 { bytes = source(Self.size)[...] }
    defer { bytes = bytes.dropFirst(10) }
    return bytes.prefix(10)
  }
}

extension Database {
  /// The group-commit window: a run's transaction is committed after this time.
  package static let runPatience = Duration.milliseconds(50)

  // MARK: Sessions

  /// Starts grouping the writes of a run in a session: one change for `undo`, and transactions that
  /// stay open.
  ///
  /// The first write opens a transaction, in which each later write is a step that fails on its
  /// own. `commit` ends it; the next write opens another. All entities that the run may use should
  /// be prepared first.
  /// - Parameters:
  ///   - run: The run's name in the change log.
  ///   - isResumed: Whether writes of an earlier process in this run are part of the change.
  ///   - waitsForDisk: Whether commits are synced to disk; otherwise those since the last sync may
  ///     be lost in a power cut (not in a crash).
  /// - Throws: The errors of committing the previous session.
  package func begin(
    _ session: WriteSession, _ run: String, isResumed: Bool = false, waitsForDisk: Bool = true
  ) throws {
    try endSession()
    let group =
      try isResumed && changes.hasRuns()
      ? connection.number(
        "SELECT min(batch) FROM errand_changes WHERE run = \(.text(run)) AND NOT undone") : nil
    session.begin(run, waitsForDisk: waitsForDisk, group: group)
    enter(session)
  }

  /// Commits the session's writes, and ends it if it belongs to a run.
  ///
  /// - Throws: `full`, `io`; the writes since the last commit are lost then.
  package func endSession() throws {
    defer { if session.run != nil { enter(WriteSession()) } }
    try commit()
  }

  /// Rolls back to the last commit and ends the session, like a crash of the process.
  package func abandonSession() throws {
    defer { if session.run != nil { enter(WriteSession()) } }
    if session.isOpen { try rollBack() }
  }

  private func enter(_ next: WriteSession) {
    next.follow(session)
    session = next
  }

  /// Commits the session's writes together with the pending records of its run; does nothing inside
  /// `atomic`.
  ///
  /// - Throws: `full`, `io`; the writes since the last commit are lost then.
  package func commit() throws {
    guard session.isOpen, connection.isAtFirstLevel else { return }
    do {
      if let record = session.record { try runs.write(record) }
      try connection.end(committing: true)
      session.close(committed: true)
    } catch {
      // Earlier steps already reported success for these writes; the run must stop.
      let hadWritten = session.hasWritten
      session.close(committed: false)
      throw hadWritten ? Self.markingLostWrites(error) : error
    }
  }

  /// Commits the session's writes once its transaction has been open long enough.
  ///
  /// - Parameter time: The maximum time for which other writers may wait.
  package func commitIfDue(after time: Duration = runPatience) throws {
    if session.isOpen(for: time) { try commit() }
  }

  // MARK: Transactions

  /// Whether a transaction is open.
  package var isInTransaction: Bool { connection.isInTransaction }

  /// Runs `body` in an all-or-nothing transaction that takes the write lock before its first read.
  ///
  /// Earlier writes of the session are committed first; in the log all are part of the run.
  package func atomic<Result>(_ body: () throws -> Result) throws -> Result {
    try commit()
    return try apart { try transaction(body) }
  }

  /// Runs `body` outside the session's grouped transaction: each of its writes is a transaction of
  /// its own.
  func apart<Result>(_ body: () throws -> Result) rethrows -> Result {
    let isGrouping = session.isGrouping
    session.isGrouping = false
    defer { session.isGrouping = isGrouping }
    return try body()
  }

  /// Commits without waiting for fsync; the next synced commit makes it durable.
  package func withoutWaitingForDisk<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.transaction(waitsForDisk: false) {
      try catchUp()
      return try body()
    }
  }

  /// Runs `body` as one all-or-nothing change of the log.
  ///
  /// - Parameter waitsForDisk: Whether the commit is synced; otherwise a later one makes it
  ///   durable.
  package func transaction<Result>(
    waitsForDisk: Bool = true, _ body: () throws -> Result
  ) throws -> Result {
    if connection.isInTransaction { return try step(body) }
    if session.run == nil { session.group = nil }
    guard session.isGrouping else {
      let group = session.group
      do {
        let result = try connection.transaction(waitsForDisk: waitsForDisk) {
          try prepareWriting()
          return try body()
        }
        session.close(committed: true)
        return result
      } catch {
        session.group = group
        forgetNotedMetadata()
        throw error
      }
    }
    try connection.begin(waitsForDisk: session.waitsForDisk)
    session.open()
    do { try prepareWriting() } catch {
      try rollBack()
      throw error
    }
    return try step(body)
  }

  /// Runs one statement as a transaction.
  func write(_ sql: SQL) throws { try transaction { try connection.run(sql) } }

  /// Checks, in a new transaction, that the file is still the opened one and the lease is valid.
  private func prepareWriting() throws {
    try catchUp()
    try runs.expectLease()
  }

  /// Runs `body` as a savepoint, which is rolled back alone when it fails.
  private func step<Result>(_ body: () throws -> Result) throws -> Result {
    let group = session.group
    do {
      let result = try connection.transaction(body)
      if session.isOpen { session.hasWritten = true }
      return result
    } catch {
      session.group = group
      forgetNotedMetadata()
      guard session.isOpen else { throw error }
      let hadWritten = session.hasWritten
      if !connection.isInTransaction {
        // SQLite rolled back everything: a full disk or a damaged file.
        try rollBack()
        throw hadWritten ? Self.markingLostWrites(error) : error
      }
      // Don't make others wait for an empty transaction.
      if connection.isAtFirstLevel, !hadWritten { try rollBack() }
      throw error
    }
  }

  /// Rolls back the session's open transaction.
  private func rollBack() throws {
    session.close(committed: false)
    forgetNotedMetadata()
    try connection.end(committing: false)
  }

  /// Forgets which system tables exist, since the transaction that created them may be rolled back.
  private func forgetNotedMetadata() {
    isLogExtended = false
    for key in notedKeys { metadata[key] = nil }
    notedKeys = []
  }

  /// Caches metadata that the current transaction may have written, until a rollback.
  func note(_ value: String?, for key: String) {
    metadata[key] = value
    notedKeys.insert(key)
  }

  /// The error of a step whose failure also lost earlier writes.
  private static func markingLostWrites(_ error: any Error) -> any Error {
    guard var error = error as? StoreError else { return error }
    error.lostEarlierWrites = true
    return error
  }
}

/// One value of each type, attached by the modules of a database, whose types it does not know.
struct Attachments {
  private var values: [ObjectIdentifier: Any] = [:]

  subscript<Value>(type: Value.Type) -> Value? {
    get { values[ObjectIdentifier(type)] as? Value }
    set { values[ObjectIdentifier(type)] = newValue }
  }
}
