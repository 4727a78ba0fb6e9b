import CEL
import Items

/// A search compiled for the database.
struct SearchPlan {
  /// The FTS5 expression of all required words, used to rank matches.
  private(set) var match: String?
  /// The ranked words, starting with those of `match`, in its order.
  private(set) var groups: [WordGroup] = []
  /// The number of `groups` in `match`; the remaining ones are too common to be searched for.
  private(set) var matchedGroups = 0
  /// Further expressions that every match satisfies, and that are not ranked.
  private var required: [String] = []
  /// Excluded expressions.
  private var unwanted: [String] = []
  /// The terms of `match` and `unwanted`.
  private var indexed: [SearchTerm] = []
  /// The other conditions on a row `t`.
  private var others: [SearchTerm] = []
  /// Whether the search contains prefixes.
  ///
  /// FTS5 expands a prefix to all words whenever it is queried, even for a single row.
  let hasPrefixes: Bool
  /// Whether the search is empty.
  let isEmpty: Bool

  private let table: EntityTable
  private let midnight: (String) -> Timestamp?

  /// The terms that must all match.
  let terms: [SearchTerm]
  /// The query joined into one “name word”, for exact-name matching; nil if the query has
  /// operators.
  let name: String?
  /// Whether some of the words suffice.
  let isRelaxed: Bool

  /// - Parameters:
  ///   - terms: The terms that must all match.
  ///   - others: Words that only affect the rank.
  ///   - isRelaxed: Whether the terms are weaker than the user's.
  init(
    _ terms: [SearchTerm], besides others: [SearchTerm] = [], name: String?,
    isRelaxed: Bool = false,
    table: EntityTable, context: StoreContext
  ) {
    self.table = table
    self.terms = terms
    self.name = table.hasNames ? name : nil
    self.isRelaxed = isRelaxed
    midnight = context.world.midnight
    isEmpty = terms.isEmpty
    hasPrefixes = terms.contains { !$0.prefixes.isEmpty }
    var wanted: [String] = []
    for term in terms {
      if let expression = expression(term) {
        wanted.append(expression)
        indexed.append(term)
        groups += self.groups(of: term)
      } else if case .not(let inner) = term, let expression = expression(inner) {
        unwanted.append(expression)
        indexed.append(term)
      } else {
        if let requirement = requirement(term) { required.append(requirement) }
        self.others.append(term)
      }
    }
    matchedGroups = groups.count
    groups += others.flatMap { self.groups(of: $0) }
    if !wanted.isEmpty { match = wanted.joined(separator: " AND ") }
  }

  /// The ranked words of a term, in the order of `expression`.
  private func groups(of term: SearchTerm) -> [WordGroup] {
    switch term {
    case .any(let terms): return terms.flatMap { groups(of: $0) }
    case .forms(let forms):
      guard let expression = expression(term) else { return [] }
      let phrases = forms.enumerated().flatMap { index, form in
        self.phrases(
          of: form,
          weight: index == 0 ? 1 : isRelaxed ? WordGroup.otherFormDescribing : WordGroup.otherForm)
      }
      return [WordGroup(expression: expression, phrases: phrases)]
    default:
      guard let expression = expression(term) else { return [] }
      return [WordGroup(expression: expression, phrases: phrases(of: term, weight: 1))]
    }
  }

  private func phrases(of term: SearchTerm, weight: Double) -> [WordGroup.Phrase] {
    guard case .phrase(let text, let isPrefix, let property) = term else { return [] }
    return [
      WordGroup.Phrase(
        text: WordSeparation.separated(text), isBeginning: isPrefix,
        column: property.flatMap(table.textColumn) ?? 0, weight: weight)
    ]
  }

  /// The FTS5 expression for items named exactly like the search, by kind of name.
  func expression(ofNames kind: NameWords.Kind) -> String? {
    guard let name else { return nil }
    let column = "p\(table.searched.count + 1)"
    let wanted = (["\(column) : \(SQL.quoted(kind.rawValue + name))"] + required)
      .joined(separator: " AND ")
    return unwanted.isEmpty ? wanted : "(\(wanted)) NOT (\(unwanted.joined(separator: " OR ")))"
  }

  /// The most selective FTS5 expression; nil when only exclusions are indexable.
  ///
  /// - Parameter required: Expressions implied by the rest of the query.
  func expression(and required: [String] = []) -> String? {
    let wanted = [match].compactMap { $0 } + self.required + required
    if wanted.isEmpty { return nil }
    let all = wanted.joined(separator: " AND ")
    return unwanted.isEmpty ? all : "(\(all)) NOT (\(unwanted.joined(separator: " OR ")))"
  }

  /// The conditions on a row `t` besides `expression`; all conditions if that is nil.
  ///
  /// - Parameter probing: Whether each of a few rows is tested individually; otherwise the index is
  ///   queried once for all matches.
  func conditions(probing: Bool) -> [SQL] {
    (others + (expression() == nil ? indexed : [])).map { condition($0, probing) }
  }

  /// The conditions on the date of a row `t`.
  var dateConditions: [SQL] {
    others.filter { term in
      switch term {
      case .before, .after: true
      default: false
      }
    }.map { condition($0, true) }
  }

  /// The condition that a row `t`, one of a few, satisfies `expression`.
  func isMatch(_ expression: String) -> SQL {
    guard hasPrefixes else { return found(expression, true) }
    if indexed.isEmpty { return "1" }
    return "(\(SQL.joined(indexed.map { condition($0, true) }, separator: " AND ")))"
  }

  // MARK: FTS5 expressions

  /// The phrases whose last word is a prefix.
  var prefixes: [String] { indexed.flatMap(\.prefixes).map(WordSeparation.separated) }

  /// An expression for any word of `match` in one row, completed as in `match(completedBy:)`.
  func anyWord(completedBy forms: [String: [String]]) -> String? {
    let wanted = indexed.filter { if case .not = $0 { false } else { true } }
    let words = wanted.compactMap { expression($0, forms) }
    return words.isEmpty ? nil : words.joined(separator: " OR ")
  }

  /// The expression `match` for one row, with prefixes replaced by their completions.
  ///
  /// - Parameter forms: The completions of each of `prefixes` in that row.
  func match(completedBy forms: [String: [String]]) -> String {
    let wanted = indexed.filter { if case .not = $0 { false } else { true } }
    return wanted.compactMap { expression($0, forms) }.joined(separator: " AND ")
  }

  /// The FTS5 expression of a term; nil when the index cannot decide it alone.
  ///
  /// - Parameter forms: As in `match`; nil leaves prefixes to the index.
  private func expression(_ term: SearchTerm, _ forms: [String: [String]]? = nil) -> String? {
    switch term {
    case .phrase(let text, let isPrefix, let property):
      guard !table.searched.isEmpty else { return nil }
      var column = ""
      if let property {
        guard let number = table.textColumn(of: property) else { return nil }
        column = "p\(number) : "
      }
      let phrase = WordSeparation.separated(text)
      if isPrefix, let forms {
        let all = [phrase] + (forms[phrase] ?? [])
        return column + "(\(all.map(SQL.quoted).joined(separator: " OR ")))"
      }
      return column + SQL.quoted(phrase) + (isPrefix ? " *" : "")
    case .any(let terms), .forms(let terms):
      let parts = terms.compactMap { expression($0, forms) }
      if parts.count == 1, terms.count == 1 { return parts[0] }
      return parts.count == terms.count ? "(" + parts.joined(separator: " OR ") + ")" : nil
    default: return nil
    }
  }

  /// An expression implied by a term, which reduces the matches; nil when there is none.
  private func requirement(_ term: SearchTerm) -> String? {
    switch term {
    case .phrase: return expression(term)
    case .value(let text, let property):
      guard case .list? = table.schema.properties.first(where: { $0.name == property })?.type,
        CaseFolding.isKnownToTextIndex(text)
      else { return nil }
      return table.phrase(text, in: property)
    case .any(let terms), .forms(let terms):
      let parts = terms.compactMap(requirement)
      return parts.count == terms.count ? "(" + parts.joined(separator: " OR ") + ")" : nil
    case .all(let terms):
      let parts = terms.compactMap(requirement)
      return parts.isEmpty ? nil : "(" + parts.joined(separator: " AND ") + ")"
    case .text, .before, .after, .not: return nil
    }
  }

  /// The condition that a row matches an expression.
  private func found(_ expression: String, _ probing: Bool) -> SQL {
    let rows: SQL = """
      FROM \(name: table.searchName) WHERE \(name: table.searchName) MATCH \(.text(expression))
      """
    return probing
      ? "EXISTS (SELECT 1 \(rows) AND rowid = t.id)" : "(t.id IN (SELECT rowid \(rows)))"
  }

  // MARK: Conditions

  private func condition(_ term: SearchTerm, _ probing: Bool) -> SQL {
    func all(_ terms: [SearchTerm], by word: String) -> SQL {
      "(\(SQL.joined(terms.map { condition($0, probing) }, separator: word)))"
    }
    return switch term {
    case .phrase(let text, let isPrefix, let property):
      if probing, isPrefix {
        standsIn(text, property)
      } else {
        expression(term).map { found($0, probing) } ?? "0"
      }
    case .text(let text, let property): contains(text, in: property)
    case .value(let text, let property): equals(text, in: property)
    case .before(let day): "(t.createdAt < \(.int(microseconds(day))))"
    case .after(let day): "(t.createdAt >= \(.int(microseconds(day))))"
    case .not(let term): "(\(condition(term, probing)) IS NOT 1)"
    case .any(let terms), .forms(let terms): all(terms, by: " OR ")
    case .all(let terms): all(terms, by: " AND ")
    }
  }

  /// The condition that a phrase with a prefix occurs in a property, or in any.
  private func standsIn(_ text: String, _ property: String?) -> SQL {
    let columns =
      property.map { [table.textColumn(of: $0)].compactMap { $0 } }
      ?? Array(1..<table.textColumns.count + 1)
    if columns.isEmpty { return "0" }
    let phrase = SQLValue.text(WordSeparation.separated(text))
    let tests = columns.map { column -> SQL in
      "\(raw: Connection.standsInFunction)(w.p\(raw: String(column)), \(phrase))"
    }
    return """
      EXISTS (SELECT 1 FROM \(name: table.textName) AS w \
      WHERE w.id = t.id AND (\(SQL.joined(tests, separator: " OR "))))
      """
  }

  private func microseconds(_ day: String) -> Int64 { midnight(day)?.microseconds ?? 0 }

  /// The condition that a property, or any searched one, contains a text, ignoring case.
  private func contains(_ text: String, in property: String?) -> SQL {
    let names = property.map { [$0] } ?? table.searched.map { table.schema.properties[$0].name }
    if names.isEmpty { return "0" }
    let folded = SQLValue.text(Self.lowered(text))
    let tests = names.map { name -> SQL in "(instr(lower(t.\(name: name)), \(folded)) > 0)" }
    return "(\(SQL.joined(tests, separator: " OR ")))"
  }

  /// The condition that a property equals a value, or that a list contains it.
  private func equals(_ text: String, in property: String) -> SQL {
    guard let schema = table.schema.properties.first(where: { $0.name == property }) else {
      return "0"
    }
    var text = text
    if case .refined(let type) = schema.type, let value = type.value(of: .string(text)) {
      text = value.text
    }
    let wanted = SQLValue.text(text)
    let isSame: SQL = "\(raw: Connection.samenessFunction)"
    switch schema.type.base {
    case .list:
      let fits = schema.areTags ? "\(raw: Connection.tagFunction)" : isSame
      return """
        EXISTS (SELECT 1 FROM json_each(t.\(name: property)) AS e \
        WHERE \(fits)(e.value, \(wanted)))
        """
    case .int: return Int64(text).map { "(t.\(name: property) = \(.int($0)))" } ?? "0"
    case .double: return Double(text).map { "(t.\(name: property) = \(.double($0)))" } ?? "0"
    case .duration:
      return DurationValue(text: text).map { length in
        "(t.\(name: property) = \(.int(length.roundedToMicroseconds.microseconds)))"
      } ?? "0"
    case .bool:
      let isTrue = Self.lowered(text) == "true" || Self.lowered(text) == "yes"
      return "(t.\(name: property) = \(.int(isTrue ? 1 : 0)))"
    case .when:
      guard let start = midnight(text),
        let next = CivilDate(iso8601: text).flatMap({ midnight($0.adding(days: 1).iso8601) })
      else { return "0" }
      let moment: SQL = "\(raw: Connection.momentFunction)(t.\(name: property))"
      return "(\(moment) >= \(.int(start.seconds)) AND \(moment) < \(.int(next.seconds)))"
    default: return "(\(isSame)(t.\(name: property), \(wanted)))"
    }
  }

  /// The text with ASCII letters in lower case, like SQLite's `lower`.
  private static func lowered(_ text: String) -> String {
    String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

/// A word of a search with all its forms, ranked as one term.
struct WordGroup {
  /// A form of the word.
  struct Phrase {
    /// The words as indexed.
    let text: String
    /// Whether the last word is a prefix.
    let isBeginning: Bool
    /// The column of the text index, from 1; 0 for all.
    let column: Int
    /// The weight relative to the word as written.
    let weight: Double
  }

  /// The weight of inflected forms.
  static let otherForm = 0.6
  /// The weight of inflected forms in a relaxed search, which describes an item.
  static let otherFormDescribing = 0.9

  /// The FTS5 expression of all forms.
  let expression: String
  let phrases: [Phrase]
}

extension EntityTable {
  /// A property's column in the text index, from 1; nil when it is not searched.
  func textColumn(of property: String) -> Int? {
    searched.firstIndex { schema.properties[$0].name == property }.map { $0 + 1 }
  }

  /// An FTS5 expression implied by a property or one of its elements being equal to a text; nil
  /// when there is none.
  func phrase(_ text: String, in property: String) -> String? {
    guard let column = textColumn(of: property), text.utf8.count <= 1_000,
      // JSON escapes control characters, and the letters of an escape would be indexed.
      text.utf8.allSatisfy({ $0 >= 0x20 }),
      text.unicodeScalars.contains(where: {
        $0.isTokenCharacter || hasSeparatedWords && $0.isWord
      })
    else { return nil }
    let words = hasSeparatedWords ? WordSeparation.separated(text) : text
    return "p\(column) : \(SQL.quoted(words))"
  }
}
