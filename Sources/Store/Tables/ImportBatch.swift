import Items

/// What an import puts off to the end of a transaction: all that is written of new rows besides
/// themselves, and the entries in the text index of those that changed.
final class ImportBatch {
  /// What the index holds of a row that was here before, and what it should hold.
  struct Change {
    /// The texts in the index.
    let old: [SQLValue]
    /// The row as it is now.
    var record: Record
  }

  /// A new row, and what the text index should hold of it, where that is known.
  struct New {
    let id: Int64
    var record: Record
    var texts: [SQLValue]?
  }

  /// The rows of one table.
  final class Rows {
    let table: EntityTable
    /// The rows that were here before, by id.
    fileprivate(set) var changed: [Int64: Change] = [:]
    /// The new rows, in the order of their ids, which follow one another.
    fileprivate(set) var new: [New] = []

    fileprivate init(_ table: EntityTable) { self.table = table }

    /// The place of a new row; nil when it is none.
    fileprivate func index(of id: Int64) -> Int? {
      guard let first = new.first, let last = new.last, (first.id...last.id).contains(id) else {
        return nil
      }
      return Int(id - first.id)
    }
  }

  /// The rows of each table; they are few.
  private(set) var tables: [Rows] = []

  private func rows(of table: EntityTable) -> Rows {
    if let rows = tables.first(where: { $0.table === table }) { return rows }
    let rows = Rows(table)
    tables.append(rows)
    return rows
  }

  /// Notes a new row.
  ///
  /// - Parameter texts: What the text index should hold of it, where that is known.
  func noteNew(_ record: Record, id: Int64, _ texts: [SQLValue]?, in table: EntityTable) {
    rows(of: table).new.append(New(id: id, record: record, texts: texts))
  }

  /// Whether a row is new, and so in no index yet.
  func isNew(_ id: Int64, in table: EntityTable) -> Bool { rows(of: table).index(of: id) != nil }

  /// Whether it was noted what the text index holds of a row that was here before.
  func isChanged(_ id: Int64, in table: EntityTable) -> Bool {
    rows(of: table).changed[id] != nil
  }

  /// Notes what the index holds of a row before it changes.
  func noteOld(_ texts: [SQLValue], of record: Record, id: Int64, in table: EntityTable) {
    rows(of: table).changed[id] = Change(old: texts, record: record)
  }

  /// Notes what a row has become.
  func noteChanged(_ record: Record, id: Int64, in table: EntityTable) {
    let rows = rows(of: table)
    if let index = rows.index(of: id) {
      rows.new[index].record = record
      rows.new[index].texts = nil
    } else {
      rows.changed[id]?.record = record
    }
  }
}
