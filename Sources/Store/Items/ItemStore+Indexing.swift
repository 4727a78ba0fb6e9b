import CEL
import Items

extension ItemStore {
  /// Adds a new row to the list tables and the text index.
  ///
  /// - Parameter texts: What the text index should hold of it, where that is known.
  func index(_ record: Record, _ texts: [SQLValue]? = nil, in table: EntityTable) throws {
    guard let id = record.id else { return }
    if let batch = session.batch { return batch.noteNew(record, id: id, texts, in: table) }
    try changeListRows(of: record, id: id, at: table.indexedLists, in: table, adding: true)
    if !table.searched.isEmpty { try insertText(of: record, id: id, texts, in: table) }
  }

  /// Takes a row out of the list tables and the text index, before it changes or goes.
  func unindex(_ record: Record, in table: EntityTable, lists: [Int], text: Bool) throws {
    guard let id = record.id else { return }
    if let batch = session.batch, batch.isNew(id, in: table) { return }
    try changeListRows(of: record, id: id, at: lists, in: table, adding: false)
    guard text, !table.searched.isEmpty else { return }
    guard let batch = session.batch else { return try run(table.deleteTextByView, id: id) }
    if !batch.isChanged(id, in: table) {
      batch.noteOld(
        try texts(of: record, id: id, in: table), of: record, id: id, in: table)
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

  /// An element of an indexed list, as the list's table has it.
  private struct ListRow {
    let value: SQLValue
    let createdAt: Int64
    let id: Int64
  }

  /// The elements of the list at a position.
  private func listRows(
    of record: Record, id: Int64, at position: Int, in table: EntityTable
  ) -> [ListRow] {
    guard let created = record.createdAt, case .list(let values) = record.values[position],
      case .list(let element) = table.schema.properties[position].type
    else { return [] }
    return values.map {
      ListRow(value: codec.column($0, of: element), createdAt: created.microseconds, id: id)
    }
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

  /// Adds the elements of new rows, those that are equal one after the other: they stand so in the
  /// table, and are found and written faster.
  private func insertListRows(of rows: ImportBatch.Rows) throws {
    for (list, position) in rows.table.indexedLists.enumerated() {
      var byValue: [SQLValue: [ListRow]] = [:]
      for new in rows.new {
        for row in listRows(of: new.record, id: new.id, at: position, in: rows.table) {
          byValue[row.value, default: []].append(row)
        }
      }
      for group in byValue.values { try run(rows.table.insertListRow[list], group) }
    }
  }

  private func run(_ text: String, _ rows: [ListRow]) throws {
    if rows.isEmpty { return }
    try connection.withStatement(text) { statement in
      for row in rows {
        try statement.bind(row.value, at: 1)
        try statement.bind(row.createdAt, at: 2)
        try statement.bind(row.id, at: 3)
        _ = try statement.step()
        statement.rewind()
      }
    }
  }

  // MARK: Text

  /// Puts off the work on the text index, and for new rows on the list tables, until `body` is
  /// done, and then does it in order of ids; new items are logged together.
  ///
  /// FTS5 collects what it is given in memory and writes it out whenever an id is not larger than
  /// the one before, so an update among a thousand inserts costs more than the thousand.
  func withImportBatch(_ body: () throws -> Void) throws {
    let batch = ImportBatch()
    let session = session
    session.batch = batch
    defer { session.batch = nil }
    try body()
    for rows in batch.tables {
      for (id, change) in rows.changed.sorted(by: { $0.key < $1.key }) {
        try writeText(rows.table.deleteText, id: id, change.old)
        try insertText(of: change.record, id: id, in: rows.table)
      }
      try insertListRows(of: rows)
      if rows.table.searched.isEmpty { continue }
      for new in rows.new {
        try insertText(of: new.record, id: new.id, new.texts, in: rows.table)
      }
    }
    for rows in batch.tables {
      guard let first = rows.new.first, let last = rows.new.last else { continue }
      try database.changes.log(.createMany, rows.table.name, id: first.id, last: last.id)
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

  /// The texts of a row with some values, where it takes no look at the store to know them.
  func plainTexts(of values: [Value], in table: EntityTable) -> [SQLValue]? {
    guard table.textIsPlain else { return nil }
    return table.searched.map { position in
      .text(plainText(of: values[position], table.schema.properties[position].type))
    } + [.text(namesText(of: values, in: table))]
  }

  /// The texts of a row in the text index, the same as the view gives.
  private func texts(
    of record: Record, id: Int64, in table: EntityTable
  ) throws -> [SQLValue] {
    if let texts = plainTexts(of: record.values, in: table) { return texts }
    return try connection.withStatement(table.selectTexts) { statement in
      try statement.bind(id, at: 1)
      guard try statement.step() else { return [] }
      return (0..<statement.columnCount).map { statement.value($0) }
    }
  }

  /// The text of a property, the same as the view's.
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

  /// What an item is called, the same as the view's.
  private func namesText(of values: [Value], in table: EntityTable) -> String {
    NameWords.text(
      of: table.naming.compactMap { position in
        let type = table.schema.properties[position].type
        guard case .text(let text) = codec.column(values[position], of: type) else {
          return nil
        }
        return type == .url ? .address(text) : .title(text)
      })
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
