import Items
import Store

extension Database {
  /// The number of items of an entity with a wrong identity key.
  ///
  /// Duplicates of an item with the same identity have none.
  /// - Complexity: O(n log n) for n items.
  func wrongIdentities(of layout: StoredLayout) throws -> Int {
    guard let table = try wholeDefinition(of: layout) else { return 0 }
    func isTaken(_ identity: String?) throws -> Bool {
      try connection.exists(
        "SELECT 1 FROM \(name: table.name) WHERE _identity = \(.optional(identity))")
    }
    let properties = table.identity.map { table.schema.properties[$0] }
    let names = SQL.names(["id", "_identity"] + properties.map(\.name))
    var count = 0
    try connection.each("SELECT \(names) FROM \(name: table.name) NOT INDEXED") { row in
      let identity = try items.identity(
        of: properties.enumerated().map { index, property in
          (try codec.value(of: property.type, in: row, column: Int32(index + 2)), property.type)
        })
      let stored = row.isNull(1) ? nil : row.text(1)
      if try stored != identity && (stored != nil || !isTaken(identity)) { count += 1 }
    }
    return count
  }

  /// The definition of an entity with everything that identities depend on; nil when neither this
  /// process nor the recorded schema has it.
  func wholeDefinition(of layout: StoredLayout) throws -> EntityTable? {
    let recorded = try metadata("entity:" + layout.name)
    let known = [context.rules.schema(layout.name), layout.recorded].compactMap { $0 }
    return ([tables[layout.name]] + known.map { EntityTable($0) }).compactMap { $0 }
      .first { $0.definition == recorded }
  }
}
