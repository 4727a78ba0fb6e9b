extension Connection {
  /// Whether the file has a table.
  package func hasTable(_ name: String) throws -> Bool {
    try first("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = \(.text(name))") != nil
  }

  /// The names of all tables, indexes and views.
  package func objectNames() throws -> Set<String> {
    try Set(texts("SELECT name FROM sqlite_schema"))
  }

  /// The columns of a table, in order.
  func columnNames(of table: String) throws -> [String] {
    try texts("SELECT name FROM pragma_table_info(\(.text(table)))")
  }

  /// The entities of which a definition is recorded.
  package func recordedEntities() throws -> [String] {
    try texts(
      """
      SELECT substr(key, 8) FROM errand_meta \
      WHERE key >= 'entity:' AND key < 'entity;' ORDER BY key
      """)
  }

  /// The tables that have the columns that every entity's has.
  package func itemTables() throws -> [String] {
    try texts(
      """
      SELECT name FROM sqlite_schema AS s WHERE type = 'table' \
      AND CASE WHEN rootpage > 0 THEN 5 = \
      (SELECT count(*) FROM pragma_table_info(s.name) AS c WHERE (c.cid, c.name) IN \
      (VALUES (0, 'id'), (1, 'uid'), (2, 'createdAt'), (3, 'updatedAt'), (4, '_identity'))) END \
      ORDER BY name
      """)
  }
}
