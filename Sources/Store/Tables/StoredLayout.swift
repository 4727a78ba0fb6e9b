package import Items

/// An entity as stored in the file, whether or not it is defined.
package struct StoredLayout {
  package let name: String
  /// Whether it has a text index.
  package var hasTextIndex = false
  /// The properties with a table of their elements.
  package var lists: [String] = []
  /// The columns that refer to items of another entity.
  package var references: [(column: String, entity: String)] = []
  /// The columns that hold lists of such references.
  var referenceLists: [(column: String, entity: String)] = []
  /// The columns that must not be null.
  var required: Set<String> = []
  /// The recorded schema; nil when it is unreadable.
  package var recorded: EntitySchema?
  /// The columns that hold JSON.
  package var jsonColumns: [String] = []

  /// The suffixes of the tables of a text index.
  package static let textTables = [
    "_search_data", "_search_idx", "_search_docsize", "_search_config", "_search_content",
  ]
}

extension StoredLayout {
  /// The recorded columns that an entity ever had, with their storage kinds.
  package static func columns(_ text: String) -> [(name: String, form: String)] {
    text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
  }

  /// The table of an indexed list.
  package func listTable(_ list: String) -> String { "\(name)_list_\(list)" }

  /// Selects the expected rows of an indexed list's table: value, createdAt, id.
  package func elements(of list: String) -> SQL {
    """
    SELECT e.value, t.createdAt, t.id \
    FROM \(name: name) AS t, json_each(t.\(name: list)) AS e
    """
  }

  /// Fills the empty table of an indexed list.
  package func fillList(_ list: String) -> SQL {
    "INSERT OR IGNORE INTO \(name: listTable(list)) (value, createdAt, id) \(elements(of: list))"
  }
}

extension Connection {
  /// The entities stored in the file.
  package func storedLayouts() throws -> [StoredLayout] {
    let tables = try Set(texts("SELECT name FROM sqlite_schema WHERE type = 'table'"))
    var layouts: [StoredLayout] = []
    try each(
      """
      SELECT substr(c.key, 9), c.value, coalesce(e.value, '') FROM errand_meta AS c \
      LEFT JOIN errand_meta AS e ON e.key = 'entity:' || substr(c.key, 9) \
      WHERE c.key >= 'columns:' AND c.key < 'columns;' ORDER BY c.key
      """
    ) { row in
      var layout = StoredLayout(name: row.text(0))
      guard tables.contains(layout.name) else { return }
      layout.hasTextIndex = tables.contains(layout.name + "_search")
      for (name, form) in StoredLayout.columns(row.text(1)) {
        if form == "json" || form.hasPrefix("list<") || form.hasPrefix("map<") {
          layout.jsonColumns.append(name)
        }
        if tables.contains(layout.listTable(name)) { layout.lists.append(name) }
        switch DataType(recorded: form) {
        case .entity(let entity)? where tables.contains(entity):
          layout.references.append((name, entity))
        case .list(.entity(let entity))?: layout.referenceLists.append((name, entity))
        default: break
        }
      }
      layout.recorded = EntitySchema(recorded: row.text(2), name: layout.name)
      for line in row.text(2).split(separator: "\n").dropFirst() {
        let words = line.split(separator: " ")
        if words.count > 1, !words[1].hasSuffix("?") { layout.required.insert(String(words[0])) }
      }
      layouts.append(layout)
    }
    return layouts
  }

  /// Whether the file has a table of a name.
  package func hasTable(_ name: String) throws -> Bool {
    try first("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = \(.text(name))") != nil
  }

  /// The names of all tables, indexes and views.
  package func objectNames() throws -> Set<String> {
    try Set(texts("SELECT name FROM sqlite_schema"))
  }

  /// The columns of a table, in order.
  func columnNames(of table: String) throws -> [String] {
    try texts("SELECT name FROM pragma_table_info(\(.text(table)))")
  }

  /// The entities with a recorded schema.
  package func recordedEntities() throws -> [String] {
    try texts(
      """
      SELECT substr(key, 8) FROM errand_meta \
      WHERE key >= 'entity:' AND key < 'entity;' ORDER BY key
      """)
  }

  /// The tables with the columns that every entity's table has.
  package func itemTables() throws -> [String] {
    try texts(
      """
      SELECT name FROM sqlite_schema AS s WHERE type = 'table' \
      AND CASE WHEN rootpage > 0 THEN 5 = \
      (SELECT count(*) FROM pragma_table_info(s.name) AS c WHERE (c.cid, c.name) IN \
      (VALUES (0, 'id'), (1, 'uid'), (2, 'createdAt'), (3, 'updatedAt'), (4, '_identity'))) END \
      ORDER BY name
      """)
  }
}
