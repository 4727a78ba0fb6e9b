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

/// What there is to say of searches: how they ran, what they found, and where words stand.
package struct ItemSearch {
  let database: Database
  private var connection: Connection { database.connection }
  private var context: StoreContext { database.context }

  /// Runs `body`, in which it is found out once what the words of a search mean; so what is said of
  /// what a search found can't differ from what it found.
  package func searching<Result>(_ body: () throws -> Result) rethrows -> Result {
    database.searchMemory = SearchMemory()
    defer { database.searchMemory = nil }
    return try body()
  }

  /// What there is to say of what a query found.
  ///
  /// - Parameter most: How many items are counted at most.
  package func summary(of query: Query, countingTo most: Int) throws -> SearchSummary {
    let count = try database.items.count(query, upTo: most + 1)
    var missing: [SearchSummary.MissingWord] = []
    if count == 0, let words = query.words, case let table = try database.table(query.entity),
      !table.isAbsent
    {
      try connection.registerSearch()
      missing = try SearchReader(table, connection, context, database.searchMemory).missing(words)
    }
    return SearchSummary(count: min(count, most), hasMore: count > most, missing: missing)
  }

  /// How a query would run, and for a search how its best matches came to their places.
  package func explain(_ query: Query) throws -> QueryExplanation {
    let table = try database.table(query.entity)
    var result = QueryExplanation()
    guard !table.isAbsent, let compiled = try database.items.compile(query, table) else {
      return result
    }
    result.statements = [compiled.sql.text]
    result.inSQL = compiled.plan?.inSQL.map(\.description) ?? []
    result.inProcess = compiled.plan?.inProcess.map(\.description) ?? []
    if case .ranking(let plan, let match, let few) = compiled.source {
      let search = try RankedSearch(
        plan, match: match, among: few, in: table, connection, now: context.now())
      result.statements.insert(search.statement, at: 0)
      result.match = match
      result.isRankingExact = search.isExact
      let limit = query.limit ?? 10
      var left = context.filterSteps
      try database.items.forEachHit(of: search, in: table) { hit in
        if try database.items.item(of: hit, compiled, query, table, left: &left) != nil {
          result.hits.append(hit)
        }
        return result.hits.count < limit
      }
    }
    for statement in result.statements {
      // A plan needs no values.
      try connection.rows("EXPLAIN QUERY PLAN \(raw: statement)") { row in
        result.plan.append(row.text(3))
        return true
      }
    }
    return result
  }

  // MARK: Words in texts

  /// The last characters for private use, which hardly any text has, around each word of a match.
  private static let open: Character = "\u{10FFFC}"
  private static let close: Character = "\u{10FFFD}"

  /// What words mean that are set off in one item after the other; a form that came up since the
  /// first of them may be missing.
  private func markingPlan(_ words: String, _ table: EntityTable) throws -> SearchPlan {
    if let known = database.markedWords, known.words == words, known.table === table {
      return known.plan
    }
    let plan = try SearchReader(table, connection, context).plan(words)
    database.markedWords = (words, table, plan)
    return plan
  }

  /// Where the words of a search stand in an item, the property with the most weight first.
  ///
  /// Properties that have none of them are left out.
  /// - Complexity: O(length of the item's texts).
  package func highlights(
    in reference: ItemReference, matching words: String
  ) throws -> [SearchHighlight] {
    let table = try database.table(reference.entity)
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
    try connection.exists(
      """
      SELECT 1 FROM \(name: table.searchName) \
      WHERE \(name: table.searchName) MATCH \(.text(expression)) AND rowid = \(.int(id))
      """)
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

/// What is found out once while a search goes on, from its items to the sentence about them.
final class SearchMemory {
  /// What the words of a search mean, by entity and words.
  var plans: [[String]: SearchPlan] = [:]
  /// The word that something has and that is a letter away from one that nothing has, by entity and
  /// word; null when there is none.
  var corrections: [[String]: String?] = [:]
}

/// A match of a search, with the parts of its score.
package struct SearchHit: Sendable {
  /// The number of the item.
  package let id: Int64
  /// BM25 over the words, by the weights of the properties, and what being called so adds.
  package internal(set) var relevance: Double
  /// What the use of the item adds, as a factor from 1.
  package let use: Double

  /// What matches are ordered by, the largest first.
  package var score: Double { relevance * use }
}

/// What there is to say of a search besides the items that it found.
package struct SearchSummary: Hashable, Sendable {
  /// A word that no item has.
  package struct MissingWord: Hashable, Sendable {
    /// The word as it was given.
    package let word: String
    /// A word that some item has and that is a letter away; nil when there is none.
    package let suggestion: String?
  }

  /// How many items match in all, as far as they were counted.
  package let count: Int
  /// Whether there are more than `count`.
  package let hasMore: Bool
  /// The words that no item has; looked for only where no item has all of them.
  package let missing: [MissingWord]
}

/// How a query runs.
package struct QueryExplanation: Sendable {
  /// The statement, with `?` for each value; of a search that ranks its matches first the one that
  /// does so, then the one that reads a match. None when nothing can match.
  package internal(set) var statements: [String] = []
  /// The parts of the filter that run as SQL.
  package internal(set) var inSQL: [String] = []
  /// The parts of the filter that are evaluated for each item.
  package internal(set) var inProcess: [String] = []
  /// SQLite's plans for the statements, a step a line.
  package internal(set) var plan: [String] = []
  /// The expression of the text index that ranks the matches; nil without a search.
  package internal(set) var match: String?
  /// Whether all matches are ranked by all that BM25 counts; else the newest and the most used,
  /// without the length of each.
  package internal(set) var isRankingExact = true
  /// The best matches that the rest of the query lets pass, with the parts of their scores.
  package internal(set) var hits: [SearchHit] = []
}
