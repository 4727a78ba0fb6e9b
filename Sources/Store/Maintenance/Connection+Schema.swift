extension Connection {
  /// Whether the file has a table.
  func hasTable(_ name: String) throws -> Bool {
    try first("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = \(.text(name))") != nil
  }

  /// The names of all tables, indexes and views.
  func objectNames() throws -> Set<String> {
    try Set(texts("SELECT name FROM sqlite_schema"))
  }

  /// The columns of a table, in order.
  func columnNames(of table: String) throws -> [String] {
    try texts("SELECT name FROM pragma_table_info(\(.text(table)))")
  }

  /// The entities of which a definition is recorded.
  func recordedEntities() throws -> [String] {
    try texts(
      """
      SELECT substr(key, 8) FROM errand_meta \
      WHERE key >= 'entity:' AND key < 'entity;' ORDER BY key
      """)
  }

  /// The tables that have the columns that every entity's has.
  func itemTables() throws -> [String] {
    try texts(
      """
      SELECT name FROM sqlite_schema AS s WHERE type = 'table' \
      AND CASE WHEN rootpage > 0 THEN 5 = \
      (SELECT count(*) FROM pragma_table_info(s.name) AS c WHERE (c.cid, c.name) IN \
      (VALUES (0, 'id'), (1, 'uid'), (2, 'createdAt'), (3, 'updatedAt'), (4, '_identity'))) END \
      ORDER BY name
      """)
  }

  /// Makes what the recorded definitions need and the file has not.
  func makeMissing(_ progress: (String) -> Void) throws {
    if try !hasTable("errand_changes") { try StoreOpener.makeChangeLog(of: self) }
    let objects = try objectNames()
    for layout in try storedLayouts() {
      guard let recorded = layout.recorded else { continue }
      let table = EntityTable(recorded)
      let missing = layout.missing(from: objects)
      for index in missing.indexes {
        progress("making the index \(index.name)")
        try run(index.create)
      }
      for list in missing.lists {
        progress("making the lists of \(layout.name)")
        try run(table.createListTable(list))
        try run(layout.fillList(list))
      }
      guard missing.hasNoText else { continue }
      progress("making the text index of \(layout.name)")
      // One of a file that is attached is not meant.
      try run("DROP TABLE IF EXISTS main.\(name: table.searchName)")
      for part in StoredLayout.textTables {
        try run("DROP TABLE IF EXISTS main.\(name: table.name + part)")
      }
      try run("DROP VIEW IF EXISTS main.\(name: table.textName)")
      try TableIndexes(of: table, self).makeFilledText()
    }
  }

  /// The number that a table's highest should be at least; nil when what is recorded is good.
  func wrongNumber(of table: String) throws -> Int64? {
    let likely = StoreRescue.highestLikelyNumber
    var highest: Int64 = 0
    let given: [SQL] = [
      "SELECT max(id) FROM \(name: table) NOT INDEXED WHERE id <= \(.int(likely))",
      """
      SELECT max(last) FROM errand_changes WHERE entity = \(.text(table)) \
      AND typeof(last) = 'integer' AND last <= \(.int(likely))
      """,
    ]
    for query in given
    where try !query.text.contains("errand_changes") || hasTable("errand_changes") {
      if case .int(let number)? = try first(query) { highest = max(highest, number) }
    }
    switch try first("SELECT seq FROM sqlite_sequence WHERE name = \(.text(table))") {
    case nil: return highest > 0 ? highest : nil
    case .int(let number)?: return number < highest || number > likely ? highest : nil
    default: return highest
    }
  }
}

extension Connection {
  /// Sees to it that no number is given that an item had.
  func setHighestNumber(of table: String, atLeast number: Int64) throws {
    try run(
      """
      INSERT INTO sqlite_sequence (name, seq) SELECT \(.text(table)), 0 WHERE NOT EXISTS \
      (SELECT 1 FROM sqlite_sequence WHERE name = \(.text(table)))
      """)
    try run(
      """
      UPDATE sqlite_sequence SET seq = max(seq, \(.int(number))) WHERE name = \(.text(table))
      """)
  }
}
