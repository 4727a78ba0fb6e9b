import CEL
package import Items
import JSON

extension ChangeLog {
  /// The logged columns of an item's properties, by position.
  func logged(_ record: Record, _ positions: some Sequence<Int>, in table: EntityTable)
    -> [(String, SQLValue)]
  {
    positions.map { position in
      let property = table.schema.properties[position]
      return (property.name, codec.stored(record.values[position], of: property))
    }
  }

  /// The logged columns of a deleted item: all that are not computed.
  func loggedWhole(_ id: Int64, in table: EntityTable) throws -> [(String, SQLValue)] {
    let names = try wholeColumns(of: table)
    let list = SQL.names(names)
    return try connection.firstRow(
      "SELECT \(list) FROM \(name: table.name) WHERE id = \(.int(id))"
    ) { LoggedColumns.of($0, names, from: 0) } ?? []
  }

  /// The columns of an item that are not computed, without its id.
  func wholeColumns(of table: EntityTable) throws -> [String] {
    try connection.columnNames(of: table.name).filter { $0 != "id" && $0 != "_identity" }
  }

  /// Reverts a change or a deletion of one item.
  ///
  /// - Throws: `conflict`, `corrupt` when the log is unreadable.
  func revert(_ change: Change, _ before: String?) throws {
    let table = try database.table(change.entity)
    switch change.kind {
    case .moveFile: preconditionFailure("files are taken back by themselves")
    case .create, .createMany:
      try items.deleteAll(change.id...max(change.id, change.last), of: table, leaving: [:])
    case .update:
      guard let stored = try items.record(id: change.id, in: table) else { return }
      var changed = stored
      _ = try restore(&changed, of: change, from: LoggedColumns.read(before), in: table)
      try items.change(stored, to: &changed, in: table)
    case .delete:
      try restoreItem(change.id, as: LoggedColumns.read(before), of: change, in: table)
      try log(.create, change.entity, id: change.id)
    case .deleteMany:
      for (id, columns) in try Self.loggedItems(before) {
        try restoreItem(id, as: columns, of: change, in: table)
      }
      try log(.createMany, change.entity, id: change.id, last: change.last)
    }
  }

  /// Inserts a deleted item from its logged columns.
  private func restoreItem(
    _ id: Int64, as columns: [(name: String, value: Value)], of change: Change,
    in table: EntityTable
  ) throws {
    var record = Record(values: try items.defaults(of: table))
    let others = try restore(&record, of: change, from: columns, in: table)
    record.id = id
    record.uid = record.uid ?? database.makeUID()
    if let identity = items.identity(of: record.values, in: table) {
      try items.expectFree(identity, except: id, in: table)
    }
    try insertWhole(record, try self.columns(of: others, of: change), in: table)
  }

  /// The ids and columns of many items in one log entry.
  ///
  /// - Throws: `corrupt`, `conflict` for an entry of an earlier release, which logged nothing.
  static func loggedItems(
    _ text: String?
  ) throws -> [(id: Int64, columns: [(name: String, value: Value)])] {
    // Invalid JSON means damage.
    guard let text, case .list(let items)? = try? JSONParser().parse(text) else {
      throw LoggedColumns.damage
    }
    return try items.map { item in
      guard case .map(let map) = item, case .int(let id)? = map[.string("id")] else {
        throw LoggedColumns.damage
      }
      return (id, LoggedColumns.of(map).filter { $0.name != "id" })
    }
  }

  /// Sets the logged columns on a record, converted to the current schema.
  ///
  /// - Returns: The logged columns that are not properties (any longer).
  /// - Throws: `conflict` when the schema no longer accepts a value, `corrupt`.
  private func restore(
    _ record: inout Record, of change: Change, from columns: [(name: String, value: Value)],
    in table: EntityTable
  ) throws -> [(name: String, value: Value)] {
    var others: [(name: String, value: Value)] = []
    for (name, value) in columns {
      switch (name, value) {
      case ("uid", .string(let text)): record.uid = GlobalID(text: text)
      case ("createdAt", .int(let int)): record.createdAt = Timestamp(microseconds: int)
      case ("updatedAt", .int(let int)): record.updatedAt = Timestamp(microseconds: int)
      default:
        guard let index = table.layout.index(of: name) else {
          others.append((name, value))
          continue
        }
        record.values[index] = try restored(
          value, to: table.schema.properties[index].type, name, of: change)
      }
    }
    for (index, property) in table.schema.properties.enumerated() where !property.isOptional {
      guard case .null = record.values[index] else { continue }
      record.values[index] = try items.defaults(of: table)[index]
      if case .null = record.values[index] {
        throw StoreError(
          .conflict,
          "\(Self.reference(change)) had no “\(property.name)”, which is required now: give it a "
            + "default or make it optional (\(property.type.description)?), then undo again; nothing "
            + "was undone")
      }
    }
    return others
  }

  /// The logged columns to be restored besides the properties.
  private func columns(
    of others: [(name: String, value: Value)], of change: Change
  ) throws -> [(name: String, column: SQLValue)] {
    let recorded = try database.recordedColumns(of: change.entity)
    var columns: [(name: String, column: SQLValue)] = []
    for (name, value) in others {
      if case .int(let int) = value, name == "_frecency" || name == "_used" {
        columns.append((name, .int(int)))
      } else if let type = recorded[name].flatMap(DataType.init(recorded:)) {
        let value = try restored(value, to: type, name, of: change)
        columns.append((name, codec.column(value, of: type)))
      }
    }
    return columns
  }

  private static func reference(_ change: Change) -> ItemReference {
    ItemReference(entity: change.entity, id: change.id)
  }

  /// The value of a logged column in the current type.
  ///
  /// - Throws: `conflict` when it does not fit.
  private func restored(
    _ column: Value, to type: DataType, _ name: String, of change: Change
  ) throws -> Value {
    if case .null = column { return .null }
    if let value = fitting(column, type) { return value }
    // A migration may have turned a value into a list.
    if case .list(let element) = type, let value = fitting(column, element) {
      return .list([value])
    }
    throw StoreError(
      .conflict,
      "the old “\(name)” of \(Self.reference(change)) no longer fits the definition of "
        + "\(change.entity): restore that definition, then undo again; nothing was undone")
  }

  /// The value of a logged column; nil when it does not fit a type.
  private func fitting(_ column: Value, _ type: DataType) -> Value? {
    if type == .double, case .int(let int) = column, Double(exactly: int) == nil { return nil }
    // An error means that it does not fit.
    guard let read = try? codec.value(of: type, column: column),
      let value = try? codec.fit(read, to: type), value != .null,
      !type.holdsURLs || holdsOnlyURLs(value)
    else { return nil }
    return value
  }

  /// Whether all texts of a value are addresses.
  func holdsOnlyURLs(_ value: Value) -> Bool {
    switch value {
    case .string(let text): context.rules.isURL(text)
    case .list(let values): values.allSatisfy(holdsOnlyURLs)
    case .map(let map): map.entries.allSatisfy { holdsOnlyURLs($0.value) }
    default: true
    }
  }

  /// Inserts a record with its id; its identity is omitted if taken.
  private func insertWhole(
    _ record: Record, _ others: [(name: String, column: SQLValue)], in table: EntityTable
  ) throws {
    let identity = items.identity(of: record.values, in: table)
    let isTaken = try connection.exists(
      "SELECT 1 FROM \(name: table.name) WHERE _identity = \(.optional(identity))")
    let columns: [(name: String, column: SQLValue)] =
      [
        ("id", .int(record.id ?? 0)), ("uid", .blob(record.uid?.bytes ?? [])),
        ("createdAt", .int(record.createdAt?.microseconds ?? 0)),
        ("updatedAt", .int(record.updatedAt?.microseconds ?? 0)),
        ("_identity", .optional(isTaken ? nil : identity)),
      ] + logged(record, record.values.indices, in: table) + others
    let list = SQL.names(columns.map(\.name))
    let values = SQL.values(columns.map(\.column))
    try connection.run("INSERT INTO \(name: table.name) (\(list)) VALUES (\(values))")
    try items.index(record, in: table)
  }
}

/// An item before and after a change.
package struct ItemStates {
  /// Nil when the change deleted it, or too little is logged.
  package let after: Item?
  package let before: Item?
}

extension ChangeLog {
  /// The states of an item around each log entry from `sequence` on, by sequence number.
  ///
  /// The log has the replaced values, so the states are derived backwards from the current one.
  /// - Complexity: O(log entries from `sequence` on).
  package func states(
    of id: Int64, in entity: String, from sequence: Int64
  ) throws -> [Int64: ItemStates] {
    let table = try database.table(entity)
    var record = try items.record(id: id, in: table)
    var states: [Int64: ItemStates] = [:]
    func item(_ record: Record?) -> Item? { record.map { Item($0, layout: table.layout) } }
    try connection.each(
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
        if let after, !row.isNull(2) { record = try self.record(after, before: row.text(2), table) }
      case .delete?:
        let new = Record(id: id, values: try items.defaults(of: table))
        record = row.isNull(2) ? nil : try self.record(new, before: row.text(2), table)
      case .deleteMany?, .moveFile?, nil: break
      }
      states[row.int(0)] = ItemStates(after: item(after), before: item(record))
    }
    return states
  }

  /// A record with the properties of a log entry applied.
  private func record(_ after: Record, before: String, _ table: EntityTable) throws -> Record {
    var record = after
    for (name, value) in try LoggedColumns.read(before) {
      guard let index = table.layout.index(of: name) else { continue }
      record.values[index] = try codec.value(of: table.schema.properties[index].type, column: value)
    }
    return record
  }
}
