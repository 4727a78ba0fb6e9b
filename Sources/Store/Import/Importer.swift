import CEL
package import Items

/// Takes in many drafts, a batch in one transaction each, and merges those that are known.
///
/// Running an import again adds nothing twice: a draft is found again by its identity, by its
/// global id, or, having neither, by its contents.
///
/// A full batch is written on another thread while the next is collected. So between the calls of
/// an importer its store is used only after `settle`.
package final class Importer {
  /// What became of the drafts so far.
  package struct Counts: Hashable, Sendable {
    /// Items that are new.
    package var created = 0
    /// Drafts that were joined with a stored item.
    package var merged = 0
    /// Drafts that were refused.
    package var bad = 0

    package init(created: Int = 0, merged: Int = 0, bad: Int = 0) {
      self.created = created
      self.merged = merged
      self.bad = bad
    }
  }

  /// How many drafts go into one transaction.
  package static let batchSize = 10_000
  /// How many bytes of text, about, go into one transaction.
  static let batchBytes = 32 << 20

  private let database: Database
  private let report: (Int, StoreError) -> Void
  private let writer: BatchWriter
  private var batch: [BatchWriter.Entry] = []
  /// The tables for which drafts are checked; the store's own are the writer's while it writes.
  private var tables: [String: EntityTable] = [:]
  /// The batch that another thread writes.
  private var writing: BackgroundWork<BatchWriter.Outcome>?
  private var batchBytes = 0
  private var batchRefersToItems = false
  /// What became of the drafts whose batch was written; these are safe on the disk.
  package private(set) var counts = Counts()

  /// Makes an importer.
  ///
  /// - Parameter report: Is told the line and the reason of each draft that is refused.
  package init(into store: EntityStore, report: @escaping (Int, StoreError) -> Void) {
    database = store.database
    self.report = report
    writer = BatchWriter(database)
    database.connection.useLargeCache(true)
    _ = database.codec
  }

  deinit {
    // Whoever wants to hear of it has called `settle` or `finish`.
    _ = try? writing?.value()
    database.connection.useLargeCache(false)
  }

  /// Takes in a draft; it is written with its batch.
  ///
  /// - Throws: What concerns the store as a whole; a bad draft is reported and counted.
  package func add(_ draft: Draft, line: Int) throws {
    // To make a table ready is work on the store.
    if tables[draft.entity] == nil { try settle() }
    do {
      let table = try tables[draft.entity] ?? database.table(draft.entity)
      tables[draft.entity] = table
      // Found out here, so that the other thread finds it.
      _ = try database.items.defaults(of: table)
      var prepared = try database.items.prepare(draft, in: table)
      var policy = ConflictPolicy.merge
      if prepared.identity == nil, prepared.uid == nil {
        prepared.uid = ContentHash.uid(of: prepared, in: table, codec: database.codec)
        // What a person changed since the last run is not to be undone by the next.
        policy = .keep
      }
      // That a value is missing counts only where the item is new, which the writer knows.
      prepared.row = try? database.items.newRow(prepared, in: table)
      if table.refersToItems { batchRefersToItems = true }
      batchBytes += prepared.approximateBytes
      batch.append(
        BatchWriter.Entry(
          table: table, draft: prepared, policy: policy, line: line,
          order: prepared.createdAt?.microseconds ?? Int64.max))
    } catch let error as StoreError where error.isAboutTheDraft {
      counts.bad += 1
      report(line, error)
      return
    }
    if batch.count >= Self.batchSize || batchBytes >= Self.batchBytes { try startWriting() }
  }

  /// Writes what is left and tells what became of all drafts.
  package func finish() throws -> Counts {
    try settle()
    account(for: try writer.write(BatchWriter.ordered(takeBatch())))
    return counts
  }

  /// Waits until nothing is being written, so that the store may be used.
  ///
  /// - Throws: What ended the writing; `counts` are those of the batches that were written.
  package func settle() throws {
    guard let writing else { return }
    self.writing = nil
    account(for: try writing.value())
  }

  /// Runs `body` in one transaction; the change log counts what it does to the import, so that all
  /// of it is taken back at once.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try settle()
    let before = counts
    do {
      return try writer.transaction(body)
    } catch {
      // What was written in it is taken back.
      (counts.created, counts.merged) = (before.created, before.merged)
      throw error
    }
  }

  // MARK: Batches

  /// Writes the batch on another thread, if there is one and it needs nothing of this one.
  private func startWriting() throws {
    try settle()
    // Where an item refers to another, the definition of that is asked of the host.
    let refersToItems = batchRefersToItems
    let batch = BatchWriter.ordered(takeBatch())
    if !refersToItems, let work = BackgroundWork({ [writer] in try writer.write(batch) }) {
      writing = work
    } else {
      account(for: try writer.write(batch))
    }
  }

  /// The batch, of which nothing is kept.
  private func takeBatch() -> [BatchWriter.Entry] {
    defer {
      batch = []
      batchBytes = 0
      batchRefersToItems = false
    }
    return batch
  }

  private func account(for outcome: BatchWriter.Outcome) {
    counts.created += outcome.counts.created
    counts.merged += outcome.counts.merged
    counts.bad += outcome.refused.count
    for (line, error) in outcome.refused.sorted(by: { $0.line < $1.line }) { report(line, error) }
  }
}

/// Writes the batches of an import, on whatever thread has the store.
final class BatchWriter {
  /// A draft that was checked.
  struct Entry {
    let table: EntityTable
    let draft: ItemStore.PreparedDraft
    let policy: ConflictPolicy
    let line: Int
    /// What it is sorted by: the time of creation, if it has one.
    let order: Int64

    /// What it has in common with the other entries of its item.
    var item: ItemKey { ItemKey(entity: table.name, identity: draft.identity, uid: draft.uid) }
  }

  /// What an item is found again by: its identity, or else its global id.
  struct ItemKey: Hashable {
    let entity: String
    let identity: String?
    let uid: GlobalID?

    init(entity: String, identity: String?, uid: GlobalID?) {
      self.entity = entity
      self.identity = identity
      self.uid = identity == nil ? uid : nil
    }
  }

  /// What became of a batch.
  struct Outcome {
    var counts = Importer.Counts()
    /// The lines of the drafts that were refused, and why.
    var refused: [(line: Int, error: StoreError)] = []
  }

  private let database: Database
  /// What the change log calls all that the import does, once it did something.
  private var group: Int64?

  init(_ database: Database) {
    self.database = database
  }

  /// Runs `body` in one transaction; the change log counts what it does to the import.
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

  /// The entries of a batch, oldest first, so that numbers follow time; those of one item in the
  /// order of their lines, so that it is all the same whether they come in one batch or in several.
  static func ordered(_ batch: [Entry]) -> [Entry] {
    var oldest: [ItemKey: Int64] = [:]
    for entry in batch {
      oldest[entry.item] = min(oldest[entry.item] ?? Int64.max, entry.order)
    }
    let keys = batch.map { (oldest[$0.item] ?? $0.order, $0.line) }
    return batch.indices.sorted { keys[$0] < keys[$1] }.map { batch[$0] }
  }

  /// Writes a batch, which is ordered, in one transaction.
  func write(_ batch: [Entry]) throws -> Outcome {
    var outcome = Outcome()
    guard !batch.isEmpty else { return outcome }
    let items = database.items
    try transaction {
      try items.withImportBatch {
        for entry in batch {
          do {
            // Another process may have changed the definition meanwhile.
            let table = try database.table(entry.table.name)
            let draft = try items.follow(entry.draft, from: entry.table, to: table)
            let item = try items.place(draft, in: table, entry.policy)
            if item.isNew == true {
              outcome.counts.created += 1
            } else {
              outcome.counts.merged += 1
            }
          } catch let error as StoreError where error.isAboutTheDraft {
            // Thrown before anything of this draft was written.
            outcome.refused.append((entry.line, error))
          }
        }
      }
    }
    return outcome
  }
}

extension StoreError {
  /// Whether it refuses a draft and leaves the store as it was.
  var isAboutTheDraft: Bool {
    switch code {
    case .invalidValue, .notFound, .conflict: true
    default: false
    }
  }
}

/// A hash of an item's contents, by which an import finds again what has no other identity.
enum ContentHash {
  /// A UUID of version 8 made of the entity, the given values and the time of creation.
  static func uid(
    of draft: ItemStore.PreparedDraft, in table: EntityTable, codec: PropertyCodec
  ) -> GlobalID {
    var hash = FNV()
    hash.combine(table.name)
    if let created = draft.createdAt { hash.combine(String(created.microseconds)) }
    for (index, property) in table.schema.properties.enumerated() {
      guard let value = draft.given[index] else { continue }
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

    /// Adds a text and a byte that no text has.
    mutating func combine(_ text: String) {
      for byte in text.utf8 { combine(byte) }
      combine(0xFF)
    }

    private mutating func combine(_ byte: UInt8) {
      state = (state ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
    }
  }
}
