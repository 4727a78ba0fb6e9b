import CEL
package import Items
import JSON

extension EntityTable {
  /// The columns of every table besides its properties.
  ///
  /// `_identity` is the key that detects duplicates; `_frecency` is the time at which the usage
  /// score falls to 1, and `_used` the time of the last use, both in microseconds.
  private static let systemColumns = """
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid BLOB NOT NULL UNIQUE, \
    createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, \
    _identity TEXT UNIQUE, _frecency INTEGER, _used INTEGER
    """

  /// The version of word separation in the text index: 1 kept text without spaces whole, 2 had no
  /// item names.
  static let wordsForm = 3

  /// The version of the column types: 1 may have left a column with an outdated SQL type, and did
  /// not record URLs.
  static let columnsForm = 2

  /// The schema fingerprint; unchanged means no migration.
  package var definition: String {
    func written(_ value: Value) -> String? {
      try? JSONWriter(escapesInvisible: false).text(of: value)
    }
    let identities = schema.identities.joined(separator: ",")
    var text = "identity " + (identities.isEmpty ? "-" : identities)
    if !searched.isEmpty { text += " words \(Self.wordsForm)" }
    text += " columns \(Self.columnsForm)"
    for property in schema.properties {
      text += "\n" + property.name + " " + property.type.storageName
      if property.isOptional { text += "?" }
      if property.type.holdsURLs { text += " url" }
      if property.isIndexed { text += " index" }
      if property.searchWeight != nil { text += " search" }
      if property.isBody { text += " packed" }
      if case .enumeration(let values) = property.type,
        let json = written(.list(values.map(Value.string)))
      {
        text += " of " + json
      }
      if let json = property.defaultValue.flatMap(written) { text += " = " + json }
    }
    return text
  }

  /// Creates the table.
  var createTable: SQL {
    let properties = schema.properties.map { columnDefinition($0) }
    let list = ([Self.systemColumns] + properties).joined(separator: ", ")
    return "CREATE TABLE \(name: name) (\(raw: list))"
  }

  /// The definition of a property's column; nullable, so that columns can be added.
  package func columnDefinition(_ property: PropertySchema) -> String {
    "\(SQL.quoted(property.name)) \(property.type.columnType)"
  }

  /// Creates the index by creation date.
  package var createDateIndex: SQL {
    "CREATE INDEX \(name: name + "_by_date") ON \(name: name) (createdAt)"
  }

  /// Creates the index by use.
  package var createUseIndex: SQL {
    """
    CREATE INDEX \(name: name + "_by_use") ON \(name: name) (_frecency) \
    WHERE _frecency IS NOT NULL
    """
  }

  /// The individually indexed properties: declared ones, and references to items.
  package var indexedColumns: [PropertySchema] {
    schema.properties.filter { property in
      switch property.type {
      case .entity: true
      default: property.isIndexed && property.type.hasOrder
      }
    }
  }

  /// The name of the index of a property.
  package func indexName(_ property: String) -> String { name + "_by_" + property + "_" }

  /// Creates the index of a property, newest last within a value.
  package func createIndex(_ property: PropertySchema) -> SQL {
    """
    CREATE INDEX \(name: indexName(property.name)) \
    ON \(name: name) (\(name: property.name), createdAt)
    """
  }

  /// Creates the table of an indexed list.
  package func createListTable(_ property: String) -> SQL {
    """
    CREATE TABLE \(name: listName(property)) (value, createdAt INTEGER NOT NULL, \
    id INTEGER NOT NULL, PRIMARY KEY (value, createdAt, id)) WITHOUT ROWID
    """
  }

  /// Creates the view from which the text index reads.
  var createTextView: SQL {
    let columns =
      searched.enumerated().map { position, index in
        let text = textExpression(schema.properties[index])
        return "\(Connection.separationFunction)(\(text)) AS p\(position + 1)"
      } + ["\(namesExpression) AS p\(searched.count + 1)"]
    return """
      CREATE VIEW \(name: textName) AS SELECT id, \
      \(raw: columns.joined(separator: ", ")) FROM \(name: name)
      """
  }

  /// The SQL expression for a property's text; must equal `ItemStore.plainText`.
  ///
  /// JSON is indexed as stored, since its brackets and quotes separate words; only its escapes of
  /// white space are replaced. FTS5 does not allow `json_each` here.
  private func textExpression(_ property: PropertySchema) -> String {
    var text = "coalesce(\(SQL.quoted(property.name)), '')"
    if property.isBody { text = "\(Connection.unpackingFunction)(\(text))" }
    if property.type.isStoredAsJSON {
      for escape in Self.whiteSpaceEscapes { text = "replace(\(text), '\(escape)', ' ')" }
    }
    return text
  }

  /// The SQL expression for an item's names; must equal `ItemStore.namesText`.
  private var namesExpression: String {
    let texts = naming.map { textExpression(schema.properties[$0]) }
    let kinds = naming.map { schema.properties[$0].type == .url ? "a" : "t" }
    let arguments = ["'\(kinds.joined())'"] + texts
    return "\(Connection.namesFunction)(\(arguments.joined(separator: ", ")))"
  }

  /// JSON's escapes of white space.
  static let whiteSpaceEscapes = ["\\n", "\\t", "\\r"]

  /// Creates the text index.
  ///
  /// FTS5 rejects columns named like the table, `rank` or `rowid`, so they are numbered.
  var createTextIndex: SQL {
    let columns = textColumns.joined(separator: ", ")
    let options = Self.tokenizerOptions.map { option in
      option.contains(" ") ? "'\(option)'" : option
    }
    return """
      CREATE VIRTUAL TABLE \(name: searchName) USING fts5(\(raw: columns), \
      content=\(name: textName), content_rowid='id', \
      tokenize="unicode61 \(raw: options.joined(separator: " "))")
      """
  }

  /// The tokenizer options: those of FTS5's `unicode61`, each with its value.
  static let tokenizerOptions = ["remove_diacritics", "2", "categories", "L* N* Co So"]

  /// Configures a new text index to write one segment per import batch, instead of several that
  /// would need merging.
  package static func configureTextIndex(_ name: String) -> SQL {
    "INSERT INTO \(name: name) (\(name: name), rank) VALUES ('hashsize', 8388608)"
  }

  /// Fills a text index from its view.
  package static func rebuildTextIndex(_ name: String) -> SQL {
    "INSERT INTO \(name: name) (\(name: name)) VALUES ('rebuild')"
  }
}
