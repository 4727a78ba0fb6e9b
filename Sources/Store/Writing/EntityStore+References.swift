import Items

extension EntityStore {
  /// Makes references to items that are about to go null, and takes them out of lists.
  ///
  /// - Parameter leaving: The items, by entity, that are about to go too and are left as they are.
  /// - Throws: `conflict` when an item that stays must have one of them.
  func clearReferences(
    to ids: ClosedRange<Int64>, of entity: String, leaving: [String: IDRanges] = [:]
  ) throws {
    for layout in try storedLayouts() {
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
      try log(.update, layout.name, id: id, before: [(column, value)], after: [(column, .null)])
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
      try log(.update, layout.name, id: id, before: [(column, value)])
    }
  }

  /// Adds what the view says of a row to the text index, or takes it out.
  private func changeText(of layout: StoredLayout, id: Int64, adding: Bool) throws {
    guard layout.hasTextIndex else { return }
    var columns: [String] = []
    try connection.rows("SELECT name FROM pragma_table_info(\(.text(layout.name + "_text")))") {
      columns.append(SQL.quoted($0.text(0)))
      return true
    }
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
