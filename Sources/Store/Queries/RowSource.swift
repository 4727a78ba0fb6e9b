import Items

/// Where the rows of a query come from, in the order of their dates.
struct RowSource {
  /// What stands after `FROM`.
  private(set) var tables: SQL
  /// What must hold for a row of these tables.
  var condition: SQL?
  /// When the item was created, by the column whose index gives the order.
  var date: SQL = "t.createdAt"
  /// The number of the item, beside `date` in that index.
  var number: SQL = "t.id"
  /// The columns of an item.
  var columns: String

  /// All rows of an entity.
  ///
  /// - Parameter index: The index along which they are walked; by default SQLite's choice.
  init(_ table: EntityTable, along index: OrderIndex? = nil) {
    tables = "\(name: table.name) AS t"
    switch index {
    case .number?: tables.append(" NOT INDEXED")
    case .index(let name)?: tables.append(" INDEXED BY \(name: name)")
    case nil: break
    }
    columns = table.columns
  }

  /// The rows that the text index finds.
  init(_ table: EntityTable, matching match: String) {
    tables = "\(name: table.searchName) AS f JOIN \(name: table.name) AS t ON t.id = f.rowid"
    condition = "\(name: table.searchName) MATCH \(.text(match))"
    columns = table.columns
  }

  /// The rows that an index finds by one value.
  init(_ table: EntityTable, at anchor: Anchor) {
    self.init(table)
    switch anchor {
    case .column(let name, let value):
      condition = "t.\(name: name) = \(value)"
    case .element(let property, let value):
      // The list's table holds each value's items by date.
      tables = """
        \(name: table.listName(property)) AS l CROSS JOIN \(name: table.name) AS t ON t.id = l.id
        """
      condition = "l.value = \(value)"
      date = "l.createdAt"
      number = "l.id"
      columns = table.columns(id: "l.id", createdAt: "l.createdAt")
    }
  }
}

/// A value by which an index finds rows, those of one value in the order of their dates.
enum Anchor: Hashable {
  /// The value of an indexed property.
  case column(String, SQLValue)
  /// An element of an indexed list.
  case element(String, SQLValue)

  /// The condition that a row has the value; it is never NULL.
  func condition(in table: EntityTable) -> SQL {
    switch self {
    case .column(let name, let value): "(t.\(name: name) IS \(value))"
    case .element(let property, let value): Self.hasElement(of: [value], property, in: table)
    }
  }

  /// Whether one of some values stands in the table of an indexed list.
  static func hasElement(
    of values: [SQLValue], _ property: String, in table: EntityTable
  ) -> SQL {
    let marks = values.map { value -> SQL in "\(value)" }
    let isWanted: SQL =
      marks.count == 1 ? "= \(marks[0])" : "IN (\(SQL.joined(marks, separator: ", ")))"
    return """
      EXISTS (SELECT 1 FROM \(name: table.listName(property)) AS l \
      WHERE l.value \(isWanted) AND l.createdAt = t.createdAt AND l.id = t.id)
      """
  }
}
