import Store

extension Connection {
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
