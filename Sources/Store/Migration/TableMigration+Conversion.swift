import CEL
import Items

/// Conversions of stored values for a changed schema.
extension TableMigration {
  /// Decompresses texts.
  mutating func unpack(_ property: PropertySchema) throws {
    try copyBeforeChange()
    try set(
      property, to: "\(raw: Connection.unpackingFunction)(\(name: property.name))",
      where: "typeof(\(name: property.name)) = 'blob'")
  }

  /// Converts a column between storage kinds where that is lossless.
  mutating func convert(_ property: PropertySchema, from present: String) throws {
    let wanted = property.type.storageName
    if present == wanted { return }
    let isThere: SQL = "\(name: property.name) IS NOT NULL"
    guard let first = try firstItem(where: isThere) else { return }
    if present == "int", wanted == "double" {
      // Recreating the column converts its values.
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
      try set(property, to: "json_array(\(value))", where: isThere)
    } else {
      throw Self.refusal(
        "\(first) has a \(table.name).\(property.name) that is stored as \(present), which "
          + "cannot become \(property.type.description): give the new property another name")
    }
  }

  /// Refuses to convert integers that a double cannot represent.
  private func expectExactDoubles(of property: PropertySchema) throws {
    let column: SQL = "\(name: property.name)"
    // Up to 2^53 every integer is exact as a double.
    try connection.each(
      """
      SELECT id, \(column) FROM \(name: table.name) \
      WHERE \(column) NOT BETWEEN -9007199254740992 AND 9007199254740992 ORDER BY id
      """
    ) { row in
      if Double(exactly: row.int(1)) != nil { return }
      throw Self.refusal(
        "\(reference(row.int(0))) has \(row.int(1)) as its “\(property.name)”, which a double "
          + "cannot represent exactly: change it first, or declare “\(property.name)” as int")
    }
  }

  /// Converts doubles to one-element lists; SQLite's JSON has fewer digits and no infinity.
  private func listDoubles(of property: PropertySchema) throws {
    let numbers = try connection.map(
      """
      SELECT id, \(name: property.name) FROM \(name: table.name) \
      WHERE \(name: property.name) IS NOT NULL
      """
    ) { row in (row.int(0), row.double(1)) }
    for (id, number) in numbers {
      let list = database.codec.column(.list([.double(number)]), of: property.type)
      try set(property, to: "\(list)", where: "id = \(.int(id))")
    }
  }

  /// Recreates a column with the SQL type of its property.
  ///
  /// An INTEGER column would store 3.0 as 3, which SQLite divides as an integer, and would turn a
  /// text such as `1e3` into a number.
  mutating func makeColumnAnew(_ property: PropertySchema) throws {
    if try firstItem(where: "\(name: property.name) IS NOT NULL") != nil { try copyBeforeChange() }
    let new = PropertySchema(name: "_anew", type: property.type)
    let entity: SQL = "ALTER TABLE \(name: table.name)"
    try connection.run("\(entity) ADD COLUMN \(raw: table.columnDefinition(new))")
    try set(new, to: "\(name: property.name)", where: "1")
    try connection.run("\(entity) DROP COLUMN \(name: property.name)")
    try connection.run("\(entity) RENAME COLUMN \(name: new.name) TO \(name: property.name)")
  }

  /// Sets the default on items that lack a required value.
  mutating func fillMissingValues(of property: PropertySchema) throws {
    let isMissing: SQL = "\(name: property.name) IS NULL"
    guard !property.isOptional, let first = try firstItem(where: isMissing) else { return }
    guard let value = property.defaultValue else {
      throw Self.refusal(
        "\(first) has no “\(property.name)”: give it a default or make it optional "
          + "(\(property.type.description)?)")
    }
    try copyBeforeChange()
    try set(property, to: "\(column(value, of: property))", where: isMissing)
  }

  /// Refuses to remove enum values that items still have.
  func expectKnownValues(of property: PropertySchema) throws {
    guard case .enumeration(let values) = property.type else { return }
    let known = SQL.values(values.map(SQLValue.text))
    try connection.each(
      """
      SELECT id, \(name: property.name) FROM \(name: table.name) \
      WHERE \(name: property.name) NOT IN (\(known)) ORDER BY id LIMIT 1
      """
    ) { row in
      throw Self.refusal(
        "\(reference(row.int(0))) has “\(row.text(1).prefix(80))” as its “\(property.name)”: keep "
          + "it in the enum, or change the item first")
    }
  }

  /// Refuses to change a property to URLs when items have other texts.
  func expectURLs(of property: PropertySchema) throws {
    let texts: SQL =
      property.type == .url
      ? "SELECT id, \(name: property.name) FROM \(name: table.name) WHERE \(name: property.name) IS NOT NULL"
      : """
      SELECT t.id, e.atom FROM \(name: table.name) AS t, json_tree(t.\(name: property.name)) AS e \
      WHERE e.type = 'text'
      """
    try connection.each(texts) { row in
      if database.context.rules.isURL(row.text(1)) { return }
      throw Self.refusal(
        "\(reference(row.int(0))) has “\(row.text(1).prefix(80))” as its “\(property.name)”, which is "
          + "not a URL: change it first, or declare “\(property.name)” as "
          + property.type.replacing(.url, with: .string).description)
    }
  }
}

extension Connection {
  /// The columns of an entity whose SQL type is not that of their property.
  func mistypedColumns(of table: EntityTable) throws -> Set<String> {
    let types = try pairs("SELECT name, type FROM pragma_table_info(\(.text(table.name)))")
    let mistyped = table.schema.properties.filter { property in
      types[property.name].map { $0 != property.type.columnType } ?? false
    }
    return Set(mistyped.map(\.name))
  }
}
