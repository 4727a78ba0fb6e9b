import Items

/// Index updates that an import defers to the end of a transaction: all indexes of new rows, and
/// the text index of changed ones.
final class ImportBatch {
  /// A new or changed row.
  struct Row {
    let id: Int64
    /// The indexed texts; nil for a new row, which is not indexed yet.
    let old: [SQLValue]?
    /// The row's current state.
    var record: Record
    /// The texts to be indexed, if known.
    var texts: [SQLValue]?
  }

  /// The rows of each table, by id; there are few tables.
  private(set) var tables: [(table: EntityTable, rows: [Int64: Row])] = []

  private func index(of table: EntityTable) -> Int? { tables.firstIndex { $0.table === table } }

  /// Adds a new row, or one about to change.
  func note(_ row: Row, in table: EntityTable) {
    if let index = index(of: table) {
      tables[index].rows[row.id] = row
    } else {
      tables.append((table, [row.id: row]))
    }
  }

  /// The entry of a row; nil when there is none.
  func row(_ id: Int64, in table: EntityTable) -> Row? {
    index(of: table).flatMap { tables[$0].rows[id] }
  }

  /// Whether a row is new, and so not indexed yet.
  func isNew(_ id: Int64, in table: EntityTable) -> Bool {
    row(id, in: table).map { $0.old == nil } ?? false
  }

  /// Updates the entry of a changed row.
  func noteChanged(_ record: Record, id: Int64, in table: EntityTable) {
    guard let index = index(of: table) else { return }
    tables[index].rows[id]?.record = record
    tables[index].rows[id]?.texts = nil
  }
}
