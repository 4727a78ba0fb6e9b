import CEL
package import Items

extension Database {
  /// Prepares the table of an entity, migrating it when its schema changed.
  ///
  /// - Throws: `invalidValue` for a schema that cannot be stored, `incompatible`.
  package func prepare(_ schema: EntitySchema) throws {
    guard tables[schema.name] == nil else { return }
    try schema.validate()
    let table = EntityTable(schema)
    let definition = table.definition
    if isReadOnly {
      try prepareForReading(table)
    } else if metadata["entity:" + schema.name] != definition {
      let known = metadata
      // A migration copies the store as committed to disk.
      try commit()
      do {
        let copy = try connection.transaction {
          var migration = TableMigration(table, in: self)
          return try migration.run()
        }
        if let copy {
          if let path { MigrationCopies(of: Self.resolved(path)).prune(schema.name) }
          context.events.didCopyBeforeMigrating(schema.name, copy)
        }
      } catch {
        metadata = known
        throw error
      }
      metadata["entity:" + schema.name] = definition
    }
    tables[schema.name] = table
    // Our cached metadata may be older than the last comparison with the file.
    checkedVersion = nil
  }

  /// Prepares the table of an entity in a read-only file.
  ///
  /// - Throws: `readOnly` when the file needs a migration.
  private func prepareForReading(_ table: EntityTable) throws {
    guard let stored = metadata["entity:" + table.name] else {
      table.isAbsent = true
      return
    }
    let columns = Set((metadata["columns:" + table.name] ?? "").split(separator: "\n"))
    let isKnown = table.schema.properties.allSatisfy {
      columns.contains("\($0.name) \($0.type.storageName)"[...])
    }
    let current = StoredDefinition(table.definition)
    let previous = StoredDefinition(stored)
    guard isKnown, current.searched == previous.searched, current.indexed == previous.indexed else {
      throw StoreError(
        .readOnly,
        "the definition of \(table.name) changed, but the store cannot be written to migrate it")
    }
    table.hasSeparatedWords = previous.wordsForm >= 2
    table.hasNames = previous.wordsForm >= 3
    if previous.columnsForm != current.columnsForm {
      table.mistypedColumns = try connection.mistypedColumns(of: table)
    }
  }

  /// The table of an entity, prepared if the host knows its schema.
  ///
  /// - Throws: `notFound`.
  package func table(_ entity: String) throws -> EntityTable {
    if let table = tables[entity] {
      guard table.isAbsent, try hasAppeared(table) else { return table }
      tables[entity] = nil
    }
    if let schema = context.rules.schema(entity) { try prepare(schema) }
    if let table = tables[entity] { return table }
    if session.reverted != nil, let table = try recordedTable(entity) { return table }
    throw StoreError(.notFound, "there is no entity “\(entity)”")
  }

  /// Whether another process has created a table that the file did not have.
  private func hasAppeared(_ table: EntityTable) throws -> Bool {
    for key in ["entity:", "columns:"] {
      guard let text = try metadata(key + table.name) else { return false }
      metadata[key + table.name] = text
    }
    return true
  }

  /// The table of an entity without a definition, from the recorded schema; nil when there is none.
  /// It is not migrated, and used only for undo.
  ///
  /// - Throws: `conflict` when its format is outdated, since only its definition can migrate it.
  func recordedTable(_ entity: String) throws -> EntityTable? {
    if let table = recordedTables[entity] { return table }
    guard let recorded = try metadata("entity:" + entity) else { return nil }
    guard let schema = EntitySchema(recorded: recorded, name: entity),
      case let table = EntityTable(schema), table.definition == recorded
    else {
      throw StoreError(
        .conflict,
        "the latest change concerns \(entity), which is not defined here and is stored in the "
          + "format of an earlier release: undo it where \(entity) is defined")
    }
    recordedTables[entity] = table
    return table
  }

  // MARK: Definitions of other processes

  /// Checks, in a transaction, that the file is still the opened one, and adopts the schemas to
  /// which other processes migrated its tables meanwhile: items in the old form would be lost.
  ///
  /// - Throws: `io` when the file was replaced, `incompatible` when a recorded schema cannot be
  ///   adopted.
  func catchUp() throws {
    if connection.hasMoved {
      throw StoreError(
        .io, "the store “\(connection.path)” was moved or replaced while it was in use")
    }
    let version = try connection.first("PRAGMA data_version")
    if version == checkedVersion { return }
    for table in Array(tables.values) {
      let recorded = try metadata("entity:" + table.name)
      if recorded == table.definition { continue }
      tables[table.name] = try self.table(recorded: recorded, inPlaceOf: table)
      metadata["entity:" + table.name] = recorded
    }
    checkedVersion = version
  }

  /// The table of an entity as recorded by another process.
  private func table(recorded text: String?, inPlaceOf table: EntityTable) throws -> EntityTable {
    if let text, let schema = EntitySchema(recorded: text, name: table.name) {
      let new = EntityTable(schema.weighted(as: table.schema))
      if new.definition == text { return new }
    }
    throw StoreError(
      .incompatible,
      "another process has changed the definition of \(table.name) to one that this process "
        + "cannot use: try again")
  }
}

extension EntitySchema {
  /// The entity with the search weights and value constraints of another schema; they are not
  /// recorded.
  fileprivate func weighted(as other: EntitySchema) -> EntitySchema {
    EntitySchema(
      name: name,
      properties: properties.map { property in
        let known = other.properties.first { $0.name == property.name }
        return PropertySchema(
          name: property.name, type: property.type, isOptional: property.isOptional,
          default: property.defaultValue,
          searchWeight: property.searchWeight.map { known?.searchWeight ?? $0 },
          isIndexed: property.isIndexed, constraints: known?.constraints,
          isShared: known?.isShared ?? true)
      }, identities: identities)
  }
}
