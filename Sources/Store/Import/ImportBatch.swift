/// What an import puts off to the end of a transaction: the rows whose entries in the text index
/// are out of date, and the numbers of new items.
struct ImportBatch {
  /// A row, what the index holds of it, and what it should hold.
  struct Change {
    /// The texts in the index; nil when the row is new.
    let old: [SQLValue]?
    /// The row as it is now; nil when it is gone.
    var record: Record?
  }

  private var tables: [String: EntityTable] = [:]
  private var rows: [String: [Int64: Change]] = [:]
  /// The numbers of the new items of each entity, which follow one another.
  private(set) var created: [String: ClosedRange<Int64>] = [:]

  /// Notes that an item is new.
  mutating func noteCreated(_ id: Int64, of entity: String) {
    created[entity] = min(created[entity]?.lowerBound ?? id, id)...id
  }

  /// Notes what the index holds of a row before it changes; the first note of a row counts.
  mutating func note(_ id: Int64, old: [SQLValue]?, in table: EntityTable) {
    if tables[table.name] == nil { tables[table.name] = table }
    guard rows[table.name]?[id] == nil else { return }
    rows[table.name, default: [:]][id] = Change(old: old)
  }

  /// Notes what a row has become.
  mutating func note(_ id: Int64, new record: Record, in table: EntityTable) {
    rows[table.name]?[id]?.record = record
  }

  /// The rows by table, in the order of their ids.
  var changes: [(EntityTable, [(Int64, Change)])] {
    tables.values.map { table in
      (table, (rows[table.name] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
  }
}
