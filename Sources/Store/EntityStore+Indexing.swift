import CEL

extension EntityStore {
  /// Adds a new row to the list tables and the text index.
  func index(_ record: Record, in table: EntityTable) throws {
    guard let id = record.id else { return }
    for position in table.indexedLists {
      try changeListRows(of: record, at: position, in: table, adding: true)
    }
    guard !table.searched.isEmpty else { return }
    guard table.textIsPlain else {
      return try run(table.insertTextFromView, id: id)
    }
    try connection.withStatement(table.insertText) { statement in
      try statement.bind(id, at: 1)
      for (column, position) in table.searched.enumerated() {
        let property = table.schema.properties[position]
        let text = searchText(of: record.values[position], property.type)
        try statement.bind(text, at: Int32(column + 2))
      }
      _ = try statement.step()
    }
  }

  /// Takes a row out of the list tables and the text index, before it changes or goes.
  func unindex(
    _ record: Record, in table: EntityTable, lists: [Int], text: Bool
  ) throws {
    guard let id = record.id else { return }
    for position in lists {
      try changeListRows(of: record, at: position, in: table, adding: false)
    }
    if text, !table.searched.isEmpty { try run(table.deleteText, id: id) }
  }

  /// Adds the elements of a list to its table, or takes them out.
  func changeListRows(
    of record: Record, at position: Int, in table: EntityTable, adding: Bool
  ) throws {
    guard let id = record.id, let created = record.createdAt,
      case .list(let values) = record.values[position],
      case .list(let element) = table.schema.properties[position].type
    else { return }
    let name = table.schema.properties[position].name
    let text = adding ? table.insertListRow(name) : table.deleteListRow(name)
    try connection.withStatement(text) { statement in
      for value in values {
        try statement.bind(listColumn(value, of: element), at: 1)
        try statement.bind(created.microseconds, at: 2)
        try statement.bind(id, at: 3)
        _ = try statement.step()
        statement.rewind()
      }
    }
  }

  /// A list's element as its table holds it: the same as `json_each` gives.
  private func listColumn(_ value: Value, of element: PropertyType) -> SQLValue {
    codec.column(value, of: element)
  }

  /// The text of a plain property, the same as the view gives.
  private func searchText(of value: Value, _ type: PropertyType) -> String {
    if case .list(let values) = value, case .list(let element) = type {
      return values.map { searchText(of: $0, element) }.joined(separator: "\n")
    }
    if case .text(let text) = codec.column(value, of: type) { return text }
    return ""
  }

  /// Runs a statement on one id.
  func run(_ text: String, id: Int64) throws {
    try connection.withStatement(text) { statement in
      try statement.bind(id, at: 1)
      _ = try statement.step()
    }
  }
}
