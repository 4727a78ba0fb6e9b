import Items

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
