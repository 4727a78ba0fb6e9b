import Items
import Store

extension EntityStore {
  /// Items that are not found by their identity.
  func identityProblems(of layout: StoredLayout) throws -> [StoreProblem] {
    let count = try wrongIdentities(of: layout).count
    return count == 0
      ? []
      : [
        StoreProblem(
          kind: .identity, entity: layout.name,
          message: "\(count) of \(layout.name) are not found by what tells them from others")
      ]
  }

  /// The items whose text of identity is another one than it should be, with that one.
  ///
  /// One that is the same as an item found by it goes without.
  /// - Complexity: O(n log n) for n items; nothing is known of an entity that is not defined here.
  func wrongIdentities(
    of layout: StoredLayout
  ) throws -> [(id: Int64, identity: String?)] {
    guard let table = tables[layout.name], !table.isAbsent,
      // Another process may have brought it to another definition meanwhile.
      try metadata("entity:" + table.name) == table.definition
    else { return [] }
    var wrong: [(id: Int64, identity: String?)] = []
    guard !table.identity.isEmpty else {
      try connection.rows(
        "SELECT id FROM \(name: table.name) NOT INDEXED WHERE _identity IS NOT NULL"
      ) { row in
        wrong.append((row.int(0), nil))
        return true
      }
      return wrong
    }
    let properties = table.identity.map { table.schema.properties[$0] }
    let names = SQL.joined(
      properties.map { property -> SQL in "\(name: property.name)" }, separator: ", ")
    try connection.rows(
      "SELECT id, _identity, \(names) FROM \(name: table.name) NOT INDEXED"
    ) { row in
      let identity = try identity(
        of: properties.enumerated().map { index, property in
          (try codec.value(of: property.type, in: row, column: Int32(index + 2)), property.type)
        })
      let stored = row.isNull(1) ? nil : row.text(1)
      if stored == identity { return true }
      if stored == nil, let identity, try isTaken(identity, in: table) { return true }
      wrong.append((row.int(0), identity))
      return true
    }
    return wrong
  }

  private func isTaken(_ identity: String, in table: EntityTable) throws -> Bool {
    try connection.first(
      "SELECT 1 FROM \(name: table.name) WHERE _identity = \(.text(identity))") != nil
  }

  /// Sets what items are found again by.
  ///
  /// - Returns: What is lost, in a sentence; nil when nothing is.
  func mendIdentities(of layout: StoredLayout) throws -> String? {
    guard let table = tables[layout.name] else { return nil }
    let wrong = try wrongIdentities(of: layout)
    for (id, _) in wrong {
      try connection.run(
        "UPDATE \(name: table.name) SET _identity = NULL WHERE id = \(.int(id))")
    }
    var contested: [Int64] = []
    for (id, identity) in wrong {
      guard let identity else { continue }
      if try isTaken(identity, in: table) {
        contested.append(id)
        continue
      }
      try connection.run(
        """
        UPDATE \(name: table.name) SET _identity = \(.text(identity)) WHERE id = \(.int(id))
        """)
    }
    return contested.isEmpty ? nil : StoredLayout.loss(ofIdentities: contested, in: table.name)
  }
}
