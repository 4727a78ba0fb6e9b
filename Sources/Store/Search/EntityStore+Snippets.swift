extension EntityStore {
  /// The words of a search where they stand in an item, between marks; nil when none is found.
  ///
  /// The property with the most weight that has any of them is shown.
  /// - Complexity: O(length of the item's texts).
  public func snippet(
    of reference: ItemReference, matching words: String, open: String, close: String
  ) throws -> String? {
    let table = try table(reference.entity)
    let plan = SearchPlan(words, table: table, context: context)
    guard !table.isAbsent, let match = plan.match else { return nil }
    let columns = table.searched.indices.filter { column in
      !table.schema.properties[table.searched[column]].type.isStoredAsJSON
    }.sorted { left, right in
      weight(of: left, in: table) > weight(of: right, in: table)
    }
    for column in columns {
      let text = try connection.first(
        """
        SELECT snippet(\(name: table.searchName), \(.int(Int64(column))), \(.text(open)), \
        \(.text(close)), '…', 24) FROM \(name: table.searchName) \
        WHERE \(name: table.searchName) MATCH \(.text(match)) AND rowid = \(.int(reference.id))
        """)
      if case .text(let text)? = text, open.isEmpty || text.contains(open) {
        return WordSeparation.joined(text)
      }
    }
    return nil
  }

  private func weight(of column: Int, in table: EntityTable) -> Double {
    table.schema.properties[table.searched[column]].searchWeight ?? 0
  }
}
