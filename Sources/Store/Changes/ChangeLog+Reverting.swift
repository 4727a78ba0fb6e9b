import CEL
package import Items
import JSON

extension ChangeLog {
  /// What the log keeps of an item's properties, by position.
  func logged(_ record: Record, _ positions: some Sequence<Int>, in table: EntityTable)
    -> [(String, SQLValue)]
  {
    positions.map { position in
      let property = table.schema.properties[position]
      return (property.name, codec.stored(record.values[position], of: property))
    }
  }

  /// What the log keeps of an item that is deleted: all columns but what is made from others.
  func loggedWhole(_ id: Int64, in table: EntityTable) throws -> [(String, SQLValue)] {
    let names = try wholeColumns(of: table)
    let list = SQL.names(names)
    return try connection.firstRow(
      "SELECT \(list) FROM \(name: table.name) WHERE id = \(.int(id))"
    ) { LoggedColumns.of($0, names, from: 0) } ?? []
  }

  /// The columns of an item that are not made from others, but for its number.
  func wholeColumns(of table: EntityTable) throws -> [String] {
    try connection.columnNames(of: table.name).filter { $0 != "id" && $0 != "_identity" }
  }

  /// Takes back a change of one item, or its deletion.
  ///
  /// - Throws: `conflict`, `corrupt` when the log cannot be read.
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
      try bringBack(change.id, as: LoggedColumns.read(before), of: change, in: table)
      try log(.create, change.entity, id: change.id)
    case .deleteMany:
      for (id, columns) in try Self.loggedItems(before) {
        try bringBack(id, as: columns, of: change, in: table)
      }
      try log(.createMany, change.entity, id: change.id, last: change.last)
    }
  }

  /// Inserts an item that was deleted, as the log kept it.
  private func bringBack(
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

  /// The numbers and the columns of many items that the log keeps in one entry.
  ///
  /// - Throws: `corrupt`, `conflict` for an entry of an earlier release, which kept nothing.
  private static func loggedItems(
    _ text: String?
  ) throws -> [(id: Int64, columns: [(name: String, value: Value)])] {
    // That it is no JSON is the answer.
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

  /// Sets what the log kept, as the properties are declared now.
  ///
  /// - Returns: What it kept of columns that are no properties, or not any more.
  /// - Throws: `conflict` when the definition does not allow it any more, `corrupt`.
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
          "\(Self.reference(change)) had no “\(property.name)”, which it needs now: give it a default "
            + "or make it optional (\(property.type.description)?), then undo again; nothing was "
            + "taken back")
      }
    }
    return others
  }

  /// The columns of an item, besides its properties, that are to be as the log kept them.
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

  /// The value of a column that the log kept, as the type is now.
  ///
  /// - Throws: `conflict` when it does not fit.
  private func restored(
    _ column: Value, to type: DataType, _ name: String, of change: Change
  ) throws -> Value {
    if case .null = column { return .null }
    if let value = fitting(column, type) { return value }
    // A migration makes a list of one value, too.
    if case .list(let element) = type, let value = fitting(column, element) {
      return .list([value])
    }
    throw StoreError(
      .conflict,
      "the “\(name)” that \(Self.reference(change)) had does not fit the definition of "
        + "\(change.entity) any more: put that back as it was, then undo again; nothing was taken "
        + "back")
  }

  /// The value of a column that the log kept; nil when it is none of a type.
  private func fitting(_ column: Value, _ type: DataType) -> Value? {
    if type == .double, case .int(let int) = column, Double(exactly: int) == nil { return nil }
    // That it does not fit is the answer.
    guard let read = try? codec.value(of: type, column: column),
      let value = try? codec.fit(read, to: type), value != .null,
      !type.holdsURLs || holdsOnlyURLs(value)
    else { return nil }
    return value
  }

  private func holdsOnlyURLs(_ value: Value) -> Bool {
    switch value {
    case .string(let text): context.isURL(text)
    case .list(let values): values.allSatisfy(holdsOnlyURLs)
    case .map(let map): map.entries.allSatisfy { holdsOnlyURLs($0.value) }
    default: true
    }
  }

  /// Inserts a record as it is, with its number; one whose identity is taken is left without.
  private func insertWhole(
    _ record: Record, _ others: [(name: String, column: SQLValue)], in table: EntityTable
  ) throws {
    var names = ["id", "uid", "createdAt", "updatedAt", "_identity"]
    var columns: [SQLValue] = [
      .int(record.id ?? 0), .blob(record.uid?.bytes ?? []),
      .int(record.createdAt?.microseconds ?? 0), .int(record.updatedAt?.microseconds ?? 0),
    ]
    var identity = items.identity(of: record.values, in: table)
    if let text = identity,
      try connection.exists(
        "SELECT 1 FROM \(name: table.name) WHERE _identity = \(.text(text))")
    {
      identity = nil
    }
    columns.append(identity.map(SQLValue.text) ?? .null)
    for (index, property) in table.schema.properties.enumerated() {
      names.append(property.name)
      columns.append(codec.stored(record.values[index], of: property))
    }
    names += others.map(\.name)
    columns += others.map(\.column)
    let list = SQL.names(names)
    let values = SQL.values(columns)
    try connection.run("INSERT INTO \(name: table.name) (\(list)) VALUES (\(values))")
    try items.index(record, in: table)
  }
}

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
