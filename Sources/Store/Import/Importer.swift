import CEL

/// Takes in many drafts, a batch in one transaction each, and merges those that are known.
///
/// Running an import again adds nothing twice: a draft is found again by its identity, by its
/// global id, or, having neither, by its contents.
public final class Importer {
  /// What became of the drafts so far.
  public struct Counts: Hashable, Sendable {
    /// Items that are new.
    public var created = 0
    /// Drafts that were joined with a stored item.
    public var merged = 0
    /// Drafts that were refused.
    public var bad = 0

    public init(created: Int = 0, merged: Int = 0, bad: Int = 0) {
      self.created = created
      self.merged = merged
      self.bad = bad
    }
  }

  /// How many drafts go into one transaction.
  public static let batchSize = 10_000
  /// How many bytes of text, about, go into one transaction.
  static let batchBytes = 32 << 20

  private struct Entry {
    let table: EntityTable
    let draft: EntityStore.PreparedDraft
    let policy: ConflictPolicy
    let line: Int
    let order: Int64
  }

  private let store: EntityStore
  private let report: (Int, StoreError) -> Void
  private var batch: [Entry] = []
  private var batchBytes = 0
  /// What the change log calls all that this importer does, once it did something.
  private var group: Int64?
  /// What became of the drafts whose batch was written; these are safe on the disk.
  public private(set) var counts = Counts()

  /// Makes an importer.
  ///
  /// - Parameter report: Is told the line and the reason of each draft that is refused.
  public init(into store: EntityStore, report: @escaping (Int, StoreError) -> Void) {
    self.store = store
    self.report = report
    store.connection.useLargeCache(true)
  }

  deinit { store.connection.useLargeCache(false) }

  /// Takes in a draft; it is written with its batch.
  ///
  /// - Throws: What concerns the store as a whole; a bad draft is reported and counted.
  public func add(_ draft: Draft, line: Int) throws {
    do {
      let table = try store.table(draft.entity)
      var prepared = try store.prepare(draft, in: table)
      var policy = ConflictPolicy.merge
      if prepared.identity == nil, prepared.uid == nil {
        prepared.uid = ContentHash.uid(of: prepared, in: table, codec: store.codec)
        // What a person changed since the last run is not to be undone by the next.
        policy = .keep
      }
      batchBytes += prepared.approximateBytes
      batch.append(
        Entry(
          table: table, draft: prepared, policy: policy, line: line,
          order: prepared.createdAt?.microseconds ?? Int64.max))
    } catch let error as StoreError where Self.isAboutTheDraft(error) {
      counts.bad += 1
      report(line, error)
      return
    }
    if batch.count >= Self.batchSize || batchBytes >= Self.batchBytes { try flush() }
  }

  /// Writes what is left and tells what became of all drafts.
  public func finish() throws -> Counts {
    try flush()
    return counts
  }

  /// Runs `body` in one transaction; the change log counts what it does to the import, so that all
  /// of it is taken back at once.
  public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    let (result, group) = try store.transaction {
      if let group = self.group { store.changeGroup = group }
      return (try body(), store.changeGroup)
    }
    self.group = group
    return result
  }

  /// Writes the batch in one transaction, oldest first, so that numbers follow time.
  private func flush() throws {
    guard !batch.isEmpty else { return }
    batch.sort { ($0.order, $0.line) < ($1.order, $1.line) }
    var result = Counts()
    var refused: [(Int, StoreError)] = []
    try transaction {
      try store.withImportBatch {
        for entry in batch {
          do {
            let item = try store.place(entry.draft, in: entry.table, entry.policy)
            if item.isNew == true { result.created += 1 } else { result.merged += 1 }
          } catch let error as StoreError where Self.isAboutTheDraft(error) {
            // Thrown before anything of this draft was written.
            refused.append((entry.line, error))
          }
        }
      }
    }
    batch.removeAll(keepingCapacity: true)
    batchBytes = 0
    counts.created += result.created
    counts.merged += result.merged
    counts.bad += refused.count
    for (line, error) in refused.sorted(by: { $0.0 < $1.0 }) { report(line, error) }
  }

  private static func isAboutTheDraft(_ error: StoreError) -> Bool {
    switch error.code {
    case .invalidValue, .notFound, .conflict: true
    default: false
    }
  }
}
