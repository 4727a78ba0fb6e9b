import CEL
package import Items
import JSON

/// Where the words of a search stand in one property of an item.
package struct SearchHighlight: Hashable, Sendable {
  /// The property.
  package let property: String
  /// Its text, with the words marked; a list's elements are joined with commas.
  package let text: MarkedText
  /// Whether it is a list, such as of tags.
  package let isList: Bool
  /// Whether the property alone has all that was searched for.
  package let isWhole: Bool
}

extension EntityStore {
  /// The last characters for private use, which hardly any text has, around each word of a match.
  private static let open: Character = "\u{10FFFC}"
  private static let close: Character = "\u{10FFFD}"

  /// What words mean that are set off in one item after the other; a form that came up since the
  /// first of them may be missing.
  private func markingPlan(_ words: String, _ table: EntityTable) throws -> SearchPlan {
    if let known = markedWords, known.words == words, known.table === table { return known.plan }
    let plan = try SearchReader(table, connection, context).plan(words)
    markedWords = (words, table, plan)
    return plan
  }

  /// Where the words of a search stand in an item, the property with the most weight first.
  ///
  /// Properties that have none of them are left out.
  /// - Complexity: O(length of the item's texts).
  package func highlights(
    in reference: ItemReference, matching words: String
  ) throws -> [SearchHighlight] {
    let table = try table(reference.entity)
    guard !table.isAbsent else { return [] }
    try connection.registerSearch()
    let plan = try markingPlan(words, table)
    guard plan.match != nil else { return [] }
    var forms: [String: [String]] = [:]
    for phrase in plan.prefixes {
      forms[phrase] = try completions(of: phrase, in: reference.id, of: table)
    }
    let match = plan.match(completedBy: forms)
    // An item may have been found that has only some of the words.
    let any = plan.anyWord(completedBy: forms) ?? match
    let calls = table.searched.indices.map { column -> SQL in
      """
      highlight(\(name: table.searchName), \(.int(Int64(column))), \
      \(.text(String(Self.open))), \(.text(String(Self.close))))
      """
    }
    var texts: [String] = []
    try connection.rows(
      """
      SELECT \(SQL.joined(calls, separator: ", ")) FROM \(name: table.searchName) \
      WHERE \(name: table.searchName) MATCH \(.text(any)) AND rowid = \(.int(reference.id))
      """
    ) { row in
      texts = calls.indices.map { row.text(Int32($0)) }
      return false
    }
    let columns = texts.indices.filter { texts[$0].contains(Self.open) }.sorted { left, right in
      weight(of: left, in: table) > weight(of: right, in: table)
    }
    return try columns.compactMap { column in
      let property = table.schema.properties[table.searched[column]]
      guard let text = Self.marked(texts[column], property.type), text.hasMarks else { return nil }
      return SearchHighlight(
        property: property.name, text: text, isList: property.type.isStoredAsJSON,
        isWhole: try matches("p\(column + 1) : (\(match))", reference.id, in: table))
    }
  }

  /// How many forms of a word that may go on are set off.
  private static let formLimit = 100

  /// The forms in which a phrase whose last word may go on stands in a row.
  private func completions(
    of phrase: String, in id: Int64, of table: EntityTable
  ) throws -> [String] {
    let calls = table.searched.indices.map { position -> SQL in
      """
      \(raw: Connection.completionsFunction)(\(raw: "p\(position + 1)"), \(.text(phrase)))
      """
    }
    var forms = Set<Substring>()
    try connection.rows(
      """
      SELECT \(SQL.joined(calls, separator: ", ")) FROM \(name: table.textName) \
      WHERE id = \(.int(id))
      """
    ) { row in
      for column in calls.indices {
        forms.formUnion(row.text(Int32(column)).split(separator: "\n"))
      }
      return false
    }
    return forms.prefix(Self.formLimit).map(String.init)
  }

  private func weight(of column: Int, in table: EntityTable) -> Double {
    table.schema.properties[table.searched[column]].searchWeight ?? 0
  }

  private func matches(_ expression: String, _ id: Int64, in table: EntityTable) throws -> Bool {
    try connection.first(
      """
      SELECT 1 FROM \(name: table.searchName) \
      WHERE \(name: table.searchName) MATCH \(.text(expression)) AND rowid = \(.int(id))
      """) != nil
  }

  /// Text with its marks read; nil for JSON that is more than a list of texts, which nobody reads.
  private static func marked(_ text: String, _ type: DataType) -> MarkedText? {
    var text = WordSeparation.joined(text)
    if type.isStoredAsJSON {
      guard case .list(let values)? = try? JSONParser().parse(text) else { return nil }
      let elements = values.compactMap { value -> String? in
        if case .string(let element) = value { element } else { nil }
      }
      guard elements.count == values.count else { return nil }
      text = elements.joined(separator: ", ")
    }
    var runs: [MarkedText.Run] = []
    var rest = text[...]
    var isMarked = false
    while let end = rest.firstIndex(where: { $0 == open || $0 == close }) {
      runs.append(.init(String(rest[..<end]), isMarked: isMarked))
      isMarked = rest[end] == open
      rest = rest[rest.index(after: end)...]
    }
    runs.append(.init(String(rest), isMarked: isMarked))
    return MarkedText(runs)
  }
}
