import CEL
import Items

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
    let used = try connection.first(
      """
      SELECT id FROM \(name: table.name) WHERE \(name: property.name) IS NOT NULL \
      ORDER BY id LIMIT 1
      """)
    guard case .int(let id)? = used else { return }
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
    var numbers: [(id: Int64, number: Double)] = []
    try connection.rows(
      """
      SELECT id, \(name: property.name) FROM \(name: table.name) \
      WHERE \(name: property.name) IS NOT NULL
      """
    ) { row in
      numbers.append((row.int(0), row.double(1)))
      return true
    }
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
    let value = try connection.first(
      "SELECT 1 FROM \(name: table.name) WHERE \(name: property.name) IS NOT NULL LIMIT 1")
    if value != nil { try copyBeforeChange() }
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
      case .int(let id)? = try connection.first(
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
