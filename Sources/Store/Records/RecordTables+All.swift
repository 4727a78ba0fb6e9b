extension RecordTables {
  /// All groups of them.
  package static var all: [RecordTables] { [journal, queue, receipts] }

  /// Forgets which of them a store has, as the transaction that made them may be taken back.
  static func forget(in store: EntityStore) {
    store.metadata[journal.key] = nil
    store.metadata[queue.key] = nil
    store.metadata[receipts.key] = nil
  }
}
