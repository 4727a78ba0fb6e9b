import Items

/// The indexes that an entity's definition asks for: of values, of the elements of lists, of texts.
package struct TableIndexes {
  private let table: EntityTable
  private let connection: Connection

  package init(of table: EntityTable, _ connection: Connection) {
    self.table = table
    self.connection = connection
  }

  /// Makes all of them, empty.
  func make() throws {
    try makeValues()
    try makeText()
  }

  /// Drops all of them, also those of a definition before.
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
    let lists = table.name + "_list_"
    let indexes = table.name + "_by_"
    try dropObjects { type, name in
      switch type {
      // A property's index ends with a line; those that every table has do not.
      case "index": name.hasPrefix(indexes) && name.hasSuffix("_")
      case "table": name.hasPrefix(lists)
      default: false
      }
    }
  }

  /// Makes the indexes of values and the tables of lists anew, with what the items have.
  func renewValues() throws {
    try dropValues()
    try makeValues()
    for index in table.indexedLists {
      let name = table.schema.properties[index].name
      try connection.run(StoredLayout(name: table.name).fillList(name))
    }
  }

  private func dropText() throws {
    try dropObjects { _, name in name == table.searchName || name == table.textName }
  }

  /// Makes the text index anew, with what the items have.
  func renewText() throws {
    try dropText()
    try makeFilledText()
  }

  /// Makes the text index, with what the items have, where there is none.
  package func makeFilledText() throws {
    try makeText()
    if !table.searched.isEmpty {
      try connection.run(EntityTable.rebuildTextIndex(table.searchName))
    }
  }

  private func dropObjects(where isDropped: (_ type: String, _ name: String) -> Bool) throws {
    var statements: [SQL] = []
    try connection.rows("SELECT type, name FROM sqlite_schema WHERE sql IS NOT NULL") { row in
      let type = row.text(0)
      let name = row.text(1)
      if isDropped(type, name) {
        statements.append("DROP \(raw: type.uppercased()) \(name: name)")
      }
      return true
    }
    for statement in statements { try connection.run(statement) }
  }
}
