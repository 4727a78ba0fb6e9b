import CEL
import Glibc
import Items

/// Brings an entity's tables to its definition, inside a transaction.
struct TableMigration {
  let table: EntityTable
  let database: Database
  private let indexes: TableIndexes
  /// Whether the store was copied, if it can be, before an item changed.
  private var isCopied = false
  private var backup: String?
  var connection: Connection { database.connection }

  init(_ table: EntityTable, in database: Database) {
    self.table = table
    self.database = database
    indexes = TableIndexes(of: table, database.connection)
  }

  /// Makes or changes the tables and records the definition.
  ///
  /// - Returns: The path of the copy of the store that was made before the table of its items
  ///   changed; nil when that did not, or has none.
  /// - Throws: `incompatible`, and then nothing was changed.
  mutating func run() throws -> String? {
    let key = "entity:" + table.name
    // Another process may have done it since our metadata were read.
    let stored = try database.metadata(key)
    guard stored != table.definition else { return nil }
    if let stored = stored.map(StoredDefinition.init) {
      if let count = try connection.number("SELECT max(id) FROM \(name: table.name)") {
        database.context.willMigrate(table.name, Int(count))
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
    // Releases that read only earlier formats would write what this one does not find.
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
          .corrupt,
          "the store does not tell what its table “\(name)” holds", remedy: .rescue)
      }
      throw StoreError(
        .incompatible,
        "the store has a table “\(name)” already: give the entity \(table.name) another name")
    }
    try connection.run(table.createTable)
    try connection.run(table.createDateIndex)
    try connection.run(table.createUseIndex)
    try indexes.make()
    try recordColumns(
      Dictionary(
        uniqueKeysWithValues: table.schema.properties.map { ($0.name, $0.type.storage.name) }))
  }

  // MARK: Columns ever made, with how they hold their values

  private func recordColumns(_ columns: [String: String]) throws {
    let text = columns.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      .joined(separator: "\n")
    try database.setMetadata("columns:" + table.name, to: text)
  }

  // MARK: Changes

  private mutating func migrate(from stored: StoredDefinition) throws {
    do {
      try change(from: stored)
    } catch {
      // What was refused changed nothing, so there is nothing to go back to.
      if let backup { unlink(backup) }
      throw error
    }
  }

  /// Copies the store before the table of its items changes; indexes are made from these.
  mutating func copyBeforeChange() throws {
    if isCopied { return }
    backup = try database.backUpBesides(before: table.name)
    isCopied = true
  }

  private mutating func change(from stored: StoredDefinition) throws {
    var columns = try database.recordedColumns(of: table.name)
    try expectRecord(of: columns)
    try expectDistinctNames(columns)
    let mistyped = try connection.mistypedColumns(of: table)
    if !mistyped.isEmpty {
      // What names a column keeps it from being dropped.
      try indexes.drop()
    }
    for property in table.schema.properties where !property.formerValues.isEmpty {
      try takeFormerValues(of: property, &columns)
    }
    for property in table.schema.properties {
      let storage = property.type.storage
      if let present = columns[property.name] {
        try convert(property, from: present)
        if stored.packed.contains(property.name), !property.isBody { try unpack(property) }
        if mistyped.contains(property.name) { try makeColumnAnew(property) }
      } else {
        try addColumn(property)
      }
      columns[property.name] = storage.name
      try fillMissingValues(of: property)
      try expectKnownValues(of: property)
      if property.type.holdsURLs, !stored.urls.contains(property.name) {
        try expectURLs(of: property)
      }
    }
    try recordColumns(columns)
    let current = StoredDefinition(table.definition)
    try indexes.renewValues()
    if !mistyped.isEmpty || stored.searched != current.searched
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

  /// Moves values that other properties had before to the property whose they are now; the others
  /// get their default.
  private mutating func takeFormerValues(
    of property: PropertySchema, _ columns: inout [String: String]
  ) throws {
    if columns[property.name] == nil {
      try addColumn(property)
      columns[property.name] = property.type.storage.name
    }
    for (name, values) in property.formerValues.sorted(by: { $0.key < $1.key }) {
      guard columns[name] != nil,
        let other = table.schema.properties.first(where: { $0.name == name })
      else { continue }
      let former = values.keys.sorted()
      let list = SQL.joined(former.map { value -> SQL in "\(.text(value))" }, separator: ", ")
      let isMeant: SQL = "\(name: name) IN (\(list))"
      guard
        try connection.exists("SELECT 1 FROM \(name: table.name) WHERE \(isMeant) LIMIT 1")
      else { continue }
      try copyBeforeChange()
      let usual = try other.defaultValue.map { value in
        database.codec.column(try database.items.fit(value, to: other, of: table), of: other.type)
      }
      let cases = SQL.joined(
        former.map { value -> SQL in
          "WHEN \(.text(value)) THEN \(.text(values[value] ?? value))"
        }, separator: " ")
      try connection.run(
        """
        UPDATE \(name: table.name) SET \(name: property.name) = CASE \(name: name) \(cases) END, \
        \(name: name) = \(usual ?? .null) WHERE \(isMeant)
        """)
    }
  }

  /// Expects that it is recorded of each column how it holds its values.
  private func expectRecord(of columns: [String: String]) throws {
    let unknown = try connection.number(
      """
      SELECT count(*) FROM pragma_table_info(\(.text(table.name))) WHERE cid > 6
      """)
    if unknown == Int64(columns.count) { return }
    throw StoreError(
      .corrupt,
      "the store does not tell what the columns of “\(table.name)” hold", remedy: .rescue)
  }

  private func expectDistinctNames(_ columns: [String: String]) throws {
    for property in table.schema.properties where columns[property.name] == nil {
      let lowered = property.name.lowercased()
      if let other = columns.keys.first(where: { $0.lowercased() == lowered }) {
        throw StoreError(
          .incompatible,
          "“\(property.name)” differs only in capitals from “\(other)”, which items of "
            + "\(table.name) had before and keep: write it “\(other)”, or give it another name")
      }
    }
  }

  // MARK: Identity

  /// Computes the identity of every item anew.
  private func renewIdentity() throws {
    var identities: [(id: Int64, identity: String)] = []
    var owners: [String: Int64] = [:]
    try connection.rows("\(raw: table.select)") { row in
      let record = try database.items.record(row, table)
      guard let identity = database.items.identity(of: record.values, in: table) else {
        return true
      }
      if let other = owners.updateValue(row.int(0), forKey: identity) {
        let first = ItemReference(entity: table.name, id: other)
        let second = ItemReference(entity: table.name, id: row.int(0))
        throw StoreError(
          .incompatible,
          "\(first) and \(second) have the same \(table.schema.identities.joined(separator: " and ")): make them "
            + "differ or delete one before it can be the identity of \(table.name)")
      }
      identities.append((row.int(0), identity))
      return true
    }
    try connection.run("UPDATE \(name: table.name) SET _identity = NULL")
    for (id, identity) in identities {
      try connection.run(
        "UPDATE \(name: table.name) SET _identity = \(.text(identity)) WHERE id = \(.int(id))")
    }
  }
}

extension Connection {
  /// The columns of an entity whose type in SQL is not the one that their values want.
  func mistypedColumns(of table: EntityTable) throws -> Set<String> {
    var types: [String: String] = [:]
    try rows("PRAGMA table_info(\(name: table.name))") { row in
      types[row.text(1)] = row.text(2)
      return true
    }
    let mistyped = table.schema.properties.filter { property in
      types[property.name].map { $0 != property.type.storage.columnType } ?? false
    }
    return Set(mistyped.map(\.name))
  }
}

/// How the values that items have become those that a changed definition wants.
extension TableMigration {
  /// Makes plain texts of packed ones.
  mutating func unpack(_ property: PropertySchema) throws {
    try copyBeforeChange()
    try connection.run(
      """
      UPDATE \(name: table.name) SET \(name: property.name) = \
      \(raw: Connection.unpackingFunction)(\(name: property.name)) \
      WHERE typeof(\(name: property.name)) = 'blob'
      """)
  }

  /// Brings a column from one form to another where that loses nothing.
  mutating func convert(_ property: PropertySchema, from present: String) throws {
    let wanted = property.type.storage.name
    if present == wanted { return }
    let used = try connection.number(
      """
      SELECT id FROM \(name: table.name) WHERE \(name: property.name) IS NOT NULL \
      ORDER BY id LIMIT 1
      """)
    guard let id = used else { return }
    if present == "int", wanted == "double" {
      // Its column, which is made anew, makes doubles of them.
      try expectExactDoubles(of: property)
    } else if wanted == "list<double>", present == "double" {
      try copyBeforeChange()
      try listDoubles(of: property)
    } else if wanted == "list<\(present)>" {
      try copyBeforeChange()
      let value: SQL =
        present == "bool"
        ? "json(CASE WHEN \(name: property.name) THEN 'true' ELSE 'false' END)"
        : "\(name: property.name)"
      try connection.run(
        """
        UPDATE \(name: table.name) SET \(name: property.name) = json_array(\(value)) \
        WHERE \(name: property.name) IS NOT NULL
        """)
    } else {
      throw StoreError(
        .incompatible,
        "\(reference(id)) has a \(table.name).\(property.name) that is stored as \(present), which "
          + "cannot become \(property.type.description): give the new property another name")
    }
  }

  private func reference(_ id: Int64) -> ItemReference {
    ItemReference(entity: table.name, id: id)
  }

  /// Refuses to make doubles of numbers that would lose digits.
  private func expectExactDoubles(of property: PropertySchema) throws {
    let column: SQL = "\(name: property.name)"
    // Up to 2^53 every whole number is a double.
    try connection.rows(
      """
      SELECT id, \(column) FROM \(name: table.name) \
      WHERE \(column) NOT BETWEEN -9007199254740992 AND 9007199254740992 ORDER BY id
      """
    ) { row in
      if Double(exactly: row.int(1)) != nil { return true }
      throw StoreError(
        .incompatible,
        "\(reference(row.int(0))) has \(row.int(1)) as its “\(property.name)”, which a double "
          + "cannot hold to the last digit: change it first, or declare “\(property.name)” as int")
    }
  }

  /// Makes lists of one double; SQLite's JSON has fewer digits and no infinity.
  private func listDoubles(of property: PropertySchema) throws {
    let numbers = try connection.map(
      """
      SELECT id, \(name: property.name) FROM \(name: table.name) \
      WHERE \(name: property.name) IS NOT NULL
      """
    ) { row in (row.int(0), row.double(1)) }
    for (id, number) in numbers {
      let list = database.codec.column(.list([.double(number)]), of: property.type)
      try connection.run(
        "UPDATE \(name: table.name) SET \(name: property.name) = \(list) WHERE id = \(.int(id))")
    }
  }

  /// Makes a column with the type in SQL that its values want.
  ///
  /// A column of INTEGER would keep 3.0 as 3, which SQLite divides by the rules of integers, and
  /// make a number of a text such as `1e3`.
  mutating func makeColumnAnew(_ property: PropertySchema) throws {
    let hasValues = try connection.exists(
      "SELECT 1 FROM \(name: table.name) WHERE \(name: property.name) IS NOT NULL LIMIT 1")
    if hasValues { try copyBeforeChange() }
    let new = PropertySchema(name: "_anew", type: property.type)
    let entity: SQL = "ALTER TABLE \(name: table.name)"
    try connection.run("\(entity) ADD COLUMN \(raw: table.columnDefinition(new))")
    try connection.run(
      "UPDATE \(name: table.name) SET \(name: new.name) = \(name: property.name)")
    try connection.run("\(entity) DROP COLUMN \(name: property.name)")
    try connection.run("\(entity) RENAME COLUMN \(name: new.name) TO \(name: property.name)")
  }

  /// Gives items without a value the default, where one is needed.
  mutating func fillMissingValues(of property: PropertySchema) throws {
    guard !property.isOptional,
      let id = try connection.number(
        """
        SELECT id FROM \(name: table.name) WHERE \(name: property.name) IS NULL \
        ORDER BY id LIMIT 1
        """)
    else { return }
    guard let value = property.defaultValue else {
      throw StoreError(
        .incompatible,
        "\(reference(id)) has no “\(property.name)”: give it a default or make it optional "
          + "(\(property.type.description)?)")
    }
    try copyBeforeChange()
    let column = database.codec.column(
      try database.items.fit(value, to: property, of: table), of: property.type)
    try connection.run(
      """
      UPDATE \(name: table.name) SET \(name: property.name) = \(column) \
      WHERE \(name: property.name) IS NULL
      """)
  }

  /// Refuses to take values from an enum that items still have.
  func expectKnownValues(of property: PropertySchema) throws {
    guard case .enumeration(let values) = property.type else { return }
    let known = SQL.joined(values.map { value -> SQL in "\(.text(value))" }, separator: ", ")
    try connection.rows(
      """
      SELECT id, \(name: property.name) FROM \(name: table.name) \
      WHERE \(name: property.name) NOT IN (\(known)) ORDER BY id LIMIT 1
      """
    ) { row in
      throw StoreError(
        .incompatible,
        "\(reference(row.int(0))) has “\(row.text(1).prefix(80))” as its “\(property.name)”: keep that "
          + "among the values, or change the item first")
    }
  }

  /// Refuses to take texts for URLs that are none.
  func expectURLs(of property: PropertySchema) throws {
    let texts: SQL =
      property.type == .url
      ? "SELECT id, \(name: property.name) FROM \(name: table.name) WHERE \(name: property.name) IS NOT NULL"
      : """
      SELECT t.id, e.atom FROM \(name: table.name) AS t, json_tree(t.\(name: property.name)) AS e \
      WHERE e.type = 'text'
      """
    try connection.rows(texts) { row in
      if database.context.isURL(row.text(1)) { return true }
      throw StoreError(
        .incompatible,
        "\(reference(row.int(0))) has “\(row.text(1).prefix(80))” as its “\(property.name)”, which is "
          + "no URL: change it first, or declare “\(property.name)” as "
          + property.type.withTextsForURLs.description)
    }
  }
}
