import CEL
import JSON

extension EntityStore {
  /// What the log keeps of an item's properties, by position.
  func logged(_ record: Record, _ positions: some Sequence<Int>, in table: EntityTable)
    -> [(String, SQLValue)]
  {
    positions.map { position in
      let property = table.schema.properties[position]
      return (property.name, codec.column(record.values[position], of: property.type))
    }
  }

  /// What the log keeps of an item that is deleted: all columns but what is made from others.
  func loggedWhole(_ id: Int64, in table: EntityTable) throws -> [(String, SQLValue)] {
    let names = try connection.columnNames(of: table.name)
      .filter { $0 != "id" && $0 != "_identity" }
    let list = SQL.joined(names.map { name -> SQL in "\(name: name)" }, separator: ", ")
    var columns: [(String, SQLValue)] = []
    try connection.rows("SELECT \(list) FROM \(name: table.name) WHERE id = \(.int(id))") { row in
      columns = names.enumerated().map { ($1, row.value(Int32($0))) }
      return false
    }
    return columns.map { name, value in
      guard name == "uid", case .blob(let bytes) = value else { return (name, value) }
      return (name, .text(GlobalID(bytes: bytes)?.text ?? ""))
    }
  }

  /// Takes back a change of one item, or its deletion.
  ///
  /// - Throws: `conflict`, `corrupt` when the log cannot be read.
  func revert(_ change: Change, _ before: String?) throws {
    let table = try table(change.entity)
    switch change.kind {
    case .create, .createMany:
      try deleteAll(change.id...max(change.id, change.last), of: table, leaving: [:])
    case .deleteMany:
      // Only what an undo did is logged so, and that is not taken back.
      throw StoreError(.bug, "the deletion of many items is not kept to be taken back")
    case .update:
      guard let stored = try record(id: change.id, in: table) else { return }
      var changed = stored
      var use = LoggedUse()
      try restore(&changed, &use, from: before, in: table)
      try self.change(stored, to: &changed, in: table)
    case .delete:
      var record = Record(values: try defaults(of: table))
      var use = LoggedUse()
      try restore(&record, &use, from: before, in: table)
      record.id = change.id
      record.uid = record.uid ?? makeUID()
      if let identity = identity(of: record.values, in: table) {
        try expectFree(identity, except: change.id, in: table)
      }
      try insertWhole(record, use, in: table)
      try log(.create, change.entity, id: change.id)
    }
  }

  /// What ranking knows of an item, as the log kept it.
  private struct LoggedUse {
    var frecency = SQLValue.null
    var last = SQLValue.null
  }

  /// Sets what the log kept; a property that is gone since is passed over.
  private func restore(
    _ record: inout Record, _ use: inout LoggedUse, from before: String?, in table: EntityTable
  ) throws {
    let damage = StoreError(
      .corrupt, "the log of changes is damaged, so that nothing was taken back")
    guard let before else { throw damage }
    let parsed: Value
    do { parsed = try JSONParser().parse(before) } catch { throw damage }
    guard case .map(let map) = parsed else { throw damage }
    for (key, value) in map.entries {
      guard case .string(let name) = key else { continue }
      switch (name, value) {
      case ("uid", .string(let text)): record.uid = GlobalID(text: text)
      case ("createdAt", .int(let int)): record.createdAt = Timestamp(microseconds: int)
      case ("updatedAt", .int(let int)): record.updatedAt = Timestamp(microseconds: int)
      case ("_frecency", .int(let int)): use.frecency = .int(int)
      case ("_used", .int(let int)): use.last = .int(int)
      default:
        guard let index = table.layout.index(of: name) else { continue }
        record.values[index] = try codec.value(
          of: table.schema.properties[index].type, column: value)
      }
    }
  }

  /// Inserts a record as it is, with its number; one whose identity is taken is left without.
  private func insertWhole(_ record: Record, _ use: LoggedUse, in table: EntityTable) throws {
    var names = ["id", "uid", "createdAt", "updatedAt", "_frecency", "_used", "_identity"]
    var columns: [SQLValue] = [
      .int(record.id ?? 0), .blob(record.uid?.bytes ?? []),
      .int(record.createdAt?.microseconds ?? 0), .int(record.updatedAt?.microseconds ?? 0),
      use.frecency, use.last,
    ]
    var identity = identity(of: record.values, in: table)
    if let text = identity,
      try connection.first(
        "SELECT 1 FROM \(name: table.name) WHERE _identity = \(.text(text))") != nil
    {
      identity = nil
    }
    columns.append(identity.map(SQLValue.text) ?? .null)
    for (index, property) in table.schema.properties.enumerated() {
      names.append(property.name)
      columns.append(codec.column(record.values[index], of: property.type))
    }
    let list = SQL.joined(names.map { name -> SQL in "\(name: name)" }, separator: ", ")
    let values = SQL.joined(columns.map { value -> SQL in "\(value)" }, separator: ", ")
    try connection.run("INSERT INTO \(name: table.name) (\(list)) VALUES (\(values))")
    try index(record, in: table)
  }
}
