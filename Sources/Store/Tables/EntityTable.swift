import CEL
package import Items

/// The database layout of an entity: names, and statements on single rows.
///
/// `Link` has a table `Link`, a text index `Link_search` over the view `Link_text`, and a table
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
  /// Whether any property refers to items.
  let refersToItems: Bool
  /// Whether the texts of a row can be computed without querying the view.
  ///
  /// The digits of a floating-point number are formatted by SQLite.
  private(set) lazy var textIsPlain = searched.allSatisfy { index in
    schema.properties[index].type.base != .double
  }
  /// Whether a read-only file lacks this table; queries find nothing then.
  package var isAbsent = false
  /// Whether the text index splits text without spaces into characters; false in a read-only file
  /// of the first format.
  var hasSeparatedWords = true
  /// Whether the text index contains item names; false in a read-only file of an earlier format.
  var hasNames = true
  /// The columns with an outdated SQL type, in a read-only file.
  var mistypedColumns: Set<String> = []
  /// The checked defaults, computed on first use.
  var defaults: [Value]?

  package init(_ schema: EntitySchema) {
    self.schema = schema
    layout = ItemLayout(schema)
    searched = schema.properties.indices.filter { index in
      // The id of a referenced item is not useful text for a search.
      if case .entity = schema.properties[index].type { return false }
      return schema.properties[index].searchWeight != nil
    }
    indexedLists = schema.properties.indices.filter { index in
      guard schema.properties[index].isIndexed,
        case .list(let element) = schema.properties[index].type
      else { return false }
      // An infinite double is a string in JSON, and lists of lists have no searchable elements.
      return element != .double && !element.isStoredAsJSON
    }
    refersToItems = schema.properties.contains { $0.type.referredEntity != nil }
    identity = schema.identities.compactMap { name in
      schema.properties.firstIndex { $0.name == name }
    }
  }

  /// Whether items have long texts, which are compressed.
  private(set) lazy var hasBodies = schema.properties.contains(where: \.isBody)

  /// The positions of the properties that name an item: the text with the highest search weight,
  /// and URLs.
  private(set) lazy var naming: [Int] = {
    func weight(_ index: Int) -> Double { schema.properties[index].searchWeight ?? 0 }
    let texts = searched.filter { schema.properties[$0].type == .string }
    let title = texts.max { (weight($0), -$0) < (weight($1), -$1) }
    return searched.filter { $0 == title || schema.properties[$0].type == .url }
  }()

  /// The search weight of each column of the text index.
  private(set) lazy var searchWeights: [Double] = {
    let weights = searched.map { schema.properties[$0].searchWeight ?? 1 }
    // A match of `nodejs` in the names of `Node.js` counts like one in the title.
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

  /// The columns of a row in the order of `Record`, with the table alias `t`.
  private(set) lazy var columns = columns(id: "t.id", createdAt: "t.createdAt")

  /// The column list when `id` and `createdAt` come from a joined table.
  func columns(id: String, createdAt: String) -> String {
    var text = id + ", t.uid, " + createdAt + ", t.updatedAt"
    for property in schema.properties { text += ", t." + SQL.quoted(property.name) }
    return text
  }

  /// Selects rows.
  private(set) lazy var select = "SELECT \(columns) FROM \(SQL.quoted(name)) AS t"

  /// Selects a row by id.
  private(set) lazy var selectByID = select + " WHERE t.id = ?1"

  /// Selects a row by identity.
  private(set) lazy var selectByIdentity = select + " WHERE t._identity = ?1"

  /// Selects a row by global id.
  private(set) lazy var selectByUID = select + " WHERE t.uid = ?1"

  /// Selects the creation date by id.
  private(set) lazy var selectDate = "SELECT createdAt FROM \(SQL.quoted(name)) WHERE id = ?1"

  /// Inserts a row: uid, createdAt, updatedAt, identity, properties.
  private(set) lazy var insert = SQL.insertion(
    into: name,
    ["uid", "createdAt", "updatedAt", "_identity"] + schema.properties.map(\.name))

  /// Deletes a row by id.
  private(set) lazy var delete = "DELETE FROM \(SQL.quoted(name)) WHERE id = ?1"

  /// Inserts into the text index: id, texts.
  private(set) lazy var insertText = textStatement(deleting: false, byView: false)

  /// Deletes from the text index, which needs the indexed values: id, texts.
  private(set) lazy var deleteText = textStatement(deleting: true, byView: false)

  /// Inserts the texts of the view into the text index, by id.
  private(set) lazy var insertTextByView = textStatement(deleting: false, byView: true)

  /// Deletes the texts of the view from the text index, by id, before the row changes.
  private(set) lazy var deleteTextByView = textStatement(deleting: true, byView: true)

  /// Selects the texts of an id.
  private(set) lazy var selectTexts =
    "SELECT \(textColumns.joined(separator: ", ")) FROM \(SQL.quoted(textName)) WHERE id = ?1"

  /// The columns of the text index: the searched properties, then the names.
  var textColumns: [String] { (0..<searched.count + (hasNames ? 1 : 0)).map { "p\($0 + 1)" } }

  private func textStatement(deleting: Bool, byView: Bool) -> String {
    let index = SQL.quoted(searchName)
    let texts = textColumns.joined(separator: ", ")
    let marks = textColumns.map { _ in "?" }.joined(separator: ", ")
    let (command, word) = deleting ? ("\(index), ", "'delete', ") : ("", "")
    return "INSERT INTO \(index) (\(command)rowid, \(texts)) "
      + (byView
        ? "SELECT \(word)id, \(texts) FROM \(SQL.quoted(textName)) WHERE id = ?1"
        : "VALUES (\(word)?, \(marks))")
  }

  /// Inserts into the tables of indexed lists, in their order: value, createdAt, id.
  private(set) lazy var insertListRow = indexedLists.map { position in
    SQL.insertion(
      into: listName(schema.properties[position].name), ["value", "createdAt", "id"],
      orIgnore: true)
  }

  /// Deletes from the tables of indexed lists, in their order: value, createdAt, id.
  private(set) lazy var deleteListRow = indexedLists.map { position in
    "DELETE FROM \(SQL.quoted(listName(schema.properties[position].name))) "
      + "WHERE value = ?1 AND createdAt = ?2 AND id = ?3"
  }
}
