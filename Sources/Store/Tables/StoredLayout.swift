package import Items

/// An entity as the file has it, whether or not its definition is known now.
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
  /// The columns that may not be null.
  var required: Set<String> = []
  /// The definition as it was recorded; nil when that cannot be read.
  package var recorded: EntitySchema?
  /// The columns that hold JSON.
  package var jsonColumns: [String] = []

  /// What the names of the tables of a text index end with.
  package static let textTables = [
    "_search_data", "_search_idx", "_search_docsize", "_search_config", "_search_content",
  ]
}

extension StoredLayout {
  /// The table of an indexed list.
  package func listTable(_ list: String) -> String { "\(name)_list_\(list)" }

  /// What the table of an indexed list should hold: value, createdAt, id.
  package func elements(of list: String) -> SQL {
    """
    SELECT e.value, t.createdAt, t.id \
    FROM \(name: name) AS t, json_each(t.\(name: list)) AS e
    """
  }

  /// Fills the empty table of an indexed list.
  package func fillList(_ list: String) -> SQL {
    """
    INSERT OR IGNORE INTO \(name: listTable(list)) (value, createdAt, id) \(elements(of: list))
    """
  }
}

extension Connection {
  /// The entities that the file has.
  package func storedLayouts() throws -> [StoredLayout] {
    var tables = Set<String>()
    try rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { row in
      tables.insert(row.text(0))
      return true
    }
    var layouts: [StoredLayout] = []
    try rows(
      """
      SELECT substr(c.key, 9), c.value, coalesce(e.value, '') FROM errand_meta AS c \
      LEFT JOIN errand_meta AS e ON e.key = 'entity:' || substr(c.key, 9) \
      WHERE c.key >= 'columns:' AND c.key < 'columns;' ORDER BY c.key
      """
    ) { row in
      var layout = StoredLayout(name: row.text(0))
      guard tables.contains(layout.name) else { return true }
      layout.hasTextIndex = tables.contains(layout.name + "_search")
      for line in row.text(1).split(separator: "\n") {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { continue }
        if parts[1] == "json" || parts[1].hasPrefix("list<") || parts[1].hasPrefix("map<") {
          layout.jsonColumns.append(parts[0])
        }
        if tables.contains("\(layout.name)_list_\(parts[0])") { layout.lists.append(parts[0]) }
        if let entity = Self.between("ref<", ">", in: parts[1]), tables.contains(entity) {
          layout.references.append((parts[0], entity))
        }
        if let entity = Self.between("list<ref<", ">>", in: parts[1]) {
          layout.referenceLists.append((parts[0], entity))
        }
      }
      layout.recorded = EntitySchema(recorded: row.text(2), name: layout.name)
      for line in row.text(2).split(separator: "\n").dropFirst() {
        let words = line.split(separator: " ")
        if words.count > 1, !words[1].hasSuffix("?") { layout.required.insert(String(words[0])) }
      }
      layouts.append(layout)
      return true
    }
    return layouts
  }

  private static func between(_ prefix: String, _ suffix: String, in text: String) -> String? {
    guard text.hasPrefix(prefix), text.hasSuffix(suffix) else { return nil }
    return String(text.dropFirst(prefix.count).dropLast(suffix.count))
  }

  /// Whether the file has a table.
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

  /// The entities of which a definition is recorded.
  package func recordedEntities() throws -> [String] {
    try texts(
      """
      SELECT substr(key, 8) FROM errand_meta \
      WHERE key >= 'entity:' AND key < 'entity;' ORDER BY key
      """)
  }

  /// The tables that have the columns that every entity's has.
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
