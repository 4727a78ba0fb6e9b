import CEL
import Items

extension EntityStore {
  /// Expects, in a transaction, the file that was opened, and takes over the definitions to which
  /// other processes brought its tables meanwhile: items in the old form would be lost there.
  ///
  /// - Throws: `io` when another file stands in its place, `incompatible` when what was recorded
  ///   cannot be followed.
  func catchUp() throws {
    if connection.hasMoved {
      throw StoreError(
        .io, "the store “\(connection.path)” was moved or replaced while it was in use")
    }
    let version = try connection.first("PRAGMA data_version")
    if version == tables.checkedVersion { return }
    for table in tables.all {
      let recorded = try metadata("entity:" + table.name)
      if recorded == table.definition { continue }
      tables[table.name] = try self.table(recorded: recorded, inPlaceOf: table)
      metadata["entity:" + table.name] = recorded
    }
    tables.checkedVersion = version
  }

  /// The table of an entity as another process recorded it.
  private func table(
    recorded text: String?, inPlaceOf table: EntityTable
  ) throws -> EntityTable {
    if let text, let schema = EntitySchema(recorded: text, name: table.name) {
      let new = EntityTable(schema.weighted(as: table.schema))
      if new.definition == text { return new }
    }
    throw StoreError(
      .incompatible,
      "the definition of \(table.name) was changed by another process meanwhile, to one that cannot "
        + "be followed here: try again")
  }
}

extension EntitySchema {
  /// The entity with the weights in searches and the limits of values that another definition of it
  /// has; they are not recorded.
  fileprivate func weighted(as other: EntitySchema) -> EntitySchema {
    EntitySchema(
      name: name,
      properties: properties.map { property in
        let known = other.properties.first { $0.name == property.name }
        return PropertySchema(
          name: property.name, type: property.type, isOptional: property.isOptional,
          default: property.defaultValue,
          searchWeight: property.searchWeight.map { known?.searchWeight ?? $0 },
          isIndexed: property.isIndexed, constraints: known?.constraints)
      }, identities: identities)
  }
}
