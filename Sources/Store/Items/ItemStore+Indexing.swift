import CEL
import Items

extension ItemStore {
  /// Adds a new row to the list tables and the text index.
  ///
  /// - Parameter texts: The texts to be indexed, if known.
  func index(_ record: Record, _ texts: [SQLValue]? = nil, in table: EntityTable) throws {
    guard let id = record.id else { return }
    if let batch = session.batch {
      return batch.note(.init(id: id, old: nil, record: record, texts: texts), in: table)
    }
    try changeListRows(of: record, id: id, at: table.indexedLists, in: table, adding: true)
    if !table.searched.isEmpty { try insertText(of: record, id: id, texts, in: table) }
  }

  /// Removes a row from the list tables and the text index, before it is changed or deleted.
  func unindex(_ record: Record, in table: EntityTable, lists: [Int], text: Bool) throws {
    guard let id = record.id else { return }
    if let batch = session.batch, batch.isNew(id, in: table) { return }
    try changeListRows(of: record, id: id, at: lists, in: table, adding: false)
    guard text, !table.searched.isEmpty else { return }
    guard let batch = session.batch else { return try run(table.deleteTextByView, id: id) }
    if batch.row(id, in: table) == nil {
      let old = try texts(of: record, id: id, in: table)
      batch.note(.init(id: id, old: old, record: record), in: table)
    }
  }

  /// Adds a changed row to the list tables and the text index again.
  func reindex(_ record: Record, in table: EntityTable, lists: [Int], text: Bool) throws {
    guard let id = record.id else { return }
    if let batch = session.batch {
      batch.noteChanged(record, id: id, in: table)
      if batch.isNew(id, in: table) { return }
    }
    try changeListRows(of: record, id: id, at: lists, in: table, adding: true)
    if session.batch == nil, text, !table.searched.isEmpty {
      try insertText(of: record, id: id, in: table)
    }
  }

  // MARK: Lists

  /// The rows of a list in its table: value, createdAt, id.
  private func listRows(
    of record: Record, id: Int64, at position: Int, in table: EntityTable
  ) -> [[SQLValue]] {
    guard let created = record.createdAt, case .list(let values) = record.values[position],
      case .list(let element) = table.schema.properties[position].type
    else { return [] }
    return values.map { [codec.column($0, of: element), .int(created.microseconds), .int(id)] }
  }

  private func changeListRows(
    of record: Record, id: Int64, at positions: [Int], in table: EntityTable, adding: Bool
  ) throws {
    for (list, position) in table.indexedLists.enumerated() where positions.contains(position) {
      try run(
        adding ? table.insertListRow[list] : table.deleteListRow[list],
        listRows(of: record, id: id, at: position, in: table))
    }
  }

  /// Inserts the elements of new rows grouped by value, the order of the table, which is faster.
  private func insertListRows(of rows: [ImportBatch.Row], in table: EntityTable) throws {
    for (list, position) in table.indexedLists.enumerated() {
      let elements = rows.flatMap { listRows(of: $0.record, id: $0.id, at: position, in: table) }
      for group in Dictionary(grouping: elements, by: { $0[0] }).values {
        try run(table.insertListRow[list], group)
      }
    }
  }

  private func run(_ text: String, _ rows: [[SQLValue]]) throws {
    if rows.isEmpty { return }
    try connection.withStatement(text) { statement in
      for row in rows {
        try statement.bind(row)
        _ = try statement.step()
        statement.rewind()
      }
    }
  }

  // MARK: Text

  /// Defers updates of the text index, and for new rows also of the list tables, until `body`
  /// returns, and then makes them in order of ids; new items are logged together.
  ///
  /// FTS5 buffers writes in memory and flushes whenever an id is not greater than the last one, so
  /// one update among a thousand inserts would cost more than all of them.
  func withImportBatch(_ body: () throws -> Void) throws {
    let batch = ImportBatch()
    let session = session
    session.batch = batch
    defer { session.batch = nil }
    try body()
    for (table, rows) in batch.tables {
      let ordered = rows.values.sorted { $0.id < $1.id }
      let new = ordered.filter { $0.old == nil }
      for row in ordered {
        guard let old = row.old else { continue }
        try writeText(table.deleteText, id: row.id, old)
        try insertText(of: row.record, id: row.id, in: table)
      }
      try insertListRows(of: new, in: table)
      if !table.searched.isEmpty {
        for row in new { try insertText(of: row.record, id: row.id, row.texts, in: table) }
      }
      guard let first = new.first, let last = new.last else { continue }
      try database.changes.log(.createMany, table.name, id: first.id, last: last.id)
    }
  }

  private func insertText(
    of record: Record, id: Int64, _ texts: [SQLValue]? = nil, in table: EntityTable
  ) throws {
    if let texts = texts ?? plainTexts(of: record.values, in: table) {
      try writeText(table.insertText, id: id, texts)
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

  /// The indexed texts of values, if they can be computed without querying the view.
  func plainTexts(of values: [Value], in table: EntityTable) -> [SQLValue]? {
    guard table.textIsPlain else { return nil }
    return table.searched.map { position in
      .text(plainText(of: values[position], table.schema.properties[position].type))
    } + [.text(namesText(of: values, in: table))]
  }

  /// The indexed texts of a row, equal to those of the view.
  private func texts(of record: Record, id: Int64, in table: EntityTable) throws -> [SQLValue] {
    if let texts = plainTexts(of: record.values, in: table) { return texts }
    return try connection.withStatement(table.selectTexts) { statement in
      try statement.bind(id, at: 1)
      guard try statement.step() else { return [] }
      return (0..<statement.columnCount).map { statement.value($0) }
    }
  }

  /// The text of a property, equal to the view's.
  private func plainText(of value: Value, _ type: DataType) -> String {
    switch codec.column(value, of: type) {
    case .int(let int): String(int)
    case .text(let text):
      WordSeparation.separated(
        type.isStoredAsJSON && text.utf8.contains(UInt8(ascii: "\\"))
          ? Self.withoutWhiteSpaceEscapes(text) : text)
    default: ""
    }
  }

  /// The names of an item, equal to the view's.
  private func namesText(of values: [Value], in table: EntityTable) -> String {
    NameWords.text(
      of: table.naming.compactMap { position in
        let type = table.schema.properties[position].type
        guard case .text(let text) = codec.column(values[position], of: type) else { return nil }
        return type == .url ? .address(text) : .title(text)
      })
  }

  /// Replaces each escape in turn, from left to right, like SQLite's `replace`.
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

  /// Runs a statement with one id.
  func run(_ text: String, id: Int64) throws {
    try connection.withStatement(text) { statement in
      try statement.bind(id, at: 1)
      _ = try statement.step()
    }
  }
}
