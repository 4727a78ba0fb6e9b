import CEL
import Items

/// The items of all entities in one SQLite database; used by one thread at a time.
///
/// Each entity has a typed table that is made from its definition and follows its changes.
/// Several processes may use one file at once: writers wait for one another.
package final class EntityStore {
  /// The database.
  package let connection: Connection
  package let context: StoreContext
  /// Where the store is kept.
  package let location: StoreLocation
  /// What the store records about itself, as last read.
  var metadata: [String: String]
  /// The entities that are ready for use.
  package var tables = ReadyTables()
  /// What an import puts off to the end of a transaction; nil when all is done at once.
  var importBatch: ImportBatch?
  /// What the entries of the log have in common.
  var log = LogState()
  /// What the run that is going on writes; nil when nothing is grouped.
  var run: RunWrites?
  /// Is called in the transaction of a run before it is committed, to write what belongs with it.
  package var willCommitRun: (() throws -> Void)?
  /// The right of the run that goes on to write; nil for one that needs none.
  package var lease: RunLease?
  /// The locks of runs, once they are wanted.
  var madeRunLocks: RunLocks?
  /// The right to do the job for which the store writes; nil when it does none.
  package internal(set) var jobLease: JobLease?
  /// The seats of workers, once they are wanted.
  var madeSeats: WorkerSeats?
  /// The numbers of the jobs that were put into the queue lately, until somebody has looked at them.
  package var enqueuedJobs: [Int64] = []
  /// Random bytes for new ids.
  var randomPool = RandomPool()
  /// What was found out for the search that is going on; nil outside of one.
  var searchMemory: SearchMemory?
  /// What the words mean that were set off last.
  var markedWords: (words: String, table: EntityTable, plan: SearchPlan)?

  /// Opens a store, making it first when it is not there.
  ///
  /// - Throws: `readOnly`, `full`, `corrupt`, `notAStore`, `newerFormat`, `busy`, `io`.
  package init(at location: StoreLocation, context: StoreContext) throws {
    self.location = location
    self.context = context
    (connection, metadata) = try StoreOpener(location).open()
    connection.lockWait.tell = context.isWaiting
    if let isCancelled = context.isCancelled { connection.end(when: isCancelled) }
  }

  /// Closes the store at once and for good, for a process that is about to end.
  package func shutDown() { connection.close() }

  /// Watches for changes of the store by others; nil where that can't be, as in memory.
  package func watch() -> StoreWatch? {
    guard case .file(let path) = location else { return nil }
    return StoreWatch(path: path)
  }

  /// Runs `body`, whose long statements end when `isCancelled` says so; it is asked again and again.
  ///
  /// - Throws: `cancelled`, and what the body throws.
  package func ending<Result>(
    when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    try connection.ending(when: isCancelled, body)
  }

  /// Throws what went wrong when an item that another one refers to was read, and nobody heard of.
  ///
  /// Such an item is read in the middle of an expression, where it appears as null.
  package func throwFault() throws { try connection.throwFault() }

  /// What makes the changes that follow, for the change log: the name of an intent or a command.
  package var cause: String {
    get { log.cause }
    set { log.cause = newValue }
  }

  /// Whether nothing can be written.
  package var isReadOnly: Bool { connection.isReadOnly }

  // MARK: Metadata

  /// What the store records under a key; nil when nothing.
  package func metadata(_ key: String) throws -> String? {
    guard
      case .text(let value)? = try connection.first(
        "SELECT value FROM errand_meta WHERE key = \(.text(key))")
    else { return nil }
    return value
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

  // MARK: Transactions

  /// Runs `body` with all its changes kept together, or none of them when it throws.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try write(body)
  }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { connection.isInTransaction }

  /// Runs `body` in a transaction that is on the disk no later than the next usual one.
  package func withoutWaitingForDisk<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.withoutWaitingForDisk {
      try catchUp()
      return try body()
    }
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
    let loader = Loader(store: self, table: table)
    return .object(Item(DeferredRecord(id: id, load: loader.load), layout: table.layout))
  }

  /// The item of the current row of a `select`.
  func item(
    _ row: Statement, _ table: EntityTable, searchWords: String? = nil, isNear: Bool = false
  ) throws -> Item {
    let unpack: @Sendable ([UInt8]) -> String = { PackedText.text($0) }
    return Item(
      try record(row, table, isPacked: true), layout: table.layout, searchWords: searchWords,
      isNear: isNear, unpack: table.hasBodies ? unpack : nil)
  }

  /// The record of the current row of a `select`.
  ///
  /// - Parameter isPacked: whether long texts are left as bytes, for whoever unpacks them.
  func record(
    _ row: Statement, _ table: EntityTable, isPacked: Bool = false
  ) throws -> Record {
    let codec = codec
    var values: [Value] = []
    values.reserveCapacity(table.schema.properties.count)
    for (index, property) in table.schema.properties.enumerated() {
      let column = Int32(index + 4)
      if isPacked, property.isBody, row.isBlob(column) {
        values.append(.bytes(row.blob(column)))
      } else {
        values.append(try codec.value(of: property.type, in: row, column: column))
      }
    }
    return Record(
      id: row.int(0), uid: GlobalID(bytes: row.blob(1)),
      createdAt: Timestamp(microseconds: row.int(2)),
      updatedAt: Timestamp(microseconds: row.int(3)), values: values)
  }
}

/// Reads a referenced item when it is first looked at, as long as its store is open.
///
/// Items are Sendable values of expressions, while a store belongs to one thread: whoever lets a
/// reference be followed from another thread must keep the two apart, as for any use of a store.
private struct Loader: @unchecked Sendable {
  weak var store: EntityStore?
  let table: EntityTable

  func load(_ id: Int64) -> Record? {
    guard let store else { return nil }
    do { return try store.record(id: id, in: table) } catch {
      store.connection.note(error)
      return nil
    }
  }
}
