import CEL
package import Items

/// Imports many new items, a batch per transaction, merging those already stored.
///
/// Imports are idempotent: a new item is matched by its identity, its global id, or, having
/// neither, its contents.
///
/// A full batch is written on another thread while the next is collected, so call `settle` before
/// using the store between calls of an importer.
package final class Importer {
  /// The outcome so far.
  package struct Counts: Hashable, Sendable {
    /// New items.
    package var created = 0
    /// New items merged with a stored one.
    package var merged = 0
    /// Rejected items.
    package var bad = 0
    /// Stored items that the merged ones changed.
    package var changed = 0
    /// The number of stored items to which a property was added, by its name.
    package var added: [String: Int] = [:]
    /// The first line and the number of given values that were not taken, since another is stored, by property.
    package var kept: [String: Kept] = [:]

    /// Given values of a property that were not taken.
    package struct Kept: Hashable, Sendable {
      package var line: Int
      package var count: Int

      package init(line: Int, count: Int) {
        self.line = line
        self.count = count
      }
    }

    package init(created: Int = 0, merged: Int = 0, bad: Int = 0) {
      self.created = created
      self.merged = merged
      self.bad = bad
    }
  }

  /// The number of new items per transaction.
  package static let batchSize = 10_000
  /// The approximate number of text bytes per transaction.
  static let batchBytes = 32 << 20

  private let database: Database
  private let report: (Int, StoreError) -> Void
  private let writer: BatchWriter
  private var batch = Batch()
  /// The tables that new items are checked against; the database's belong to the writer while it
  /// writes.
  private var tables: [String: EntityTable] = [:]
  /// The batch being written on another thread.
  private var writing: BackgroundWork<BatchWriter.Outcome>?
  /// The outcome of the new items that were written; these are durable.
  package private(set) var counts = Counts()

  /// Creates an importer.
  ///
  /// - Parameters:
  ///   - prefersGiven: Whether given values replace stored ones; otherwise they only complete them.
  ///   - report: Called with the line and error of each rejected item.
  package init(
    into database: Database, prefersGiven: Bool = false,
    report: @escaping (Int, StoreError) -> Void
  ) {
    self.database = database
    self.report = report
    writer = BatchWriter(database, prefersGiven: prefersGiven)
    database.connection.useLargeCache(true)
    _ = database.codec
  }

  deinit {
    // Callers interested in errors have called `settle` or `finish`.
    _ = try? writing?.value()
    database.connection.useLargeCache(false)
  }

  /// Adds a new item, to be written with its batch.
  ///
  /// - Throws: Errors of the store as a whole; a bad item is reported and counted.
  package func add(_ newItem: NewItem, line: Int) throws {
    // Preparing a table uses the store.
    if tables[newItem.entity] == nil { try settle() }
    do {
      let table = try tables[newItem.entity] ?? database.table(newItem.entity)
      tables[newItem.entity] = table
      // Computed here, so that the writer thread finds it cached.
      _ = try database.items.defaults(of: table)
      var prepared = try database.items.prepare(newItem, in: table)
      // An item that is found again by its contents may have been changed since.
      let isFoundByContents = prepared.identity == nil && prepared.uid == nil
      if isFoundByContents {
        prepared.uid = ContentHash.uid(of: prepared, in: table, codec: database.codec)
      }
      // A missing value matters only for a new item, which the writer detects.
      prepared.row = try? database.items.newRow(prepared, in: table)
      if table.refersToItems { batch.refersToItems = true }
      batch.bytes += prepared.approximateBytes
      batch.entries.append(
        BatchWriter.Entry(
          table: table, newItem: prepared, isFoundByContents: isFoundByContents, line: line,
          order: prepared.createdAt?.microseconds ?? Int64.max))
    } catch let error as StoreError where error.isAboutTheItem {
      counts.bad += 1
      report(line, error)
      return
    }
    if batch.entries.count >= Self.batchSize || batch.bytes >= Self.batchBytes {
      try startWriting()
    }
  }

  /// Writes the rest and returns the outcome of the whole import.
  package func finish() throws -> Counts {
    try settle()
    account(for: try writer.write(takeBatch().ordered))
    return counts
  }

  /// Waits for the batch being written, so that the store may be used.
  ///
  /// - Throws: The error that stopped the write; `counts` covers the written batches.
  package func settle() throws {
    guard let writing else { return }
    self.writing = nil
    account(for: try writing.value())
  }

  /// Runs `body` in one transaction that is logged as part of the import, so that all is undone at
  /// once.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try settle()
    let before = counts
    do { return try writer.transaction(body) } catch {
      // Its writes were rolled back.
      let bad = counts.bad
      counts = before
      counts.bad = bad
      throw error
    }
  }

  // MARK: Batches

  /// Starts writing the batch, on another thread unless it needs this one.
  private func startWriting() throws {
    try settle()
    let batch = takeBatch()
    let ordered = batch.ordered
    // Entities referred to by items are resolved by the host, on this thread.
    if !batch.refersToItems, let work = BackgroundWork({ [writer] in try writer.write(ordered) }) {
      writing = work
    } else {
      account(for: try writer.write(ordered))
    }
  }

  /// Removes and returns the batch.
  private func takeBatch() -> Batch {
    defer { batch = Batch() }
    return batch
  }

  /// Drafts for one transaction.
  private struct Batch {
    var entries: [BatchWriter.Entry] = []
    var bytes = 0
    var refersToItems = false

    /// The entries by date, so that ids follow time; those of one item in line order, so that the
    /// batch boundaries do not matter.
    var ordered: [BatchWriter.Entry] {
      var oldest: [BatchWriter.ItemKey: Int64] = [:]
      for entry in entries { oldest[entry.item] = min(oldest[entry.item] ?? .max, entry.order) }
      let keys = entries.map { (oldest[$0.item] ?? $0.order, $0.line) }
      return entries.indices.sorted { keys[$0] < keys[$1] }.map { entries[$0] }
    }
  }

  private func account(for outcome: BatchWriter.Outcome) {
    counts.created += outcome.counts.created
    counts.merged += outcome.counts.merged
    counts.changed += outcome.counts.changed
    counts.added.merge(outcome.counts.added, uniquingKeysWith: +)
    counts.kept.merge(outcome.counts.kept) {
      Counts.Kept(line: min($0.line, $1.line), count: $0.count + $1.count)
    }
    counts.bad += outcome.refused.count
    for (line, error) in outcome.refused.sorted(by: { $0.line < $1.line }) { report(line, error) }
  }
}

/// Writes the batches of an import, on the thread that owns the store.
final class BatchWriter {
  /// A validated new item.
  struct Entry {
    let table: EntityTable
    let newItem: ItemStore.PreparedItem
    let isFoundByContents: Bool
    let line: Int
    /// The sort key: the time of creation, if known.
    let order: Int64

    /// The key that the entries of an item share.
    var item: ItemKey {
      ItemKey(
        entity: table.name, identity: newItem.identity,
        uid: newItem.identity == nil ? newItem.uid : nil)
    }
  }

  /// The key of an item: its identity, or else its global id.
  struct ItemKey: Hashable {
    let entity: String
    let identity: String?
    let uid: GlobalID?
  }

  /// The outcome of a batch.
  struct Outcome {
    var counts = Importer.Counts()
    /// The lines of the rejected items, with their errors.
    var refused: [(line: Int, error: StoreError)] = []
  }

  private let database: Database
  private let prefersGiven: Bool
  /// The import's group in the change log; nil before its first write.
  private var group: Int64?

  init(_ database: Database, prefersGiven: Bool) {
    self.database = database
    self.prefersGiven = prefersGiven
  }

  /// Runs `body` in one transaction that is logged as part of the import.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    let before = group
    do {
      let (result, group) = try database.transaction {
        if let group = self.group { database.session.group = group }
        return (try body(), database.session.group)
      }
      self.group = group
      return result
    } catch {
      group = before
      throw error
    }
  }

  /// Writes an ordered batch in one transaction.
  func write(_ batch: [Entry]) throws -> Outcome {
    var outcome = Outcome()
    guard !batch.isEmpty else { return outcome }
    let items = database.items
    try transaction {
      try items.withImportBatch {
        for entry in batch {
          do {
            // Another process may have changed the schema meanwhile.
            let table = try database.table(entry.table.name)
            let newItem = try items.follow(entry.newItem, from: entry.table, to: table)
            let completion =
              try entry.isFoundByContents
              ? ItemStore.Completion(isNew: items.place(newItem, in: table, .keep).isNew == true)
              : items.complete(newItem, in: table, prefersGiven: prefersGiven)
            outcome.counts.add(completion, line: entry.line)
          } catch let error as StoreError where error.isAboutTheItem {
            // Thrown before anything of this item was written.
            outcome.refused.append((entry.line, error))
          }
        }
      }
    }
    return outcome
  }
}

extension StoreError {
  /// Whether the error rejects an item and leaves the store unchanged.
  var isAboutTheItem: Bool { code == .invalidValue || code == .notFound || code == .conflict }
}

/// A content hash that matches re-imported items without an identity.
enum ContentHash {
  /// A version-8 UUID of the entity, the given values and the time of creation.
  static func uid(
    of newItem: ItemStore.PreparedItem, in table: EntityTable, codec: PropertyCodec
  ) -> GlobalID {
    var hash = FNV()
    hash.combine(table.name)
    if let created = newItem.createdAt { hash.combine(String(created.microseconds)) }
    for (index, property) in table.schema.properties.enumerated() {
      guard let value = newItem.given[index] else { continue }
      hash.combine(property.name)
      switch codec.column(value, of: property.type) {
      case .null: hash.combine("null")
      case .int(let int): hash.combine(String(int))
      case .double(let number): hash.combine(String(number))
      case .text(let text): hash.combine(text)
      case .blob: break
      }
    }
    let high = UInt64(truncatingIfNeeded: hash.state >> 64)
    let low = UInt64(truncatingIfNeeded: hash.state)
    return GlobalID(
      high: high & ~0xF000 | 0x8000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// FNV-1a in 128 bits (the FNV draft, draft-eastlake-fnv, §5).
  private struct FNV {
    var state: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

    /// Adds a text and a separator byte that no text contains.
    mutating func combine(_ text: String) {
      for byte in Array(text.utf8) + [0xFF] {
        state = (state ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
      }
    }
  }
}
