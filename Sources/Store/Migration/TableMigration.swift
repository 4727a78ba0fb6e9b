import CEL
import Glibc
import Items

/// Migrates an entity's tables to its schema, inside a transaction.
struct TableMigration {
  let table: EntityTable
  let database: Database
  private let indexes: TableIndexes
  /// Whether the store was copied, if possible, before the first change of items.
  private var isCopied = false
  private var backup: String?
  var connection: Connection { database.connection }

  init(_ table: EntityTable, in database: Database) {
    self.table = table
    self.database = database
    indexes = TableIndexes(of: table, database.connection)
  }

  /// Creates or migrates the tables and records the schema.
  ///
  /// - Returns: The path of the copy made before the items changed; nil if there is none.
  /// - Throws: `incompatible`; nothing is changed then.
  mutating func run() throws -> String? {
    let key = "entity:" + table.name
    // Another process may have migrated since our metadata was read.
    let stored = try database.metadata(key)
    guard stored != table.definition else { return nil }
    if let stored = stored.map(StoredDefinition.init) {
      if let count = try connection.number("SELECT max(id) FROM \(name: table.name)") {
        database.context.events.willMigrate(table.name, Int(count))
      }
      let current = StoredDefinition(table.definition)
      if stored.differsInFormsAlone(from: current),
        try connection.mistypedColumns(of: table).isEmpty
      {
        if stored.wordsForm != current.wordsForm { try indexes.renewText() }
      } else {
        try migrate(from: stored)
      }
    } else {
      try create()
    }
    try database.setMetadata(key, to: table.definition)
    // Older releases would write rows that this one does not find.
    let format = String(StoreOpener.format)
    if try database.metadata("format") != format { try database.setMetadata("format", to: format) }
    return backup
  }

  private func create() throws {
    let taken = try connection.text(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' \
      AND name = \(.text(table.name)) COLLATE NOCASE
      """)
    if let name = taken {
      if name == table.name, try connection.itemTables().contains(name) {
        throw StoreError(
          .corrupt, "the store has no schema for its table “\(name)”", remedy: .rescue)
      }
      throw Self.refusal(
        "the store already has a table “\(name)”: give the entity \(table.name) another name")
    }
    try connection.run(table.createTable)
    try connection.run(table.createDateIndex)
    try connection.run(table.createUseIndex)
    try indexes.make()
    try recordColumns(
      Dictionary(
        uniqueKeysWithValues: table.schema.properties.map { ($0.name, $0.type.storageName) }))
  }

  // MARK: Recorded columns, with their storage kinds

  private func recordColumns(_ columns: [String: String]) throws {
    let text = columns.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      .joined(separator: "\n")
    try database.setMetadata("columns:" + table.name, to: text)
  }

  // MARK: Changes

  static func refusal(_ message: String) -> StoreError {
    StoreError(.incompatible, message)
  }

  /// The first item that matches a condition; nil when none does.
  func firstItem(where condition: SQL) throws -> ItemReference? {
    try connection.number(
      "SELECT id FROM \(name: table.name) WHERE \(condition) ORDER BY id LIMIT 1"
    ).map(reference)
  }

  func reference(_ id: Int64) -> ItemReference {
    ItemReference(entity: table.name, id: id)
  }

  /// Sets a property of the items that match a condition.
  func set(_ property: PropertySchema, to value: SQL, where condition: SQL) throws {
    try connection.run(
      "UPDATE \(name: table.name) SET \(name: property.name) = \(value) WHERE \(condition)")
  }

  /// The column of a value that fits its property, such as a default.
  func column(_ value: Value, of property: PropertySchema) throws -> SQLValue {
    database.codec.column(try database.items.fit(value, to: property, of: table), of: property.type)
  }

  private mutating func migrate(from stored: StoredDefinition) throws {
    do { try change(from: stored) } catch {
      // A refused migration changed nothing, so its backup is not needed.
      if let backup { unlink(backup) }
      throw error
    }
  }

  /// Copies the store before items change; indexes are rebuilt from them.
  mutating func copyBeforeChange() throws {
    if isCopied { return }
    backup = try database.backUpBesides(before: table.name)
    isCopied = true
  }

  private mutating func change(from stored: StoredDefinition) throws {
    var columns = try database.recordedColumns(of: table.name)
    try expectRecord(of: columns)
    // The former names of the columns that are renamed.
    var former: [String: String] = [:]
    for property in table.schema.properties where columns[property.name] == nil {
      former[property.name] = property.formerName.flatMap { columns[$0] == nil ? nil : $0 }
    }
    if !former.isEmpty {
      try copyBeforeChange()
      try indexes.drop()
    }
    for (name, old) in former {
      try connection.run(
        "ALTER TABLE \(name: table.name) RENAME COLUMN \(name: old) TO \(name: name)")
      columns[name] = columns.removeValue(forKey: old)
      // Within texts, quotes are escaped.
      if try SystemTables.log.exist(in: database) {
        let (was, now) = (SQLValue.text("\"\(old)\":"), SQLValue.text("\"\(name)\":"))
        try connection.run(
          """
          UPDATE errand_changes SET before = replace(before, \(was), \(now)), \
          after = replace(after, \(was), \(now)) WHERE entity = \(.text(table.name))
          """)
      }
    }
    try expectDistinctNames(columns)
    let mistyped = try connection.mistypedColumns(of: table)
    if !mistyped.isEmpty {
      // SQLite cannot drop a column that an index refers to.
      try indexes.drop()
    }
    for property in table.schema.properties where !property.formerValues.isEmpty {
      try takeFormerValues(of: property, &columns)
    }
    for property in table.schema.properties {
      if let present = columns[property.name] {
        try convert(property, from: present)
        if stored.packed.contains(former[property.name] ?? property.name), !property.isBody {
          try unpack(property)
        }
        if mistyped.contains(property.name) { try makeColumnAnew(property) }
      } else {
        try addColumn(property)
      }
      columns[property.name] = property.type.storageName
      try fillMissingValues(of: property)
      try expectKnownValues(of: property)
      if property.type.holdsURLs, !stored.urls.contains(property.name) {
        try expectURLs(of: property)
      }
    }
    try recordColumns(columns)
    let current = StoredDefinition(table.definition)
    try indexes.renewValues()
    if !mistyped.isEmpty || !former.isEmpty || stored.searched != current.searched
      || stored.wordsForm != current.wordsForm
    {
      try indexes.renewText()
    }
    if stored.identity != current.identity {
      try copyBeforeChange()
      try renewIdentity()
    }
  }

  private mutating func addColumn(_ property: PropertySchema) throws {
    try copyBeforeChange()
    try connection.run(
      "ALTER TABLE \(name: table.name) ADD COLUMN \(raw: table.columnDefinition(property))")
  }

  /// Moves values that used to belong to other properties to this one, and resets those to their
  /// default.
  private mutating func takeFormerValues(
    of property: PropertySchema, _ columns: inout [String: String]
  ) throws {
    if columns[property.name] == nil {
      try addColumn(property)
      columns[property.name] = property.type.storageName
    }
    for (name, values) in property.formerValues.sorted(by: { $0.key < $1.key }) {
      guard columns[name] != nil,
        let other = table.schema.properties.first(where: { $0.name == name })
      else { continue }
      let former = values.keys.sorted()
      let isMeant: SQL = "\(name: name) IN (\(SQL.values(former.map(SQLValue.text))))"
      guard try firstItem(where: isMeant) != nil else { continue }
      try copyBeforeChange()
      let otherDefault = try other.defaultValue.map { try column($0, of: other) }
      let cases = SQL.joined(
        former.map { value -> SQL in "WHEN \(.text(value)) THEN \(.text(values[value] ?? value))" },
        separator: " ")
      try connection.run(
        """
        UPDATE \(name: table.name) SET \(name: property.name) = CASE \(name: name) \(cases) END, \
        \(name: name) = \(otherDefault ?? .null) WHERE \(isMeant)
        """)
    }
  }

  /// Checks that every column's storage kind is recorded.
  private func expectRecord(of columns: [String: String]) throws {
    // Every table has seven system columns.
    if try connection.columnNames(of: table.name).count == 7 + columns.count { return }
    throw StoreError(
      .corrupt, "the store has no types for some columns of “\(table.name)”", remedy: .rescue)
  }

  private func expectDistinctNames(_ columns: [String: String]) throws {
    for property in table.schema.properties where columns[property.name] == nil {
      let lowered = property.name.lowercased()
      if let other = columns.keys.first(where: { $0.lowercased() == lowered }) {
        throw Self.refusal(
          "“\(property.name)” differs only in case from “\(other)”, an earlier property "
            + "of \(table.name) whose values are kept: write it “\(other)”, or choose another name")
      }
    }
  }

  // MARK: Identity

  /// Recomputes the identity of every item.
  private func renewIdentity() throws {
    var identities: [(id: Int64, identity: String)] = []
    var owners: [String: Int64] = [:]
    try connection.each("\(raw: table.select)") { row in
      let record = try database.items.record(row, table)
      guard let identity = database.items.identity(of: record.values, in: table) else { return }
      if let other = owners.updateValue(row.int(0), forKey: identity) {
        let properties = table.schema.identities.joined(separator: " and ")
        throw Self.refusal(
          "\(reference(other)) and \(reference(row.int(0))) have the same \(properties): make them "
            + "differ or delete one before it can be the identity of \(table.name)")
      }
      identities.append((row.int(0), identity))
    }
    try connection.run("UPDATE \(name: table.name) SET _identity = NULL")
    for (id, identity) in identities {
      try connection.run(
        "UPDATE \(name: table.name) SET _identity = \(.text(identity)) WHERE id = \(.int(id))")
    }
  }
}
