import Items
import Store

/// Looks for items that are not found by what tells them from others.
struct IdentityCheck {
  private let store: Database
  private let table: EntityTable?

  init(_ layout: StoredLayout, _ store: Database) throws {
    self.store = store
    table = try store.wholeDefinition(of: layout)
  }

  /// How many have another text of identity than they should.
  ///
  /// One that is the same as an item found by it goes without.
  /// - Complexity: O(n log n) for n items.
  func wrongCount() throws -> Int {
    guard let table else { return 0 }
    let properties = table.identity.map { table.schema.properties[$0] }
    let names = SQL.joined(
      ["id", "_identity"] + properties.map { "\(name: $0.name)" as SQL }, separator: ", ")
    var count = 0
    try store.connection.rows("SELECT \(names) FROM \(name: table.name) NOT INDEXED") { row in
      let identity = try store.items.identity(
        of: properties.enumerated().map { index, property in
          (
            try store.codec.value(of: property.type, in: row, column: Int32(index + 2)),
            property.type
          )
        })
      let stored = row.isNull(1) ? nil : row.text(1)
      if try stored != identity && (stored != nil || !isTaken(identity)) { count += 1 }
      return true
    }
    return count
  }

  private func isTaken(_ identity: String?) throws -> Bool {
    guard let identity, let table else { return false }
    return try store.connection.first(
      "SELECT 1 FROM \(name: table.name) WHERE _identity = \(.text(identity))") != nil
  }
}

extension Database {
  /// The definition of an entity as the file has it, with all that identities depend on; nil where
  /// neither this process nor what an earlier release recorded tells that.
  func wholeDefinition(of layout: StoredLayout) throws -> EntityTable? {
    let recorded = try metadata("entity:" + layout.name)
    let known = [context.schema(layout.name), layout.recorded].compactMap { $0 }
    return ([tables[layout.name]] + known.map { EntityTable($0) }).compactMap { $0 }
      .first { $0.definition == recorded }
  }
}
