import CEL
package import Items

/// How an entity is laid out in the database: its names and the statements on one row.
///
/// `Link` has a table `Link`, its text index `Link_search` over the view `Link_text`, and a table
/// `Link_list_tags` for each indexed list.
package final class EntityTable {
  package let schema: EntitySchema
  package let layout: ItemLayout
  /// The positions of the properties in the text index.
  package let searched: [Int]
  /// The positions of the indexed lists.
  package let indexedLists: [Int]
  /// The position of the identity property.
  package let identity: [Int]
  /// Whether a property's values are other items.
  let refersToItems: Bool
  /// Whether the texts of a row are known without asking the view.
  ///
  /// The digits of a floating-point number are SQLite's own.
  private(set) lazy var textIsPlain = searched.allSatisfy { index in
    schema.properties[index].type.base != .double
  }
  /// Whether the file has no such table and cannot be written; nothing is found then.
  package var isAbsent = false
  /// Whether the text index has each character of text without spaces as a word; not so in a file
  /// of the first format that cannot be written.
  var hasSeparatedWords = true
  /// Whether the text index has what items are called; not so in a file of an earlier format that
  /// cannot be written.
  var hasNames = true
  /// The columns whose type in SQL is that of what they once held, in a file that cannot be written.
  var mistypedColumns: Set<String> = []
  /// The checked defaults, once they were needed.
  var defaults: [Value]?

  package init(_ schema: EntitySchema) {
    self.schema = schema
    layout = ItemLayout(schema)
    searched = schema.properties.indices.filter { index in
      // The number of another item is no text that anybody would look for.
      if case .entity = schema.properties[index].type { return false }
      return schema.properties[index].searchWeight != nil
    }
    indexedLists = schema.properties.indices.filter { index in
      guard schema.properties[index].isIndexed,
        case .list(let element) = schema.properties[index].type
      else { return false }
      // An infinite double in JSON is text, and lists of lists have no elements to look for.
      return element != .double && !element.isStoredAsJSON
    }
    refersToItems = schema.properties.contains { $0.type.referredEntity != nil }
    identity = schema.identities.compactMap { name in
      schema.properties.firstIndex { $0.name == name }
    }
  }

  /// Whether items have long texts, which are packed.
  private(set) lazy var hasBodies = schema.properties.contains(where: \.isBody)

  /// The positions of the properties that name an item: the text that counts most in searches, and
  /// addresses.
  private(set) lazy var naming: [Int] = {
    func weight(_ index: Int) -> Double { schema.properties[index].searchWeight ?? 0 }
    let texts = searched.filter { schema.properties[$0].type == .string }
    let title = texts.max { (weight($0), -$0) < (weight($1), -$1) }
    return searched.filter { $0 == title || schema.properties[$0].type == .url }
  }()

  /// What each column of the text index counts in searches.
  private(set) lazy var searchWeights: [Double] = {
    let weights = searched.map { schema.properties[$0].searchWeight ?? 1 }
    // `nodejs` for a title `Node.js` is as good as the title.
    return hasNames ? weights + [weights.max() ?? 1] : weights
  }()

  // MARK: Names

  package var name: String { schema.name }
  package var searchName: String { name + "_search" }
  package var textName: String { name + "_text" }

  /// The table of an indexed list.
  func listName(_ property: String) -> String { name + "_list_" + property }

  /// Whether a property is a list with a table of its elements.
  func hasListTable(_ property: String) -> Bool {
    indexedLists.contains { schema.properties[$0].name == property }
  }

  // MARK: Statements, each with its parameters in the order named

  /// The columns of a row as `Record` reads them, of the table under the alias `t`.
  private(set) lazy var columns = columns(id: "t.id", createdAt: "t.createdAt")

  /// The columns of a row where another table has its number and date as well.
  func columns(id: String, createdAt: String) -> String {
    var text = id + ", t.uid, " + createdAt + ", t.updatedAt"
    for property in schema.properties { text += ", t." + SQL.quoted(property.name) }
    return text
  }

  /// Reads rows.
  private(set) lazy var select = "SELECT \(columns) FROM \(SQL.quoted(name)) AS t"

  /// Reads the row of an id.
  private(set) lazy var selectByID = select + " WHERE t.id = ?1"

  /// Reads the row of an identity.
  private(set) lazy var selectByIdentity = select + " WHERE t._identity = ?1"

  /// Reads the row of a global id.
  private(set) lazy var selectByUID = select + " WHERE t.uid = ?1"

  /// Reads when an id was created.
  private(set) lazy var selectDate =
    "SELECT createdAt FROM \(SQL.quoted(name)) WHERE id = ?1"

  /// Inserts a row: uid, createdAt, updatedAt, identity, properties.
  private(set) lazy var insert: String = {
    let names = ["uid", "createdAt", "updatedAt", "_identity"] + schema.properties.map(\.name)
    let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
    let list = names.map(SQL.quoted).joined(separator: ", ")
    return "INSERT INTO \(SQL.quoted(name)) (\(list)) VALUES (\(marks))"
  }()

  /// Deletes the row of an id.
  private(set) lazy var delete = "DELETE FROM \(SQL.quoted(name)) WHERE id = ?1"

  /// Adds to the text index: id, texts.
  private(set) lazy var insertText = textStatement(["rowid"] + textColumns, first: [])

  /// Takes out of the text index, which must be told what it holds: id, texts.
  private(set) lazy var deleteText = textStatement(
    [SQL.quoted(searchName), "rowid"] + textColumns, first: ["'delete'"])

  /// Adds to the text index what the view says of an id.
  private(set) lazy var insertTextByView = textStatement(
    ["rowid"] + textColumns, byView: ["id"] + textColumns)

  /// Takes what the view says of an id out of the text index, before the row changes.
  private(set) lazy var deleteTextByView = textStatement(
    [SQL.quoted(searchName), "rowid"] + textColumns, byView: ["'delete'", "id"] + textColumns)

  /// Reads the texts of an id.
  private(set) lazy var selectTexts =
    "SELECT \(textColumns.joined(separator: ", ")) FROM \(SQL.quoted(textName)) WHERE id = ?1"

  /// The columns of the text index: the searched properties, then the names.
  var textColumns: [String] {
    (0..<searched.count + (hasNames ? 1 : 0)).map { "p\($0 + 1)" }
  }

  private func textStatement(_ names: [String], first: [String]) -> String {
    let marks = first + Array(repeating: "?", count: names.count - first.count)
    return "INSERT INTO \(SQL.quoted(searchName)) (\(names.joined(separator: ", "))) "
      + "VALUES (\(marks.joined(separator: ", ")))"
  }

  private func textStatement(_ names: [String], byView columns: [String]) -> String {
    "INSERT INTO \(SQL.quoted(searchName)) (\(names.joined(separator: ", "))) "
      + "SELECT \(columns.joined(separator: ", ")) FROM \(SQL.quoted(textName)) WHERE id = ?1"
  }

  /// Adds to the table of each indexed list, in their order: value, createdAt, id.
  private(set) lazy var insertListRow = indexedLists.map { position in
    "INSERT OR IGNORE INTO \(SQL.quoted(listName(schema.properties[position].name))) "
      + "(value, createdAt, id) VALUES (?1, ?2, ?3)"
  }

  /// Takes out of the table of each indexed list, in their order: value, createdAt, id.
  private(set) lazy var deleteListRow = indexedLists.map { position in
    "DELETE FROM \(SQL.quoted(listName(schema.properties[position].name))) "
      + "WHERE value = ?1 AND createdAt = ?2 AND id = ?3"
  }
}
