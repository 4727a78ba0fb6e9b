import CEL
import CSQLite
package import Items

/// The database of a store: its connection, what it records about itself, the tables that are ready
/// and the session that writes; used by one thread at a time.
///
/// Each entity has a typed table that is made from its definition and follows its changes.
package final class Database {
  package let connection: Connection
  package let context: StoreContext
  /// Where the store is kept.
  package let location: StoreLocation
  /// What the store records about itself, as last read.
  var metadata: [String: String]
  /// The entities that are ready for use.
  package var tables = ReadyTables()
  /// What writes: the session of the run that goes on, else one of none.
  package internal(set) var session = WriteSession()
  /// Whether the log of changes is known to have the columns of later releases.
  var isLogExtended = false
  /// What was found out for the search that is going on; nil outside of one.
  var searchMemory: SearchMemory?
  /// What the words mean that were set off last.
  var markedWords: (words: String, table: EntityTable, plan: SearchPlan)?
  /// Random bytes for new ids.
  private var randomPool = RandomPool()
  /// The locks that tell which runs are alive; nil in memory, where there is one process.
  private(set) lazy var runLocks = path.map { RunLocks(ofStore: Self.resolved($0)) }
  /// The seats of processes that do jobs; nil in memory, where there is one process.
  private(set) lazy var seats = path.map { WorkerSeats(ofStore: Self.resolved($0)) }

  /// Opens a store, making it first when it is not there.
  ///
  /// - Throws: `readOnly`, `full`, `corrupt`, `notAStore`, `newerFormat`, `busy`, `io`.
  package init(at location: StoreLocation, context: StoreContext) throws {
    self.location = location
    self.context = context
    (connection, metadata) = try StoreOpener(location).open()
    connection.lockWait.tell = context.isWaiting
    if context.readsOnly { try connection.run("PRAGMA query_only = 1") }
    if let isCancelled = context.isCancelled { connection.end(when: isCancelled) }
  }

  /// Closes the store at once and for good, for a process that is about to end.
  package func shutDown() { connection.close() }

  /// The path of the file; nil in memory.
  var path: String? { if case .file(let path) = location { path } else { nil } }

  /// Watches for changes of the store by others; nil where that can't be, as in memory.
  package func watch() -> StoreWatch? { path.flatMap(StoreWatch.init) }

  /// Whether nothing can be written.
  package var isReadOnly: Bool { context.readsOnly || connection.isReadOnly }

  /// A new global id.
  package func makeUID() -> GlobalID {
    GlobalID(
      milliseconds: context.now().microseconds / 1000,
      random: randomPool.take(from: context.randomBytes))
  }

  // MARK: Metadata

  /// What the store records under a key; nil when nothing.
  package func metadata(_ key: String) throws -> String? {
    return try connection.text(
      "SELECT value FROM errand_meta WHERE key = \(.text(key))")
  }

  /// Records a value under a key, or forgets the key.
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

  /// The id of the key with which links were last signed; nil when nothing was ever signed.
  package func signingKeyID() throws -> String? { try metadata("signing-key") }

  /// Records the id of the key with which links are signed.
  package func setSigningKeyID(_ id: String) throws { try setMetadata("signing-key", to: id) }

  /// The entities that the file has.
  package func storedLayouts() throws -> [StoredLayout] { try connection.storedLayouts() }

  /// The entities of which the file has items, also those that are not defined here.
  package func entitiesWithItems() throws -> [String] {
    try storedLayouts().map(\.name).filter {
      try connection.exists("SELECT 1 FROM \(name: $0) LIMIT 1")
    }
  }

  /// How each column that an entity ever had holds its values, by its name.
  func recordedColumns(of entity: String) throws -> [String: String] {
    let lines = try metadata("columns:" + entity)?.split(separator: "\n") ?? []
    return Dictionary(
      lines.compactMap { line in
        let parts = line.split(separator: " ", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
      }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Decoding

  /// The codec with this store's dates and references.
  package private(set) lazy var codec = PropertyCodec(
    dateText: context.dateText, midnight: context.midnight,
    item: { [unowned self] entity, id in reference(to: entity, id: id) })

  /// An item of another entity that is read when it is first looked at.
  private func reference(to entity: String, id: Int64) -> Value {
    let table: EntityTable
    do { table = try self.table(entity) } catch {
      // An entity that is not declared any more, or not as it is stored, has no items to show.
      if (error as? StoreError)?.isFault != false { connection.note(error) }
      return .null
    }
    let loader = Loader(database: self, table: table)
    return .object(Item(DeferredRecord(id: id, load: loader.load), layout: table.layout))
  }
}

/// Reads a referenced item when it is first looked at, as long as its store is open.
///
/// Items are Sendable values of expressions, while a store belongs to one thread: whoever lets a
/// reference be followed from another thread must keep the two apart, as for any use of a store.
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

/// The tables of entities that are ready for use.
package struct ReadyTables {
  /// Those of entities that are defined, by name.
  private var defined: [String: EntityTable] = [:]
  /// Those of entities that are not defined here and of which a change is being taken back.
  var recorded: [String: EntityTable] = [:]
  /// The version of the database for which the definitions were last compared with the file.
  var checkedVersion: SQLValue?

  /// The table of an entity that is defined; nil when it is not ready.
  package internal(set) subscript(entity: String) -> EntityTable? {
    get { defined[entity] }
    set { defined[entity] = newValue }
  }

  /// All tables of entities that are defined.
  var all: [EntityTable] { Array(defined.values) }
}

/// Random bytes that were not used yet; to ask the system for each id would cost more than the rest.
private struct RandomPool {
  /// How many bytes are asked for at once.
  private static let size = 320

  private var bytes: ArraySlice<UInt8> = []

  /// Ten bytes, which one id needs.
  mutating func take(from source: (Int) -> [UInt8]) -> ArraySlice<UInt8> {
    if bytes.count < 10 { bytes = source(Self.size)[...] }
    defer { bytes = bytes.dropFirst(10) }
    return bytes.prefix(10)
  }
}

extension Database {
  /// For how long the writes of a run wait for one another, in nanoseconds.
  package static let runPatience: Int64 = 50_000_000

  // MARK: Sessions

  /// Begins to group what a run writes in a session: one change for `undo`, and transactions that stay
  /// open.
  ///
  /// The first write opens a transaction, in which each later one is a step of its own that fails
  /// alone. `commit` ends it, after which the next write opens another. All entities that the run may
  /// touch should be prepared before.
  /// - Parameters:
  ///   - run: What the log of changes calls the run.
  ///   - isResumed: Whether what an earlier process wrote in the run is part of the change.
  ///   - waitsForDisk: Whether what it commits is on the disk at once; else a power cut, and nothing
  ///     less, may take what no later commit has put there.
  /// - Throws: What the commit of a session before it throws.
  package func begin(
    _ session: WriteSession, _ run: String, isResumed: Bool = false, waitsForDisk: Bool = true
  ) throws {
    try endSession()
    var group: Int64?
    if isResumed, try changes.hasRuns(),
      let first = try connection.number(
        "SELECT min(batch) FROM errand_changes WHERE run = \(.text(run)) AND NOT undone")
    {
      group = first
    }
    session.begin(run, waitsForDisk: waitsForDisk, group: group)
    enter(session)
  }

  /// Commits what the session wrote, and ends it where it is a run's.
  ///
  /// - Throws: `full`, `io`; what was written since the last commit is lost then.
  package func endSession() throws {
    defer { if session.run != nil { enter(WriteSession()) } }
    try commit()
  }

  /// Takes back what the session wrote since the last commit and ends it, as if the process had died.
  package func abandonSession() throws {
    defer { if session.run != nil { enter(WriteSession()) } }
    if session.isOpen { try takeBack() }
  }

  private func enter(_ next: WriteSession) {
    next.follow(session)
    session = next
  }

  /// Commits what the session wrote since the last commit, with what came up of its run; does nothing
  /// inside of `atomic`.
  ///
  /// - Throws: `full`, `io`; what was written since the last commit is lost then.
  package func commit() throws {
    guard session.isOpen, connection.isAtFirstLevel else { return }
    do {
      if let record = session.record { try runs.write(record) }
      try connection.end(committing: true)
      session.close(committed: true)
    } catch {
      // Steps were told that this was written, so that none of them may go on as if it were.
      let hadWritten = session.hasWritten
      session.close(committed: false)
      throw hadWritten ? Self.losing(error) : error
    }
  }

  /// Commits what the session wrote when its transaction has been open for long enough.
  ///
  /// - Parameter nanoseconds: How long others may have to wait.
  package func commitIfDue(after nanoseconds: Int64 = runPatience) throws {
    if session.isOpen(for: nanoseconds) { try commit() }
  }

  // MARK: Transactions

  /// Whether a transaction is open.
  package var isInTransaction: Bool { connection.isInTransaction }

  /// Runs `body` with the write lock taken before its first read, and keeps all that it writes or
  /// nothing.
  ///
  /// What the session wrote before is committed first; in the log it is part of the run.
  package func atomic<Result>(_ body: () throws -> Result) throws -> Result {
    try commit()
    return try apart { try transaction(body) }
  }

  /// Runs `body`, whose writes are transactions of their own and not part of the one that the session
  /// keeps open.
  func apart<Result>(_ body: () throws -> Result) rethrows -> Result {
    let isGrouping = session.isGrouping
    session.isGrouping = false
    defer { session.isGrouping = isGrouping }
    return try body()
  }

  /// Runs `body` in a transaction that is on the disk no later than the next usual one.
  package func withoutWaitingForDisk<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.withoutWaitingForDisk {
      try catchUp()
      return try body()
    }
  }

  /// Runs `body` with all its changes kept and logged together, or none of them when it throws.
  ///
  /// - Parameter waitsForDisk: Whether it is on the disk at the end; else no later than the next one.
  package func transaction<Result>(
    waitsForDisk: Bool = true, _ body: () throws -> Result
  ) throws -> Result {
    if connection.isInTransaction { return try step(body) }
    if session.run == nil { session.group = nil }
    guard session.isGrouping else {
      let group = session.group
      do {
        let prepared = {
          try self.prepareWriting()
          return try body()
        }
        let result =
          try waitsForDisk
          ? connection.transaction(prepared) : connection.withoutWaitingForDisk(prepared)
        session.close(committed: true)
        return result
      } catch {
        session.group = group
        forgetMade()
        throw error
      }
    }
    try connection.begin(waitsForDisk: session.waitsForDisk)
    session.open()
    do { try prepareWriting() } catch {
      try takeBack()
      throw error
    }
    return try step(body)
  }

  /// Expects, in a new transaction, that the file is the one that was opened and the session may write.
  private func prepareWriting() throws {
    try catchUp()
    try runs.expectLease()
  }

  /// Runs `body` as a part of the open transaction that is taken back alone when it fails.
  private func step<Result>(_ body: () throws -> Result) throws -> Result {
    let group = session.group
    do {
      let result = try connection.transaction(body)
      if session.isOpen { session.hasWritten = true }
      return result
    } catch {
      session.group = group
      forgetMade()
      guard session.isOpen else { throw error }
      let hadWritten = session.hasWritten
      if !connection.isInTransaction {
        // A full disk or a damaged file ended all of it.
        try takeBack()
        throw hadWritten ? Self.losing(error) : error
      }
      // Nobody should wait for a transaction with nothing in it.
      if connection.isAtFirstLevel, !hadWritten { try takeBack() }
      throw error
    }
  }

  /// Takes back the open transaction of the session.
  private func takeBack() throws {
    session.close(committed: false)
    forgetMade()
    try connection.end(committing: false)
  }

  /// Forgets which of the store's own tables are there, as the transaction that made them may be taken
  /// back.
  private func forgetMade() {
    isLogExtended = false
    RecordTables.forget(in: self)
  }

  /// The error of a step that took with it what was written before.
  private static func losing(_ error: any Error) -> any Error {
    guard var error = error as? StoreError else { return error }
    error.lostEarlierWrites = true
    return error
  }
}
