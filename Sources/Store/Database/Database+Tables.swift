import CEL
package import Items

extension Database {
  /// Makes the table of an entity ready, migrating it when its definition changed.
  ///
  /// - Throws: `invalidValue` for a definition that cannot be stored, `incompatible`.
  package func prepare(_ schema: EntitySchema) throws {
    guard tables[schema.name] == nil else { return }
    try schema.validate()
    let table = EntityTable(schema)
    let definition = table.definition
    if isReadOnly {
      try prepareForReading(table)
    } else if metadata["entity:" + schema.name] != definition {
      let known = metadata
      // A migration copies the store as it is on the disk.
      try commit()
      do {
        let copy = try connection.transaction {
          var migration = TableMigration(table, in: self)
          return try migration.run()
        }
        if let copy {
          if let path { MigrationCopies(of: Self.resolved(path)).prune(schema.name) }
          context.didCopyBeforeMigrating(schema.name, copy)
        }
      } catch {
        metadata = known
        throw error
      }
      metadata["entity:" + schema.name] = definition
    }
    tables[schema.name] = table
    // What our metadata say of it may be older than what was compared with the file last.
    tables.checkedVersion = nil
  }

  /// Makes do with what the file has, when nothing can be written.
  ///
  /// - Throws: `readOnly` when the file was made for another definition.
  private func prepareForReading(_ table: EntityTable) throws {
    guard let stored = metadata["entity:" + table.name] else {
      table.isAbsent = true
      return
    }
    let columns = Set((metadata["columns:" + table.name] ?? "").split(separator: "\n"))
    let isKnown = table.schema.properties.allSatisfy {
      columns.contains("\($0.name) \($0.type.storage.name)"[...])
    }
    let current = StoredDefinition(table.definition)
    let previous = StoredDefinition(stored)
    guard isKnown, current.searched == previous.searched, current.indexed == previous.indexed
    else {
      throw StoreError(
        .readOnly,
        "the definition of \(table.name) changed, and the store cannot be written to follow it")
    }
    table.hasSeparatedWords = previous.wordsForm >= 2
    table.hasNames = previous.wordsForm >= 3
    if previous.columnsForm != current.columnsForm {
      table.mistypedColumns = try connection.mistypedColumns(of: table)
    }
  }

  /// The table of an entity, made ready if the host knows its definition.
  ///
  /// - Throws: `notFound`.
  package func table(_ entity: String) throws -> EntityTable {
    if let table = tables[entity] { return table }
    if let schema = context.schema(entity) { try prepare(schema) }
    if let table = tables[entity] { return table }
    if session.reverted != nil, let table = try recordedTable(entity) { return table }
    throw StoreError(.notFound, "there is no entity “\(entity)”")
  }

  /// The table of an entity that is not defined here, as the store recorded it; nil when there is
  /// none. It is not brought up to date, and serves to take changes back alone.
  ///
  /// - Throws: `conflict` when it is of a form that only its definition can bring up to date.
  private func recordedTable(_ entity: String) throws -> EntityTable? {
    if let table = tables.recorded[entity] { return table }
    guard let recorded = try metadata("entity:" + entity) else { return nil }
    guard let schema = EntitySchema(recorded: recorded, name: entity),
      case let table = EntityTable(schema), table.definition == recorded
    else {
      throw StoreError(
        .conflict,
        "the latest change is of a \(entity), which is not defined here, and the store has it in a "
          + "form of an earlier release: undo it where \(entity) is defined")
    }
    tables.recorded[entity] = table
    return table
  }

  // MARK: Definitions of other processes

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
