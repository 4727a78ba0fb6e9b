import Items

extension EntityStore {
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
    let others = try connection.first(
      """
      SELECT 1 FROM \(name: table.name) \
      WHERE id < \(.int(ids.lowerBound)) OR id > \(.int(ids.upperBound)) LIMIT 1
      """)
    for run in present.ranges { try logDeletion(of: run, table) }
    if others == nil { return try deleteEverything(of: table) }
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
    let names = try wholeColumns(of: table)
    let list = SQL.joined(names.map { name -> SQL in "\(name: name)" }, separator: ", ")
    var items: [String] = []
    var bytes = 0
    var first = ids.lowerBound
    func note(upTo last: Int64) throws {
      // Earlier releases know deletions that keep nothing before from `undo` alone.
      if items.count == 1, log.cause == "undo" {
        try log(.delete, table.name, id: first, last: last, before: nil, after: items[0])
      } else if !items.isEmpty {
        try log(
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
      let columns = Self.whole(row, names, from: 1)
      items.append(try Self.json([("id", .int(row.int(0)))] + columns))
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
}
