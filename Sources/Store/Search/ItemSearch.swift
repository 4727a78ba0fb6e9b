import CEL
package import Items
import JSON

/// The matches of a search in one property of an item.
package struct SearchHighlight: Hashable, Sendable {
  /// The name of the property.
  package let property: String
  /// The text with its matches marked; the elements of a list are joined with commas.
  package let text: MarkedText
  /// Whether the property is a list, such as tags.
  package let isList: Bool
  /// Whether this property alone matches the whole search.
  package let isWhole: Bool
}

/// Summaries, explanations and highlights of searches.
package struct ItemSearch {
  let database: Database
  private var connection: Connection { database.connection }
  private var context: StoreContext { database.context }

  /// Runs `body` with a shared interpretation of the search words, so that a summary agrees with
  /// the results.
  package func searching<Result>(_ body: () throws -> Result) rethrows -> Result {
    database.searchMemory = SearchMemory()
    defer { database.searchMemory = nil }
    return try body()
  }

  /// Summarizes the results of a query.
  ///
  /// - Parameter most: The maximum number of items to count.
  package func summary(of query: Query, countingTo most: Int) throws -> SearchSummary {
    let count = try database.items.count(query, upTo: most + 1)
    var missing: [SearchSummary.MissingWord] = []
    if count == 0, let words = query.words, case let table = try database.table(query.entity),
      !table.isAbsent
    {
      try connection.registerSearch()
      missing = try SearchReader(table, connection, context, memory: database.searchMemory).missing(
        words)
    }
    return SearchSummary(count: min(count, most), hasMore: count > most, missing: missing)
  }

  /// Explains the execution of a query and, for a search, the ranking of its best matches.
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
        plan, match: match, among: few, in: table, connection, now: context.world.now())
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
      // EXPLAIN needs no bindings.
      try connection.rows("EXPLAIN QUERY PLAN \(raw: statement)") { row in
        result.plan.append(row.text(3))
        return true
      }
    }
    return result
  }

  // MARK: Highlighting

  /// The delimiters of a match: the last private-use characters, which texts hardly ever contain.
  private static let open: Character = "\u{10FFFC}"
  private static let close: Character = "\u{10FFFD}"

  /// The plan for highlighting a search, cached across items; completions added since the first
  /// item may be missing.
  private func markingPlan(_ words: String, _ table: EntityTable) throws -> SearchPlan {
    if let known = database.markedWords, known.words == words, known.table === table {
      return known.plan
    }
    let plan = try SearchReader(table, connection, context).plan(words)
    database.markedWords = MarkedWords(words: words, table: table, plan: plan)
    return plan
  }

  /// The matches of a search in an item, in order of property weight.
  ///
  /// Properties without matches are omitted.
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
    // A relaxed search may have found an item with only some of the words.
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

  /// The maximum number of highlighted completions of a prefix.
  private static let formLimit = 100

  /// The completions of a phrase with a prefix in a row.
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

  /// Parses delimiters in a text; nil for JSON other than a list of strings, which is not readable.
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

/// Results shared by the steps of one search, from its items to its summary.
final class SearchMemory {
  /// Search plans, by entity and words.
  var plans: [[String]: SearchPlan] = [:]
  /// Spelling corrections (edit distance 1) by [entity, word]; a nil value means that none was
  /// found.
  var corrections: [[String]: String?] = [:]
}

/// A match of a search, with the parts of its score.
package struct SearchHit: Sendable {
  /// The id of the item.
  package let id: Int64
  /// BM25 over the words, weighted by property, plus a bonus for matching names.
  package internal(set) var relevance: Double
  /// The usage factor, from 1.
  package let use: Double

  /// The score used to sort matches, descending.
  package var score: Double { relevance * use }
}

/// A summary of a search's results.
package struct SearchSummary: Hashable, Sendable {
  /// A word that no item contains.
  package struct MissingWord: Hashable, Sendable {
    /// The word as typed.
    package let word: String
    /// A correction (edit distance 1) that some item contains; nil when there is none.
    package let suggestion: String?
  }

  /// The number of matching items, up to the limit.
  package let count: Int
  /// Whether there are more than `count`.
  package let hasMore: Bool
  /// The words that no item contains; computed only when no item matches.
  package let missing: [MissingWord]
}

/// The execution of a query.
package struct QueryExplanation: Sendable {
  /// The statements, with `?` for each value; a ranked search has one that ranks, then one that
  /// reads a match. Empty when nothing can match.
  package internal(set) var statements: [String] = []
  /// The parts of the filter that run as SQL.
  package internal(set) var inSQL: [String] = []
  /// The parts of the filter that are evaluated for each item.
  package internal(set) var inProcess: [String] = []
  /// SQLite's query plans, a step per line.
  package internal(set) var plan: [String] = []
  /// The FTS5 expression used to rank matches; nil without a search.
  package internal(set) var match: String?
  /// Whether all matches are ranked with full BM25; otherwise only the newest and most used,
  /// without length normalization.
  package internal(set) var isRankingExact = true
  /// The best matches that also match the rest of the query, with the parts of their scores.
  package internal(set) var hits: [SearchHit] = []
}

extension Database {
  /// The shared results of the current search; nil outside of one.
  var searchMemory: SearchMemory? {
    get { attachments[SearchMemory.self] }
    set { attachments[SearchMemory.self] = newValue }
  }

  /// The last highlighted words.
  fileprivate var markedWords: MarkedWords? {
    get { attachments[MarkedWords.self] }
    set { attachments[MarkedWords.self] = newValue }
  }
}

/// Search words with their plan for a table.
private struct MarkedWords {
  let words: String
  let table: EntityTable
  let plan: SearchPlan
}
