import Items

/// The source of a query's rows, by date.
struct RowSource {
  /// The `FROM` clause.
  private(set) var tables: SQL
  /// The condition on these tables.
  var condition: SQL?
  /// The creation date, by the column whose index gives the order.
  var date: SQL = "t.createdAt"
  /// The item's id, beside `date` in that index.
  var number: SQL = "t.id"
  /// The columns of an item.
  var columns: String

  /// All rows of an entity.
  ///
  /// - Parameter index: The index to walk, in SQL; SQLite's choice by default.
  init(_ table: EntityTable, along index: SQL = "") {
    tables = "\(name: table.name) AS t \(index)"
    columns = table.columns
  }

  /// The rows matched by the text index.
  init(_ table: EntityTable, matching match: String) {
    tables = "\(name: table.searchName) AS f JOIN \(name: table.name) AS t ON t.id = f.rowid"
    condition = "\(name: table.searchName) MATCH \(.text(match))"
    columns = table.columns
  }

  /// The rows found by an index for one value.
  init(_ table: EntityTable, at anchor: Anchor) {
    self.init(table)
    switch anchor {
    case .column(let name, let value): condition = "t.\(name: name) = \(value)"
    case .element(let property, let value):
      // The list's table has the items of each value by date.
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

/// An indexed value used to find rows, in order of date.
enum Anchor: Hashable {
  /// The value of an indexed property.
  case column(String, SQLValue)
  /// An element of an indexed list.
  case element(String, SQLValue)

  /// The condition that a row has the value; never NULL.
  func condition(in table: EntityTable) -> SQL {
    switch self {
    case .column(let name, let value): "(t.\(name: name) IS \(value))"
    case .element(let property, let value): Self.hasElement(of: [value], property, in: table)
    }
  }

  /// The condition that a list's table contains one of several values.
  static func hasElement(of values: [SQLValue], _ property: String, in table: EntityTable) -> SQL {
    """
    EXISTS (SELECT 1 FROM \(name: table.listName(property)) AS l \
    WHERE l.value IN (\(SQL.values(values))) AND l.createdAt = t.createdAt AND l.id = t.id)
    """
  }
}
