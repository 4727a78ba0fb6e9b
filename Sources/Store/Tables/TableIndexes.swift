import Items

/// The indexes of an entity: on values, on list elements, and on texts.
package struct TableIndexes {
  private let table: EntityTable
  private let connection: Connection

  package init(of table: EntityTable, _ connection: Connection) {
    self.table = table
    self.connection = connection
  }

  /// Creates all of them, empty.
  func make() throws {
    try makeValues()
    try makeText()
  }

  /// Drops all of them, including those of an earlier schema.
  func drop() throws {
    try dropValues()
    try dropText()
  }

  private func makeValues() throws {
    for property in table.indexedColumns { try connection.run(table.createIndex(property)) }
    for index in table.indexedLists {
      try connection.run(table.createListTable(table.schema.properties[index].name))
    }
  }

  private func makeText() throws {
    guard !table.searched.isEmpty else { return }
    try connection.run(table.createTextView)
    try connection.run(table.createTextIndex)
    try connection.run(EntityTable.configureTextIndex(table.searchName))
  }

  private func dropValues() throws {
    // The names of properties' indexes end with an underscore; those of every table do not.
    try drop("type = 'index' AND name GLOB \(.text(table.name + "_by_*_"))")
    try drop("type = 'table' AND name GLOB \(.text(table.name + "_list_*"))")
  }

  /// Recreates the indexes on values and the tables of lists, filled from the items.
  func renewValues() throws {
    try dropValues()
    try makeValues()
    for index in table.indexedLists {
      let name = table.schema.properties[index].name
      try connection.run(StoredLayout(name: table.name).fillList(name))
    }
  }

  private func dropText() throws {
    try drop("name IN (\(.text(table.searchName)), \(.text(table.textName)))")
  }

  /// Recreates the text index, filled from the items.
  func renewText() throws {
    try dropText()
    try makeFilledText()
  }

  /// Creates a missing text index, filled from the items.
  package func makeFilledText() throws {
    try makeText()
    if !table.searched.isEmpty {
      try connection.run(EntityTable.rebuildTextIndex(table.searchName))
    }
  }

  /// Drops the tables, views and indexes that match a condition.
  private func drop(_ condition: SQL) throws {
    let statements = try connection.map(
      "SELECT type, name FROM sqlite_schema WHERE sql IS NOT NULL AND \(condition)"
    ) { row -> SQL in "DROP \(raw: row.text(0)) \(name: row.text(1))" }
    for statement in statements { try connection.run(statement) }
  }
}
