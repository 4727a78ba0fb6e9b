import CEL
package import Items
import JSON

extension EntityTable {
  /// The columns that every table has besides its properties.
  ///
  /// `_identity` is the text by which duplicates are found; `_frecency` the moment at which the
  /// score of use falls to 1, and `_used` the moment of the last use, in microseconds.
  private static let systemColumns = """
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid BLOB NOT NULL UNIQUE, \
    createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, \
    _identity TEXT UNIQUE, _frecency INTEGER, _used INTEGER
    """

  /// How texts become words of the text index: 1 left what has no spaces whole, and 2 had
  /// no names of items.
  static let wordsForm = 3

  /// How values stand in columns: 1 may have left a column the type in SQL of what it once held,
  /// and did not record what is a URL.
  static let columnsForm = 2

  /// What of the definition the tables depend on, as text; equal texts need no migration.
  package var definition: String {
    let identities = schema.identities.joined(separator: ",")
    var text = "identity " + (identities.isEmpty ? "-" : identities)
    if !searched.isEmpty { text += " words \(Self.wordsForm)" }
    text += " columns \(Self.columnsForm)"
    for property in schema.properties {
      text += "\n" + property.name + " " + property.type.storage.name
      if property.isOptional { text += "?" }
      if property.type.holdsURLs { text += " url" }
      if property.isIndexed { text += " index" }
      if property.searchWeight != nil { text += " search" }
      if property.isBody { text += " packed" }
      if case .enumeration(let values) = property.type,
        let json = try? JSONWriter(escapesInvisible: false).text(
          of: .list(values.map(Value.string)))
      {
        text += " of " + json
      }
      if let value = property.defaultValue,
        let json = try? JSONWriter(escapesInvisible: false).text(of: value)
      {
        text += " = " + json
      }
    }
    return text
  }

  /// Makes the table.
  var createTable: SQL {
    let properties = schema.properties.map { columnDefinition($0) }
    let list = ([Self.systemColumns] + properties).joined(separator: ", ")
    return "CREATE TABLE \(name: name) (\(raw: list))"
  }

  /// The definition of a property's column; null is allowed so that columns can be added.
  package func columnDefinition(_ property: PropertySchema) -> String {
    "\(SQL.quoted(property.name)) \(property.type.storage.columnType)"
  }

  /// Makes the index of the order by date.
  package var createDateIndex: SQL {
    "CREATE INDEX \(name: name + "_by_date") ON \(name: name) (createdAt)"
  }

  /// Makes the index of use.
  package var createUseIndex: SQL {
    """
    CREATE INDEX \(name: name + "_by_use") ON \(name: name) (_frecency) \
    WHERE _frecency IS NOT NULL
    """
  }

  /// The properties with an index of their own: declared, or a reference to another item.
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

  /// Makes the index of a property, newest last within a value.
  package func createIndex(_ property: PropertySchema) -> SQL {
    """
    CREATE INDEX \(name: indexName(property.name)) \
    ON \(name: name) (\(name: property.name), createdAt)
    """
  }

  /// Makes the table of an indexed list.
  package func createListTable(_ property: String) -> SQL {
    """
    CREATE TABLE \(name: listName(property)) (value, createdAt INTEGER NOT NULL, \
    id INTEGER NOT NULL, PRIMARY KEY (value, createdAt, id)) WITHOUT ROWID
    """
  }

  /// Makes the view from which the text index reads its texts.
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

  /// The text of a property in SQL, the same as `ItemStore.plainText`.
  ///
  /// JSON is indexed as it stands, since its brackets and quotes part words like any others; what
  /// its escapes of white space would add to a word is taken out. FTS5 allows no `json_each` here.
  private func textExpression(_ property: PropertySchema) -> String {
    var text = "coalesce(\(SQL.quoted(property.name)), '')"
    if property.isBody { text = "\(Connection.unpackingFunction)(\(text))" }
    if property.type.isStoredAsJSON {
      for escape in Self.whiteSpaceEscapes { text = "replace(\(text), '\(escape)', ' ')" }
    }
    return text
  }

  /// What an item is called in SQL, the same as `ItemStore.namesText`.
  private var namesExpression: String {
    let texts = naming.map { textExpression(schema.properties[$0]) }
    let kinds = naming.map { schema.properties[$0].type == .url ? "a" : "t" }
    let arguments = ["'\(kinds.joined())'"] + texts
    return "\(Connection.namesFunction)(\(arguments.joined(separator: ", ")))"
  }

  /// What JSON writes for white space.
  static let whiteSpaceEscapes = ["\\n", "\\t", "\\r"]

  /// Makes the text index.
  ///
  /// FTS5 refuses columns called like the table, `rank` or `rowid`, so they are numbered.
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

  /// How the text index parts words: options of FTS5's `unicode61`, each with its value.
  static let tokenizerOptions = ["remove_diacritics", "2", "categories", "L* N* Co So"]

  /// Sets a new text index to make one segment of a whole batch of an import, instead of several
  /// that must be merged.
  package static func configureTextIndex(_ name: String) -> SQL {
    "INSERT INTO \(name: name) (\(name: name), rank) VALUES ('hashsize', 8388608)"
  }

  /// Fills a text index from its view.
  package static func rebuildTextIndex(_ name: String) -> SQL {
    "INSERT INTO \(name: name) (\(name: name)) VALUES ('rebuild')"
  }
}
