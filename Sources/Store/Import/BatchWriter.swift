/// Writes the batches of an import, on whatever thread has the store.
final class BatchWriter {
  /// A draft that was checked.
  struct Entry {
    let table: EntityTable
    let draft: EntityStore.PreparedDraft
    let policy: ConflictPolicy
    let line: Int
    /// What it is sorted by: the time of creation, if it has one.
    let order: Int64
  }

  /// What became of a batch.
  struct Outcome {
    var counts = Importer.Counts()
    /// The lines of the drafts that were refused, and why.
    var refused: [(line: Int, error: StoreError)] = []
  }

  private let store: EntityStore
  /// What the change log calls all that the import does, once it did something.
  private var group: Int64?

  init(_ store: EntityStore) {
    self.store = store
  }

  /// Runs `body` in one transaction; the change log counts what it does to the import.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    let (result, group) = try store.transaction {
      if let group = self.group { store.changeGroup = group }
      return (try body(), store.changeGroup)
    }
    self.group = group
    return result
  }

  /// Writes a batch in one transaction, oldest first, so that numbers follow time.
  func write(_ batch: [Entry]) throws -> Outcome {
    var outcome = Outcome()
    guard !batch.isEmpty else { return outcome }
    try transaction {
      try store.withImportBatch {
        for entry in batch.sorted(by: { ($0.order, $0.line) < ($1.order, $1.line) }) {
          do {
            let item = try store.place(entry.draft, in: entry.table, entry.policy)
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
