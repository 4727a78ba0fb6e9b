import CEL

extension EntityStore {
  /// Makes the table of an entity ready, migrating it when its definition changed.
  ///
  /// - Throws: `invalidValue` for a definition that cannot be stored, `incompatible`.
  public func prepare(_ schema: EntitySchema) throws {
    guard tables[schema.name] == nil else { return }
    try schema.validate()
    let table = EntityTable(schema)
    let definition = table.definition
    if metadata["entity:" + schema.name] != definition {
      let known = metadata
      do {
        try connection.transaction { try TableMigration(table, in: self).run() }
      } catch {
        metadata = known
        throw error
      }
      metadata["entity:" + schema.name] = definition
    }
    tables[schema.name] = table
  }

  /// The table of an entity, made ready if the host knows its definition.
  ///
  /// - Throws: `notFound`.
  func table(_ entity: String) throws -> EntityTable {
    if let table = tables[entity] { return table }
    if let schema = context.schema(entity) { try prepare(schema) }
    guard let table = tables[entity] else {
      throw StoreError(.notFound, "there is no entity “\(entity)”")
    }
    return table
  }
}
