package import Items

extension ItemStore {
  /// Deletes an item and sets references to it to null.
  ///
  /// - Throws: `notFound`, `conflict` when an item requires it.
  package func delete(_ reference: ItemReference) throws { try delete(all: [reference]) }

  /// Deletes several items, in the order given, in one transaction.
  ///
  /// - Throws: As for each item; nothing is deleted then.
  package func delete(all references: [ItemReference]) throws {
    for entity in Set(references.map(\.entity)) { _ = try database.table(entity) }
    try database.transaction {
      let layouts = try connection.storedLayouts()
      for reference in references {
        let table = try database.table(reference.entity)
        guard let stored = try record(id: reference.id, in: table) else {
          throw StoreError(.notFound, "there is no \(reference)")
        }
        try clearReferences(
          to: reference.id...reference.id, of: reference.entity, in: layouts)
        try unindex(stored, in: table, lists: table.indexedLists, text: true)
        let before = try database.changes.loggedWhole(reference.id, in: table)
        try run(table.delete, id: reference.id)
        try database.changes.log(.delete, table.name, id: reference.id, before: before)
      }
    }
  }

  /// The number of ids between two calls of `progress`.
  private static let deletionChunk: Int64 = 5_000
  /// The approximate maximum size of a log entry, in bytes.
  private static let keptBytes = 8 << 20

  /// Deletes the existing items in a range of ids, within the open transaction.
  ///
  /// Equivalent to deleting them one by one, but consecutive items share one log entry.
  /// - Parameters:
  ///   - leaving: The items, by entity, deleted in the same transaction; their references are left
  ///     unchanged.
  ///   - progress: Called with the number of ids done.
  /// - Throws: `conflict` when a remaining item requires a deleted one.
  /// - Complexity: O(n log size), or O(n) when no item of the entity remains.
  func deleteAll(
    _ ids: ClosedRange<Int64>, of table: EntityTable, leaving: [String: IDRanges],
    _ progress: (Int) -> Void = { _ in }
  ) throws {
    try clearReferences(
      to: ids, of: table.name, in: connection.storedLayouts(), leaving: leaving)
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

  /// Logs the deletion of consecutive items, with the data to restore them.
  private func logDeletion(of ids: ClosedRange<Int64>, _ table: EntityTable) throws {
    let names = try database.changes.wholeColumns(of: table)
    let list = SQL.names(names)
    var items: [String] = []
    var bytes = 0
    var first = ids.lowerBound
    func note(upTo last: Int64) throws {
      // Earlier releases accept deletions without `before` only from `undo`.
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
    try connection.each(
      """
      SELECT id, \(list) FROM \(name: table.name) \
      WHERE id BETWEEN \(.int(ids.lowerBound)) AND \(.int(ids.upperBound)) ORDER BY id
      """
    ) { row in
      let columns = LoggedColumns.of(row, names, from: 1)
      items.append(try LoggedColumns.text([("id", .int(row.int(0)))] + columns))
      bytes += items[items.count - 1].utf8.count
      if items.count >= Self.deletionChunk || bytes >= Self.keptBytes { try note(upTo: row.int(0)) }
    }
    try note(upTo: ids.upperBound)
  }

  /// The ids in a range that exist.
  private func presentRuns(in ids: ClosedRange<Int64>, of table: EntityTable) throws -> IDRanges {
    var runs = IDRanges()
    try connection.each(
      """
      SELECT id FROM \(name: table.name) \
      WHERE id BETWEEN \(.int(ids.lowerBound)) AND \(.int(ids.upperBound)) ORDER BY id
      """
    ) { runs.append($0.int(0)...$0.int(0)) }
    return runs
  }

  private func deleteRows(_ ids: ClosedRange<Int64>, of table: EntityTable) throws {
    let isMeant: SQL = "id BETWEEN \(.int(ids.lowerBound)) AND \(.int(ids.upperBound))"
    if !table.searched.isEmpty {
      let texts = table.textColumns.joined(separator: ", ")
      // In order of ids; otherwise FTS5 would flush its buffer repeatedly.
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

  /// Empties the tables of an entity, which SQLite and FTS5 do without reading rows.
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

  /// Sets references to items that are being deleted to null, and removes them from lists.
  ///
  /// - Parameters:
  ///   - layouts: The tables that may refer to them.
  ///   - leaving: The items, by entity, that are being deleted too and are left unchanged.
  /// - Throws: `conflict` when a remaining item requires a deleted one.
  func clearReferences(
    to ids: ClosedRange<Int64>, of entity: String, in layouts: [StoredLayout],
    leaving: [String: IDRanges] = [:]
  ) throws {
    for layout in layouts {
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

  /// Removes ids from a list of references, and from its indexes.
  private func shorten(
    _ column: String, of layout: StoredLayout, without ids: ClosedRange<Int64>, _ leaving: IDRanges
  ) throws {
    let isMeant: SQL = "value BETWEEN \(.int(ids.lowerBound)) AND \(.int(ids.upperBound))"
    let condition: SQL = "EXISTS (SELECT 1 FROM json_each(\(name: column)) WHERE \(isMeant))"
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

  /// Inserts the texts of the view for a row into the text index, or deletes them.
  private func changeText(of layout: StoredLayout, id: Int64, adding: Bool) throws {
    guard layout.hasTextIndex else { return }
    // The first column is the item's id, which the index calls `rowid`.
    let texts = SQL.names(Array(try connection.columnNames(of: layout.name + "_text").dropFirst()))
    let search = layout.name + "_search"
    let command: SQL = adding ? "" : "\(name: search), "
    let word: SQL = adding ? "" : "'delete', "
    try connection.run(
      """
      INSERT INTO \(name: search) (\(command)rowid, \(texts)) \
      SELECT \(word)id, \(texts) FROM \(name: layout.name + "_text") WHERE id = \(.int(id))
      """)
  }

  /// The ids and the column of the remaining rows that match a condition.
  private func rows(
    of layout: StoredLayout, _ column: String, where condition: SQL, except leaving: IDRanges
  ) throws -> [(Int64, SQLValue)] {
    try connection.map(
      "SELECT id, \(name: column) FROM \(name: layout.name) WHERE \(condition) ORDER BY id"
    ) { ($0.int(0), $0.value(1)) }.filter { !leaving.contains($0.0) }
  }
}

/// Item ids as sorted, disjoint ranges.
struct IDRanges {
  private(set) var ranges: [ClosedRange<Int64>] = []

  init() {}

  /// Merges ranges in any order.
  init(_ ranges: [ClosedRange<Int64>]) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(range) }
  }

  /// Appends a range that starts no earlier than the last one.
  mutating func append(_ range: ClosedRange<Int64>) {
    if let last = ranges.last,
      range.lowerBound <= last.upperBound || range.lowerBound == last.upperBound + 1
    {
      ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
    } else {
      ranges.append(range)
    }
  }

  /// Whether an id is contained.
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
