import CEL
import Items

/// Turns a user's query into a plan, using word statistics of the text index.
struct SearchReader {
  /// The number of words that may match other forms.
  private static let openWords = 12
  /// The minimum length of a word that may be completed.
  private static let leastBeginning = 3
  /// The maximum number of matches to be ranked by a relaxed search.
  private static let relaxedMatches = 12_000.0

  private let table: EntityTable
  private let connection: Connection
  private let context: StoreContext
  private let memory: SearchMemory?

  /// - Parameter memory: Earlier results for the same search.
  init(
    _ table: EntityTable, _ connection: Connection, _ context: StoreContext,
    memory: SearchMemory? = nil
  ) {
    self.table = table
    self.connection = connection
    self.context = context
    self.memory = memory
  }

  /// The plan for items with all words.
  ///
  /// - Throws: `invalidValue` for too many prefixes.
  func plan(_ words: String) throws -> SearchPlan {
    var terms = parsed(words)
    try Self.expectFewBeginnings(terms)
    let name = name(of: terms)
    var open = Self.openWords
    let last = terms.lastIndex { $0.plainWord != nil }
    for index in terms.indices where open > 0 {
      terms[index] = try opened(terms[index], isLast: index == last, &open)
    }
    return SearchPlan(terms, name: name, table: table, context: context)
  }

  /// The plan for items with the rarest words, used when none has all; nil when the search cannot
  /// be relaxed.
  func relaxed(_ plan: SearchPlan) throws -> SearchPlan? {
    let rows = try RankedSearch.largestID(of: table, connection)
    var others: [SearchTerm] = []
    var words: [(term: SearchTerm, count: Double)] = []
    var (isCorrected, isCompound) = (false, false)
    for term in plan.terms {
      guard let word = term.plainWord else {
        others.append(term)
        continue
      }
      var term = term
      var count = try self.count(term, rows)
      if count == 0, case .forms(let forms) = term, let correction = try correction(of: word) {
        term = .forms(forms + [.phrase(correction, isPrefix: false, property: nil)])
        count = try self.count(term, rows)
        isCorrected = true
      }
      if count > 0 { words.append((term, count)) }
      // `lucide-react` may be written as `lucide`.
      let parts = word.split { !$0.unicodeScalars.contains(where: \.isTokenCharacter) }
      for part in parts where parts.count > 1 && part.utf8.count > 1 {
        let part = SearchTerm.forms([.phrase(String(part), isPrefix: false, property: nil)])
        let count = try self.count(part, rows)
        if count > 0 { words.append((part, count)) }
        isCompound = true
      }
    }
    let plain = plan.terms.compactMap(\.plainWord)
    guard plain.count > 1 || isCorrected || isCompound, !words.isEmpty else { return nil }
    // `open in code` may be written as `openincode`.
    for (left, right) in zip(plain, plain.dropFirst()) where left.utf8.count <= 40 {
      let pair = SearchTerm.phrase(left + right, isPrefix: false, property: nil)
      guard right.utf8.count <= 40 else { continue }
      let count = try self.count(pair, rows)
      if count > 0 { words.append((pair, count)) }
    }
    return self.plan(rarest: words, and: others, name: plan.name)
  }

  /// The plan for items that have any of the terms which occur somewhere; nil if none does.
  func plan(any terms: [SearchTerm]) throws -> SearchPlan? {
    let rows = try RankedSearch.largestID(of: table, connection)
    let words = try terms.map { (term: $0, count: try count($0, rows)) }.filter { $0.count > 0 }
    return words.isEmpty ? nil : plan(rarest: words, and: [], name: nil)
  }

  /// The plan for items with any of the rarest words, of which the others only affect the rank.
  private func plan(
    rarest words: [(term: SearchTerm, count: Double)], and others: [SearchTerm], name: String?
  ) -> SearchPlan {
    let words = words.sorted { $0.count < $1.count }
    var looked: [SearchTerm] = []
    var total = 0.0
    for word in words where looked.isEmpty || total + word.count <= Self.relaxedMatches {
      looked.append(word.term)
      total += word.count
    }
    let rest = words.dropFirst(looked.count).map(\.term)
    return SearchPlan(
      [.any(looked)] + others, besides: rest, name: name, isRelaxed: true, table: table,
      context: context)
  }

  /// The words that no item contains, each with a correction.
  func missing(_ words: String) throws -> [SearchSummary.MissingWord] {
    try plan(words).terms.compactMap { term in
      guard let word = term.plainWord, try !exists(term) else { return nil }
      return .init(word: word, suggestion: try correction(of: word))
    }
  }

  private func parsed(_ words: String) -> [SearchTerm] {
    var parser = SearchParser(
      words, schema: table.schema, isSeparated: table.hasSeparatedWords
    ) { context.world.midnight($0) != nil }
    var terms: [SearchTerm] = []
    for term in parser.parse() {
      if case .all(let parts) = term { terms += parts } else { terms.append(term) }
    }
    return terms
  }

  /// The query as one name, if its words are plain.
  private func name(of terms: [SearchTerm]) -> String? {
    var text = ""
    for term in terms {
      switch term {
      case .forms:
        // Symbols are words, but not part of names.
        guard let word = term.plainWord,
          !word.unicodeScalars.contains(where: { $0.isWord && !$0.isTokenCharacter })
        else { return nil }
        text += word
      case .phrase, .any: return nil
      default: continue
      }
    }
    return NameWords.key(of: text)
  }

  // MARK: Forms

  /// The term with those forms of its words that occur in the index.
  private func opened(
    _ term: SearchTerm, isLast: Bool, _ open: inout Int
  ) throws -> SearchTerm {
    switch term {
    case .any(let terms):
      var left = open
      defer { open = left }
      return .any(try terms.map { try opened($0, isLast: false, &left) })
    case .forms(let forms):
      guard open > 0, case .phrase(let text, false, let property)? = forms.first else {
        return term
      }
      open -= 1
      var result = forms
      for form in otherForms(of: text) {
        let phrase = SearchTerm.phrase(form, isPrefix: false, property: property)
        if try exists(phrase) { result.append(phrase) }
      }
      if isLast, result.count == 1, text.count >= Self.leastBeginning, try !exists(forms[0]) {
        let beginning = SearchTerm.phrase(text, isPrefix: true, property: property)
        if try exists(beginning) { result.append(beginning) }
      }
      return .forms(result)
    default: return term
    }
  }

  private func otherForms(of text: String) -> [String] {
    let forms = WordForms(language: context.rules.language).forms(of: text)
    if !forms.isEmpty { return forms }
    // `node.js` is also written as `nodejs`.
    return NameWords.compound(text).map { [$0] } ?? []
  }

  /// The most frequent correction of a word that no item contains.
  private func correction(of word: String) throws -> String? {
    if let known = memory?.corrections[[table.name, word]] { return known }
    let correction = try looked(up: word)
    memory?.corrections[[table.name, word]] = .some(correction)
    return correction
  }

  private func looked(up word: String) throws -> String? {
    var best: (word: String, count: Int)?
    for candidate in OneLetter.variants(of: word) {
      let count = try matches(.phrase(candidate, isPrefix: false, property: nil), limit: 100)
      if count > best?.count ?? 0 { best = (candidate, count) }
    }
    return best?.word
  }

  // MARK: Counting

  private func exists(_ term: SearchTerm) throws -> Bool { try matches(term, limit: 1) > 0 }

  private func matches(_ term: SearchTerm, limit: Int) throws -> Int {
    guard let expression = expression(term) else { return 0 }
    return try RankedSearch.count(expression, table, connection, limit: limit)
  }

  /// The approximate number of items that match a term.
  private func count(_ term: SearchTerm, _ rows: Int64) throws -> Double {
    guard let expression = expression(term) else { return 0 }
    let newest = try RankedSearch.newest(
      expression, limit: RankedSearch.sample, rows: rows, table, connection)
    return newest.count < RankedSearch.sample ? Double(newest.count) : newest.share * Double(rows)
  }

  private func expression(_ term: SearchTerm) -> String? {
    SearchPlan([term], name: nil, table: table, context: context).match
  }

  // MARK: Prefixes

  /// The budget for the prefixes of a search; one of three or more letters costs 1.
  private static let beginningLimit = 20

  private static func expectFewBeginnings(_ terms: [SearchTerm]) throws {
    let cost = terms.flatMap(\.prefixes).reduce(0) { cost, prefix in
      cost + (prefix.count < 2 ? 4 : prefix.count < 3 ? 2 : 1)
    }
    guard cost > beginningLimit else { return }
    throw StoreError(
      .invalidValue,
      "too many prefixes such as `ab*` in one search: use fewer or longer ones")
  }
}
