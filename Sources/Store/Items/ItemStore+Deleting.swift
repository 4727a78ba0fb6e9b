package import Items

extension ItemStore {
  /// Deletes an item; references to it become null.
  ///
  /// - Throws: `notFound`, `conflict` when another item must have it.
  package func delete(_ reference: ItemReference) throws {
    _ = try database.table(reference.entity)
    try database.transaction {
      let table = try database.table(reference.entity)
      guard let stored = try record(id: reference.id, in: table) else {
        throw StoreError(.notFound, "there is no \(reference)")
      }
      try clearReferences(to: reference.id...reference.id, of: reference.entity)
      try unindex(stored, in: table, lists: table.indexedLists, text: true)
      let before = try database.changes.loggedWhole(reference.id, in: table)
      try run(table.delete, id: reference.id)
      try database.changes.log(.delete, table.name, id: reference.id, before: before)
    }
  }

  /// How many numbers are worked on between two calls of `progress`.
  private static let deletionChunk: Int64 = 5_000
  /// How many bytes of items one entry of the log keeps, about.
  private static let keptBytes = 8 << 20

  /// Deletes those items of a range of numbers that are there, in the transaction that is open.
  ///
  /// It is the same as to delete each of them, but the log gets one entry for those that follow one
  /// another.
  /// - Parameters:
  ///   - leaving: The items, by entity, that go in the same transaction; what they refer to stays
  ///     as it is.
  ///   - progress: Is told how many numbers are done.
  /// - Throws: `conflict` when an item that stays must have one of them.
  /// - Complexity: O(n log size), or O(n) when no item of the entity is left.
  func deleteAll(
    _ ids: ClosedRange<Int64>, of table: EntityTable, leaving: [String: IDRanges],
    _ progress: (Int) -> Void = { _ in }
  ) throws {
    try clearReferences(to: ids, of: table.name, leaving: leaving)
    let present = try presentRuns(in: ids, of: table)
    let hasOthers = try connection.exists(
      """
      SELECT 1 FROM \(name: table.name) \
      WHERE id < \(.int(ids.lowerBound)) OR id > \(.int(ids.upperBound)) LIMIT 1
      """)
    for run in present.ranges { try logDeletion(of: run, table) }
    if !hasOthers { return try deleteEverything(of: table) }
    for run in present.ranges {
      var first = run.lowerBound
      while first <= run.upperBound {
        let last = min(run.upperBound, first + (Self.deletionChunk - 1))
        try deleteRows(first...last, of: table)
        progress(Int(last - ids.lowerBound) + 1)
        if last == run.upperBound { break }
        first = last + 1
      }
    }
  }

  /// Notes that items that follow one another go, with all that it takes to bring them back.
  private func logDeletion(of ids: ClosedRange<Int64>, _ table: EntityTable) throws {
    let names = try database.changes.wholeColumns(of: table)
    let list = SQL.names(names)
    var items: [String] = []
    var bytes = 0
    var first = ids.lowerBound
    func note(upTo last: Int64) throws {
      // Earlier releases know deletions that keep nothing before from `undo` alone.
      if items.count == 1, session.cause == "undo" {
        try database.changes.log(
          .delete, table.name, id: first, last: last, before: nil, after: items[0])
      } else if !items.isEmpty {
        try database.changes.log(
          .deleteMany, table.name, id: first, last: last, before: nil,
          after: "[" + items.joined(separator: ",") + "]")
      }
      items = []
      bytes = 0
      first = last + 1
    }
    try connection.rows(
      """
      SELECT id, \(list) FROM \(name: table.name) \
      WHERE id BETWEEN \(.int(ids.lowerBound)) AND \(.int(ids.upperBound)) ORDER BY id
      """
    ) { row in
      let columns = LoggedColumns.of(row, names, from: 1)
      items.append(try LoggedColumns.text([("id", .int(row.int(0)))] + columns))
      bytes += items[items.count - 1].utf8.count
      if items.count >= Self.deletionChunk || bytes >= Self.keptBytes {
        try note(upTo: row.int(0))
      }
      return true
    }
    try note(upTo: ids.upperBound)
  }

  /// The numbers of a range that items have.
  private func presentRuns(in ids: ClosedRange<Int64>, of table: EntityTable) throws -> IDRanges {
    var runs = IDRanges()
    try connection.rows(
      """
      SELECT id FROM \(name: table.name) \
      WHERE id BETWEEN \(.int(ids.lowerBound)) AND \(.int(ids.upperBound)) ORDER BY id
      """
    ) { row in
      runs.append(row.int(0)...row.int(0))
      return true
    }
    return runs
  }

  private func deleteRows(_ ids: ClosedRange<Int64>, of table: EntityTable) throws {
    let isMeant: SQL = "id BETWEEN \(.int(ids.lowerBound)) AND \(.int(ids.upperBound))"
    if !table.searched.isEmpty {
      let texts = table.textColumns.joined(separator: ", ")
      // In order of their numbers, or FTS5 would write out its work again and again.
      try connection.run(
        """
        INSERT INTO \(name: table.searchName) (\(name: table.searchName), rowid, \(raw: texts)) \
        SELECT 'delete', id, \(raw: texts) FROM \(name: table.textName) \
        WHERE \(isMeant) ORDER BY id
        """)
    }
    for position in table.indexedLists {
      let list = table.schema.properties[position].name
      try connection.run(
        """
        DELETE FROM \(name: table.listName(list)) WHERE (value, createdAt, id) IN \
        (SELECT e.value, t.createdAt, t.id \
        FROM \(name: table.name) AS t, json_each(t.\(name: list)) AS e WHERE t.\(isMeant))
        """)
    }
    try connection.run("DELETE FROM \(name: table.name) WHERE \(isMeant)")
  }

  /// Empties the tables of an entity, which SQLite and FTS5 do without a look at the rows.
  private func deleteEverything(of table: EntityTable) throws {
    if !table.searched.isEmpty {
      try connection.run(
        "INSERT INTO \(name: table.searchName) (\(name: table.searchName)) VALUES ('delete-all')")
    }
    for position in table.indexedLists {
      let list = table.schema.properties[position].name
      try connection.run("DELETE FROM \(name: table.listName(list))")
    }
    try connection.run("DELETE FROM \(name: table.name)")
  }

  // MARK: References

  /// Makes references to items that are about to go null, and takes them out of lists.
  ///
  /// - Parameter leaving: The items, by entity, that are about to go too and are left as they are.
  /// - Throws: `conflict` when an item that stays must have one of them.
  func clearReferences(
    to ids: ClosedRange<Int64>, of entity: String, leaving: [String: IDRanges] = [:]
  ) throws {
    for layout in try connection.storedLayouts() {
      let leaving = leaving[layout.name] ?? IDRanges()
      for (column, target) in layout.references where target == entity {
        try clear(column, of: layout, referringTo: ids, entity, leaving)
      }
      for (column, target) in layout.referenceLists where target == entity {
        try shorten(column, of: layout, without: ids, leaving)
      }
    }
  }

  private func clear(
    _ column: String, of layout: StoredLayout, referringTo ids: ClosedRange<Int64>,
    _ entity: String, _ leaving: IDRanges
  ) throws {
    let isRequired = layout.required.contains(column)
    let condition: SQL =
      "\(name: column) BETWEEN \(.int(ids.lowerBound)) AND \(.int(ids.upperBound))"
    for (id, value) in try rows(of: layout, column, where: condition, except: leaving) {
      if isRequired, case .int(let target) = value {
        throw StoreError(
          .conflict,
          "\(ItemReference(entity: layout.name, id: id)) needs "
            + "\(ItemReference(entity: entity, id: target)) as its “\(column)”: "
            + "delete or change it first")
      }
      try connection.run(
        "UPDATE \(name: layout.name) SET \(name: column) = NULL WHERE id = \(.int(id))")
      try database.changes.log(
        .update, layout.name, id: id, before: [(column, value)], after: [(column, .null)])
    }
  }

  /// Takes numbers out of a list of references, and its elements out of what is made of it.
  private func shorten(
    _ column: String, of layout: StoredLayout, without ids: ClosedRange<Int64>,
    _ leaving: IDRanges
  ) throws {
    let isMeant: SQL = "value BETWEEN \(.int(ids.lowerBound)) AND \(.int(ids.upperBound))"
    let condition: SQL =
      "EXISTS (SELECT 1 FROM json_each(\(name: column)) WHERE \(isMeant))"
    for (id, value) in try rows(of: layout, column, where: condition, except: leaving) {
      try changeText(of: layout, id: id, adding: false)
      try connection.run(
        """
        UPDATE \(name: layout.name) SET \(name: column) = \
        (SELECT json_group_array(value) FROM json_each(\(name: column)) WHERE NOT (\(isMeant))) \
        WHERE id = \(.int(id))
        """)
      try changeText(of: layout, id: id, adding: true)
      if layout.lists.contains(column) {
        try connection.run(
          """
          DELETE FROM \(name: "\(layout.name)_list_\(column)") WHERE \(isMeant) \
          AND createdAt = (SELECT createdAt FROM \(name: layout.name) WHERE id = \(.int(id))) \
          AND id = \(.int(id))
          """)
      }
      try database.changes.log(.update, layout.name, id: id, before: [(column, value)])
    }
  }

  /// Adds what the view says of a row to the text index, or takes it out.
  private func changeText(of layout: StoredLayout, id: Int64, adding: Bool) throws {
    guard layout.hasTextIndex else { return }
    let columns = try connection.map(
      "SELECT name FROM pragma_table_info(\(.text(layout.name + "_text")))"
    ) { SQL.quoted($0.text(0)) }
    // The first is the number of the item, which the index calls by another name.
    let texts = columns.dropFirst().joined(separator: ", ")
    let search = layout.name + "_search"
    let command: SQL = adding ? "" : "\(name: search), "
    let word: SQL = adding ? "" : "'delete', "
    try connection.run(
      """
      INSERT INTO \(name: search) (\(command)rowid, \(raw: texts)) \
      SELECT \(word)id, \(raw: texts) FROM \(name: layout.name + "_text") WHERE id = \(.int(id))
      """)
  }

  /// The numbers and the column of the rows that meet a condition and stay.
  private func rows(
    of layout: StoredLayout, _ column: String, where condition: SQL, except leaving: IDRanges
  ) throws -> [(Int64, SQLValue)] {
    var rows: [(Int64, SQLValue)] = []
    try connection.rows(
      "SELECT id, \(name: column) FROM \(name: layout.name) WHERE \(condition) ORDER BY id"
    ) { row in
      if !leaving.contains(row.int(0)) { rows.append((row.int(0), row.value(1))) }
      return true
    }
    return rows
  }
}

/// Numbers of items, as ranges in order that do not touch.
struct IDRanges {
  private(set) var ranges: [ClosedRange<Int64>] = []

  init() {}

  /// Joins ranges that come in any order.
  init(_ ranges: [ClosedRange<Int64>]) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(range) }
  }

  /// Adds a range that begins no earlier than the last one.
  mutating func append(_ range: ClosedRange<Int64>) {
    if let last = ranges.last,
      range.lowerBound <= last.upperBound || range.lowerBound == last.upperBound + 1
    {
      ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
    } else {
      ranges.append(range)
    }
  }

  /// Whether a number is among them.
  ///
  /// - Complexity: O(log n) for n ranges.
  func contains(_ id: Int64) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < id { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(id)
  }
}
