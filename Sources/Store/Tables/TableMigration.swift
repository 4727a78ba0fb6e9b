import CEL

/// Brings an entity's tables to its definition, inside a transaction.
struct TableMigration {
  private let table: EntityTable
  private let store: EntityStore
  private var connection: Connection { store.connection }

  init(_ table: EntityTable, in store: EntityStore) {
    self.table = table
    self.store = store
  }

  /// Makes or changes the tables and records the definition.
  func run() throws {
    let key = "entity:" + table.name
    // Another process may have done it since our metadata were read.
    let stored = try store.metadata(key)
    guard stored != table.definition else { return }
    if stored == nil {
      try create()
    } else {
      try migrate()
    }
    try store.setMetadata(key, to: table.definition)
  }

  private func create() throws {
    let taken = try connection.first(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' \
      AND name = \(.text(table.name)) COLLATE NOCASE
      """)
    if case .text(let name)? = taken {
      throw StoreError(
        .incompatible,
        "the store has a table “\(name)” already: give the entity \(table.name) another name")
    }
    try connection.run(table.createTable)
    try connection.run(table.createDateIndex)
    try connection.run(table.createUseIndex)
    for property in table.indexedColumns { try connection.run(table.createIndex(property)) }
    for index in table.indexedLists {
      try connection.run(table.createListTable(table.schema.properties[index].name))
    }
    try makeTextIndex()
    try recordColumns(
      Dictionary(
        uniqueKeysWithValues: table.schema.properties.map { ($0.name, $0.type.storage.name) }))
  }

  private func makeTextIndex() throws {
    guard !table.searched.isEmpty else { return }
    try connection.run(table.createTextView)
    try connection.run(table.createTextIndex)
    // One segment for a whole batch of an import instead of several that must be merged.
    try connection.run(
      """
      INSERT INTO \(name: table.searchName) (\(name: table.searchName), rank) \
      VALUES ('hashsize', 8388608)
      """)
  }

  // MARK: Columns ever made, with how they hold their values

  private var columnsKey: String { "columns:" + table.name }

  private func recordColumns(_ columns: [String: String]) throws {
    let text = columns.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      .joined(separator: "\n")
    try store.setMetadata(columnsKey, to: text)
  }

  private func storedColumns() throws -> [String: String] {
    let lines = try store.metadata(columnsKey)?.split(separator: "\n") ?? []
    return Dictionary(
      lines.compactMap { line in
        let parts = line.split(separator: " ", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
      }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Changes

  private func migrate() throws {
    var columns = try storedColumns()
    for property in table.schema.properties {
      let storage = property.type.storage.name
      if let present = columns[property.name] {
        guard present == storage else {
          throw StoreError(
            .incompatible,
            "\(table.name).\(property.name) holds \(present) in the store and cannot become "
              + "\(property.type.description): give the new property another name")
        }
      } else {
        try connection.run(
          """
          ALTER TABLE \(name: table.name) ADD COLUMN \(raw: table.columnDefinition(property))
          """)
        columns[property.name] = storage
      }
      try fillMissingValues(of: property)
    }
    try recordColumns(columns)
    try renewIndexes()
    try renewIdentity()
  }

  /// Gives items without a value the default, where one is needed.
  private func fillMissingValues(of property: PropertySchema) throws {
    guard !property.isOptional else { return }
    if let value = property.defaultValue {
      let column = store.codec.column(
        try store.fit(value, to: property, of: table), of: property.type)
      try connection.run(
        """
        UPDATE \(name: table.name) SET \(name: property.name) = \(column) \
        WHERE \(name: property.name) IS NULL
        """)
      return
    }
    let missing = try connection.first(
      "SELECT 1 FROM \(name: table.name) WHERE \(name: property.name) IS NULL LIMIT 1")
    if missing != nil {
      throw StoreError(
        .incompatible,
        "stored items of \(table.name) have no “\(property.name)”: give it a default or make it "
          + "optional (\(property.type.description)?)")
    }
  }

  private func renewIndexes() throws {
    try dropIndexes()
    for property in table.indexedColumns { try connection.run(table.createIndex(property)) }
    for index in table.indexedLists {
      let name = table.schema.properties[index].name
      try connection.run(table.createListTable(name))
      try connection.run(
        """
        INSERT OR IGNORE INTO \(name: table.listName(name)) (value, createdAt, id) \
        SELECT e.value, t.createdAt, t.id FROM \(name: table.name) AS t, json_each(t.\(name: name)) AS e
        """)
    }
    try makeTextIndex()
    if !table.searched.isEmpty { try connection.run(table.rebuildTextIndex) }
  }

  private func dropIndexes() throws {
    var pieces: [SQL] = []
    let lists = table.name + "_list_"
    let indexes = table.name + "_by_"
    try connection.rows(
      """
      SELECT type, name FROM sqlite_schema WHERE tbl_name = \(.text(table.name)) AND type = 'index' \
      OR type IN ('table', 'view') AND sql IS NOT NULL
      """
    ) { row in
      let name = row.text(1)
      if row.text(0) == "index", name.hasPrefix(indexes), name.hasSuffix("_") {
        pieces.append("DROP INDEX \(name: name)")
      } else if name.hasPrefix(lists) || name == table.searchName {
        pieces.append("DROP TABLE \(name: name)")
      } else if name == table.textName {
        pieces.append("DROP VIEW \(name: name)")
      }
      return true
    }
    for piece in pieces { try connection.run(piece) }
  }

  /// Computes the identity of every item anew.
  private func renewIdentity() throws {
    var identities: [(Int64, String?)] = []
    try connection.rows("SELECT \(raw: table.columns) FROM \(name: table.name) AS t") { row in
      let record = try store.record(row, table)
      identities.append((row.int(0), store.identity(of: record.values, in: table)))
      return true
    }
    try connection.run("UPDATE \(name: table.name) SET _identity = NULL")
    for (id, identity) in identities {
      guard let identity else { continue }
      try connection.run(
        "UPDATE \(name: table.name) SET _identity = \(.text(identity)) WHERE id = \(.int(id))")
    }
  }
}
