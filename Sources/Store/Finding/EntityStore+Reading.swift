package import CEL
package import Items

extension EntityStore {
  /// The item of an id; nil when there is none.
  package func get(_ entity: String, id: Int64) throws -> Item? {
    let table = try table(entity)
    return try one(table.selectByID, .int(id), in: table)
  }

  /// The item that has this identity, such as a URL in any of its spellings; nil when there is
  /// none or the entity has no identity of one property.
  package func get(_ entity: String, identity text: String) throws -> Item? {
    let table = try table(entity)
    guard table.identity.count == 1, let index = table.identity.first,
      let identity = identity(of: .string(text), type: table.schema.properties[index].type)
    else { return nil }
    return try one(table.selectByIdentity, .text(identity), in: table)
  }

  /// The item of a global id; nil when there is none.
  package func get(_ entity: String, uid: String) throws -> Item? {
    let table = try table(entity)
    guard let uid = GlobalID(text: uid) else { return nil }
    return try one(table.selectByUID, .blob(uid.bytes), in: table)
  }

  /// The items whose property is this text but for capitals, `limit` at most: those that are exactly
  /// so first, then the newest.
  package func find(
    _ entity: String, property: String, sameAs text: String, limit: Int
  ) throws -> [Item] {
    let table = try table(entity)
    _ = try settableIndex(of: property, in: table)
    if table.isAbsent { return [] }
    var items: [Item] = []
    var condition: SQL =
      "\(raw: Connection.samenessFunction)(t.\(name: property), \(.text(text)))"
    if CaseFolding.isKnownToTextIndex(text), let match = table.phrase(text, in: property) {
      condition.append(
        """
         AND t.id IN (SELECT rowid FROM \(name: table.searchName) \
        WHERE \(name: table.searchName) MATCH \(.text(match)))
        """)
    }
    try connection.rows(
      """
      \(raw: table.select) WHERE \(condition) \
      ORDER BY t.\(name: property) = \(.text(text)) DESC, t.createdAt DESC, t.id DESC \
      LIMIT \(.int(Int64(limit)))
      """
    ) { row in
      items.append(try item(row, table))
      return true
    }
    return items
  }

  /// An item that is not stored, with the defaults for what is not given.
  package func makeUnsavedItem(_ entity: String, _ values: [(String, Value)]) throws -> Item {
    let table = try table(entity)
    var record = Record(values: try defaults(of: table))
    for (name, value) in values {
      let index = try settableIndex(of: name, in: table)
      record.values[index] = try fit(value, to: table.schema.properties[index], of: table)
    }
    return Item(record, layout: table.layout)
  }

  /// The record of an id; nil when there is none.
  func record(id: Int64, in table: EntityTable) throws -> Record? {
    if table.isAbsent { return nil }
    return try connection.withStatement(table.selectByID) { statement in
      try statement.bind(id, at: 1)
      return try statement.step() ? try record(statement, table) : nil
    }
  }

  private func one(_ text: String, _ key: SQLValue, in table: EntityTable) throws -> Item? {
    if table.isAbsent { return nil }
    return try connection.withStatement(text) { statement in
      try statement.bind(key, at: 1)
      return try statement.step() ? try item(statement, table) : nil
    }
  }

  /// The default of each property, or null.
  package func defaults(of table: EntityTable) throws -> [Value] {
    if let defaults = table.defaults { return defaults }
    let defaults = try table.schema.properties.map { property in
      guard let value = property.defaultValue else { return Value.null }
      return try fit(value, to: property, of: table)
    }
    table.defaults = defaults
    return defaults
  }
}
