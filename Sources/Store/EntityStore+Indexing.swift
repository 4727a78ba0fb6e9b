import CEL

extension EntityStore {
  /// Adds a new row to the list tables and the text index.
  func index(_ record: Record, in table: EntityTable) throws {
    guard let id = record.id else { return }
    for position in table.indexedLists {
      try changeListRows(of: record, at: position, in: table, adding: true)
    }
    guard !table.searched.isEmpty else { return }
    if importBatch != nil {
      importBatch?.note(id, old: nil, in: table)
      importBatch?.note(id, new: record, in: table)
    } else {
      try insertText(of: record, id: id, in: table)
    }
  }

  /// Takes a row out of the list tables and the text index, before it changes or goes.
  func unindex(_ record: Record, in table: EntityTable, lists: [Int], text: Bool) throws {
    guard let id = record.id else { return }
    for position in lists {
      try changeListRows(of: record, at: position, in: table, adding: false)
    }
    guard text, !table.searched.isEmpty else { return }
    if importBatch != nil {
      importBatch?.note(id, old: try texts(of: record, id: id, in: table), in: table)
    } else {
      try run(table.deleteTextByView, id: id)
    }
  }

  /// Adds a changed row to the list tables and the text index again.
  func reindex(_ record: Record, in table: EntityTable, lists: [Int], text: Bool) throws {
    guard let id = record.id else { return }
    for position in lists {
      try changeListRows(of: record, at: position, in: table, adding: true)
    }
    guard text, !table.searched.isEmpty else { return }
    if importBatch != nil {
      importBatch?.note(id, new: record, in: table)
    } else {
      try insertText(of: record, id: id, in: table)
    }
  }

  // MARK: Lists

  private func changeListRows(
    of record: Record, at position: Int, in table: EntityTable, adding: Bool
  ) throws {
    guard let id = record.id, let created = record.createdAt,
      case .list(let values) = record.values[position], !values.isEmpty,
      case .list(let element) = table.schema.properties[position].type,
      let list = table.indexedLists.firstIndex(of: position)
    else { return }
    let text = adding ? table.insertListRow[list] : table.deleteListRow[list]
    try connection.withStatement(text) { statement in
      for value in values {
        try statement.bind(codec.column(value, of: element), at: 1)
        try statement.bind(created.microseconds, at: 2)
        try statement.bind(id, at: 3)
        _ = try statement.step()
        statement.rewind()
      }
    }
  }

  // MARK: Text

  /// Puts off the work on the text index until `body` is done, and then does it in order of ids;
  /// new items are logged together.
  ///
  /// FTS5 collects what it is given in memory and writes it out whenever an id is not larger than
  /// the one before, so an update among a thousand inserts costs more than the thousand.
  func withImportBatch(_ body: () throws -> Void) throws {
    importBatch = ImportBatch()
    defer { importBatch = nil }
    try body()
    guard let batch = importBatch else { return }
    importBatch = nil
    for (table, changes) in batch.changes {
      for (id, change) in changes {
        if let old = change.old { try writeText(table.deleteText, id: id, old) }
        if let record = change.record {
          try insertText(of: record, id: id, in: table)
        }
      }
    }
    for (entity, range) in batch.created.sorted(by: { $0.key < $1.key }) {
      try log(.createMany, entity, id: range.lowerBound, last: range.upperBound)
    }
  }

  private func insertText(of record: Record, id: Int64, in table: EntityTable) throws {
    if table.textIsPlain {
      try writeText(table.insertText, id: id, texts(of: record, id: id, in: table))
    } else {
      try run(table.insertTextByView, id: id)
    }
  }

  private func writeText(_ statement: String, id: Int64, _ texts: [SQLValue]) throws {
    try connection.withStatement(statement) { statement in
      try statement.bind(id, at: 1)
      for (index, text) in texts.enumerated() { try statement.bind(text, at: Int32(index + 2)) }
      _ = try statement.step()
    }
  }

  /// The texts of a row in the text index, the same as the view gives.
  private func texts(
    of record: Record, id: Int64, in table: EntityTable
  ) throws -> [SQLValue] {
    if table.textIsPlain {
      return table.searched.map { position in
        .text(plainText(of: record.values[position], table.schema.properties[position].type))
      }
    }
    return try connection.withStatement(table.selectTexts) { statement in
      try statement.bind(id, at: 1)
      guard try statement.step() else { return [] }
      return (0..<statement.columnCount).map { statement.value($0) }
    }
  }

  /// The text of a property, the same as the view's.
  private func plainText(of value: Value, _ type: PropertyType) -> String {
    switch codec.column(value, of: type) {
    case .int(let int): String(int)
    case .text(let text):
      WordSeparation.separated(
        type.isStoredAsJSON && text.utf8.contains(UInt8(ascii: "\\"))
          ? Self.withoutWhiteSpaceEscapes(text) : text)
    default: ""
    }
  }

  /// Replaces each escape in turn, from left to right, as `replace` of SQLite does.
  private static func withoutWhiteSpaceEscapes(_ text: String) -> String {
    var bytes = Array(text.utf8)
    for escape in EntityTable.whiteSpaceEscapes {
      let wanted = Array(escape.utf8)
      var result: [UInt8] = []
      var index = 0
      while index < bytes.count {
        if bytes[index...].starts(with: wanted) {
          result.append(UInt8(ascii: " "))
          index += wanted.count
        } else {
          result.append(bytes[index])
          index += 1
        }
      }
      bytes = result
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Runs a statement on one id.
  func run(_ text: String, id: Int64) throws {
    try connection.withStatement(text) { statement in
      try statement.bind(id, at: 1)
      _ = try statement.step()
    }
  }
}
