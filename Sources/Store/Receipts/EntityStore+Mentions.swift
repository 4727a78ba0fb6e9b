/// What the store has about files that lie beside it.
extension EntityStore {
  /// The hashes, among some, that nothing in the store names: no item, no job, no journal, and not
  /// the log of changes, by which an item may come back.
  ///
  /// - Complexity: O(bytes of the store) for each hash that no `hash` of an item is.
  package func unmentioned(_ hashes: [String], limit: Int) throws -> [String] {
    var candidates = Set(hashes)
    var columns: [(table: String, column: String)] = []
    try connection.rows(
      """
      SELECT m.name, p.name, p.type FROM sqlite_schema AS m, pragma_table_info(m.name) AS p \
      WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND m.name NOT LIKE 'sqlite_%' \
      AND m.name NOT LIKE '%\\_search\\_%' ESCAPE '\\'
      """
    ) { row in
      if row.text(2) == "TEXT" { columns.append((row.text(0), row.text(1))) }
      return true
    }
    for (table, column) in columns where column == "hash" {
      for text in try connection.texts(
        "SELECT \(name: column) FROM \(name: table) WHERE \(name: column) IS NOT NULL")
      {
        candidates.remove(text)
      }
    }
    return try candidates.sorted().prefix(limit).filter { hash in
      try columns.allSatisfy { table, column in
        try connection.first(
          "SELECT 1 FROM \(name: table) WHERE instr(\(name: column), \(.text(hash))) LIMIT 1")
          == nil
      }
    }
  }
}
