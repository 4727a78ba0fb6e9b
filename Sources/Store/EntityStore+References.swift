extension EntityStore {
  /// Makes references to an item that is about to go null, and takes it out of lists.
  ///
  /// - Throws: `conflict` when an item must have it.
  func clearReferences(to reference: ItemReference) throws {
    for layout in try storedLayouts() {
      for (column, entity) in layout.references where entity == reference.entity {
        try clear(column, of: layout, referringTo: reference)
      }
      for (column, entity) in layout.referenceLists where entity == reference.entity {
        try logReferences(
          from: layout, column,
          """
          EXISTS (SELECT 1 FROM json_each(\(name: column)) WHERE value = \(.int(reference.id)))
          """)
        try connection.run(
          """
          UPDATE \(name: layout.name) SET \(name: column) = \
          (SELECT json_group_array(value) FROM json_each(\(name: column)) \
          WHERE value <> \(.int(reference.id))) \
          WHERE EXISTS (SELECT 1 FROM json_each(\(name: column)) \
          WHERE value = \(.int(reference.id)))
          """)
      }
    }
  }

  private func clear(
    _ column: String, of layout: StoredLayout, referringTo reference: ItemReference
  ) throws {
    let isReferring: SQL = "\(name: column) = \(.int(reference.id))"
    if layout.required.contains(column),
      case .int(let id)? = try connection.first(
        "SELECT id FROM \(name: layout.name) WHERE \(isReferring) LIMIT 1")
    {
      throw StoreError(
        .conflict,
        "\(ItemReference(entity: layout.name, id: id)) needs \(reference) as its “\(column)”: "
          + "delete or change it first")
    }
    try logReferences(from: layout, column, isReferring)
    try connection.run(
      "UPDATE \(name: layout.name) SET \(name: column) = NULL WHERE \(isReferring)")
  }

  private func logReferences(
    from layout: StoredLayout, _ column: String, _ condition: SQL
  ) throws {
    var rows: [(Int64, SQLValue)] = []
    try connection.rows(
      "SELECT id, \(name: column) FROM \(name: layout.name) WHERE \(condition)"
    ) { row in
      rows.append((row.int(0), row.value(1)))
      return true
    }
    for (id, value) in rows { try log(.update, layout.name, id: id, before: [(column, value)]) }
  }
}
