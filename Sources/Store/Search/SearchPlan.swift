import CEL
import Items

/// A search in the terms of the database.
struct SearchPlan {
  /// The FTS5 expression of all words that must be found, by which matches are ranked.
  private(set) var match: String?
  /// The words that count for the rank, those of `match` first and in its order.
  private(set) var groups: [WordGroup] = []
  /// How many of `groups` stand in `match`; the others are too common to be looked for.
  private(set) var matchedGroups = 0
  /// Expressions that every match satisfies, too, and that do not count for the rank.
  private var required: [String] = []
  /// Expressions that no match may satisfy.
  private var unwanted: [String] = []
  /// The terms of `match` and of `unwanted`.
  private var indexed: [SearchTerm] = []
  /// What else must hold of a row `t`.
  private var others: [SearchTerm] = []
  /// Whether the beginnings of words are looked for.
  ///
  /// FTS5 collects all words with such a beginning whenever it is asked, also when it is asked of
  /// one row.
  let hasPrefixes: Bool
  /// Whether anything is asked for.
  let isEmpty: Bool

  private let table: EntityTable
  private let midnight: (String) -> Timestamp?

  /// The terms that must all hold.
  let terms: [SearchTerm]
  /// What the words would be in one, where an item may be called so; nil where more than words is
  /// asked for.
  let name: String?
  /// Whether some of the words are enough.
  let isRelaxed: Bool

  /// - Parameters:
  ///   - terms: What must all hold.
  ///   - others: Words that only count for the rank.
  ///   - isRelaxed: Whether the terms ask for less than the person did.
  init(
    _ terms: [SearchTerm], besides others: [SearchTerm] = [], name: String?,
    isRelaxed: Bool = false,
    table: EntityTable, context: StoreContext
  ) {
    self.table = table
    self.terms = terms
    self.name = table.hasNames ? name : nil
    self.isRelaxed = isRelaxed
    midnight = context.midnight
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

  /// The words of a term that count for the rank, in the order in which `expression` has them.
  private func groups(of term: SearchTerm) -> [WordGroup] {
    switch term {
    case .any(let terms): return terms.flatMap { groups(of: $0) }
    case .forms(let forms):
      guard let expression = expression(term) else { return [] }
      let phrases = forms.enumerated().flatMap { index, form in
        self.phrases(of: form, weight: index == 0 ? 1 : WordGroup.otherForm)
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

  /// The FTS5 expression of the items that are called just as the words say, by what the name is.
  func expression(ofNames kind: NameWords.Kind) -> String? {
    guard let name else { return nil }
    let column = "p\(table.searched.count + 1)"
    let wanted = (["\(column) : \(SQL.quoted(kind.rawValue + name))"] + required)
      .joined(separator: " AND ")
    return unwanted.isEmpty ? wanted : "(\(wanted)) NOT (\(unwanted.joined(separator: " OR ")))"
  }

  /// The FTS5 expression that finds least; nil when the index can only tell what is not wanted.
  ///
  /// - Parameter required: Expressions that are satisfied by whatever else is asked for.
  func expression(and required: [String] = []) -> String? {
    let wanted = [match].compactMap { $0 } + self.required + required
    if wanted.isEmpty { return nil }
    let all = wanted.joined(separator: " AND ")
    return unwanted.isEmpty ? all : "(\(all)) NOT (\(unwanted.joined(separator: " OR ")))"
  }

  /// What must hold of a row `t` besides `expression`, or besides nothing when that is nil.
  ///
  /// - Parameter probing: Whether few rows are looked at, so that each is looked at by itself;
  ///   else the index is asked once for all its rows.
  func conditions(probing: Bool) -> [SQL] {
    (others + (expression() == nil ? indexed : [])).map { condition($0, probing) }
  }

  /// What must hold of the date of a row `t`.
  var dateConditions: [SQL] {
    others.filter { term in
      switch term {
      case .before, .after: true
      default: false
      }
    }.map { condition($0, true) }
  }

  /// Whether a row `t` satisfies `expression`, of few rows that are looked at.
  func isMatch(_ expression: String) -> SQL {
    guard hasPrefixes else { return found(expression, true) }
    if indexed.isEmpty { return "1" }
    return "(\(SQL.joined(indexed.map { condition($0, true) }, separator: " AND ")))"
  }

  // MARK: FTS5 expressions

  /// The phrases whose last word may go on.
  var prefixes: [String] { indexed.flatMap(\.prefixes).map(WordSeparation.separated) }

  /// What any word of `match` means in one row, as `match(completedBy:)` has it.
  func anyWord(completedBy forms: [String: [String]]) -> String? {
    let wanted = indexed.filter { if case .not = $0 { false } else { true } }
    let words = wanted.compactMap { expression($0, forms) }
    return words.isEmpty ? nil : words.joined(separator: " OR ")
  }

  /// What `match` means in one row, without beginnings of words.
  ///
  /// - Parameter forms: In which forms each of `prefixes` stands there.
  func match(completedBy forms: [String: [String]]) -> String {
    let wanted = indexed.filter { if case .not = $0 { false } else { true } }
    return wanted.compactMap { expression($0, forms) }.joined(separator: " AND ")
  }

  /// The term as an expression of FTS5; nil when the index cannot tell, or not by itself.
  ///
  /// - Parameter forms: As those of `match`; without them the index looks for beginnings.
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

  /// An expression that holds wherever the term does, with which the index finds fewer rows; nil
  /// when there is none.
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

  /// Whether a row is among the matches of an expression.
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

  /// Whether a phrase whose last word may go on stands in a property, or in any.
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

  /// Whether text stands within a property, or within any that is searched; case is ignored.
  private func contains(_ text: String, in property: String?) -> SQL {
    let names = property.map { [$0] } ?? table.searched.map { table.schema.properties[$0].name }
    if names.isEmpty { return "0" }
    let folded = SQLValue.text(Self.lowered(text))
    let tests = names.map { name -> SQL in "(instr(lower(t.\(name: name)), \(folded)) > 0)" }
    return "(\(SQL.joined(tests, separator: " OR ")))"
  }

  /// Whether a property is a value, or a list has it.
  private func equals(_ text: String, in property: String) -> SQL {
    guard let schema = table.schema.properties.first(where: { $0.name == property }) else {
      return "0"
    }
    let wanted = SQLValue.text(text)
    let isSame: SQL = "\(raw: Connection.samenessFunction)"
    switch schema.type.base {
    case .list:
      return """
        EXISTS (SELECT 1 FROM json_each(t.\(name: property)) AS e \
        WHERE \(isSame)(e.value, \(wanted)))
        """
    case .int: return Int64(text).map { "(t.\(name: property) = \(.int($0)))" } ?? "0"
    case .double: return Double(text).map { "(t.\(name: property) = \(.double($0)))" } ?? "0"
    case .duration:
      return Duration(text: text).map { length in
        "(t.\(name: property) = \(.int(length.roundedToMicroseconds.microseconds)))"
      } ?? "0"
    case .bool:
      let isTrue = Self.lowered(text) == "true" || Self.lowered(text) == "yes"
      return "(t.\(name: property) = \(.int(isTrue ? 1 : 0)))"
    default: return "(\(isSame)(t.\(name: property), \(wanted)))"
    }
  }

  /// The text with ASCII in lower case, as `lower` of SQLite gives it.
  private static func lowered(_ text: String) -> String {
    String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

/// A word of a search, in all its forms, as one thing that an item has or has not.
struct WordGroup {
  /// A form of it.
  struct Phrase {
    /// The words as the text index has them.
    let text: String
    /// Whether the last word may go on.
    let isBeginning: Bool
    /// The column of the text index, from 1; 0 for all.
    let column: Int
    /// What it counts beside the word as it was written.
    let weight: Double
  }

  /// What another form counts than the one that was written.
  static let otherForm = 0.6

  /// The FTS5 expression of all forms.
  let expression: String
  let phrases: [Phrase]
}

extension EntityTable {
  /// The number of a property's column in the text index, from 1; nil when it is not searched.
  func textColumn(of property: String) -> Int? {
    searched.firstIndex { schema.properties[$0].name == property }.map { $0 + 1 }
  }

  /// The expression of the text index that holds wherever a property, or an element of it, is a
  /// text; nil when the index cannot tell.
  func phrase(_ text: String, in property: String) -> String? {
    guard let column = textColumn(of: property), text.utf8.count <= 1_000,
      // JSON escapes control characters, and the letters of an escape would stand in between.
      text.utf8.allSatisfy({ $0 >= 0x20 }),
      text.unicodeScalars.contains(where: {
        $0.isTokenCharacter || hasSeparatedWords && $0.isWord
      })
    else { return nil }
    let words = hasSeparatedWords ? WordSeparation.separated(text) : text
    return "p\(column) : \(SQL.quoted(words))"
  }
}
