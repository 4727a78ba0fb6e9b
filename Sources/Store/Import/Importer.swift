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
