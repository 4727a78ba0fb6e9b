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
