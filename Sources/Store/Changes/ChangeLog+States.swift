import CEL
package import Items

/// An item as a change left it, and as it was before.
package struct ItemStates {
  /// Nil when the change deleted it, or too little is known.
  package let after: Item?
  package let before: Item?
}

extension ChangeLog {
  /// An item after and before each entry of the log, from one of them on, by the places of the entries.
  ///
  /// The log keeps what each change replaced, so the item is followed back from what it is now.
  /// - Complexity: O(entries of the log after the first).
  package func states(
    of id: Int64, in entity: String, from sequence: Int64
  ) throws -> [Int64: ItemStates] {
    let table = try database.table(entity)
    var record = try items.record(id: id, in: table)
    var states: [Int64: ItemStates] = [:]
    func item(_ record: Record?) -> Item? { record.map { Item($0, layout: table.layout) } }
    try connection.rows(
      """
      SELECT sequence, kind, before FROM errand_changes WHERE sequence >= \(.int(sequence)) \
      AND entity = \(.text(entity)) AND \(.int(id)) BETWEEN id AND max(id, last) \
      ORDER BY sequence DESC
      """
    ) { row in
      let after = record
      switch Change.Kind(rawValue: row.int(1)) {
      case .create?, .createMany?: record = nil
      case .update?:
        if var earlier = after, !row.isNull(2) {
          for (name, value) in try LoggedColumns.read(row.text(2)) {
            guard let index = table.layout.index(of: name) else { continue }
            let type = table.schema.properties[index].type
            earlier.values[index] = try codec.value(of: type, column: value)
          }
          record = earlier
        }
      case .delete?:
        record = row.isNull(2) ? nil : try self.record(id, LoggedColumns.read(row.text(2)), table)
      case .deleteMany?, .moveFile?, nil: break
      }
      states[row.int(0)] = ItemStates(after: item(after), before: item(record))
      return true
    }
    return states
  }

  private func record(
    _ id: Int64, _ columns: [(name: String, value: Value)], _ table: EntityTable
  ) throws -> Record {
    var values = try items.defaults(of: table)
    for (name, value) in columns {
      guard let index = table.layout.index(of: name) else { continue }
      values[index] = try codec.value(of: table.schema.properties[index].type, column: value)
    }
    return Record(id: id, values: values)
  }
}
