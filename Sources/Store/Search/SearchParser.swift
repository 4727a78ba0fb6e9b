import Items

/// Parses search queries; anything that is not valid syntax is searched for as text.
///
/// All words must match: `"a phrase"`, `prefix*`, `-without`, `this or that`, `title:word` in one
/// property, `tag:x` as an element of the list `tags`, `before:2026-01-31`, `after:2026-01`. An
/// unknown property name is ordinary text.
struct SearchParser {
  /// Longer queries are truncated.
  private static let maximumBytes = 4_000
  private static let maximumWords = 64

  private let schema: EntitySchema
  /// Whether the text index splits text without spaces into characters.
  private let isSeparated: Bool
  private let isDay: (String) -> Bool
  private let text: [Unicode.Scalar]
  private var position = 0

  init(
    _ text: String, schema: EntitySchema, isSeparated: Bool, isDay: @escaping (String) -> Bool
  ) {
    self.schema = schema
    self.isSeparated = isSeparated
    self.isDay = isDay
    // A NUL would end the FTS5 expression.
    self.text = String(decoding: text.utf8.prefix(Self.maximumBytes), as: UTF8.self)
      .unicodeScalars.map { $0 == "\0" ? " " : $0 }
  }

  /// Parses the terms that must all match; empty when there is nothing to search for.
  mutating func parse() -> [SearchTerm] {
    var terms: [SearchTerm] = []
    var alternatives: [SearchTerm] = []
    var expectsAlternative = false
    func flush() {
      guard !alternatives.isEmpty else { return }
      terms.append(alternatives.count == 1 ? alternatives[0] : .any(alternatives))
      alternatives = []
    }
    var left = Self.maximumWords
    while left > 0, var token = next() {
      token.cut(to: &left)
      if token.isPlain, !alternatives.isEmpty, !expectsAlternative, hasMore,
        token.text == "or" || token.text == "OR"
      {
        expectsAlternative = true
        continue
      }
      guard let term = term(token) else { continue }
      if !expectsAlternative { flush() }
      alternatives.append(term)
      expectsAlternative = false
    }
    flush()
    return terms
  }

  // MARK: Tokens

  /// A token as it was written.
  private struct Token {
    var text: String
    var field: String?
    var isNegated = false
    var isQuoted = false
    var isPrefix = false

    var isPlain: Bool { field == nil && !isNegated && !isQuoted && !isPrefix }

    /// Truncates the token to a number of words, and subtracts its words from it.
    mutating func cut(to left: inout Int) {
      var kept = String.UnicodeScalarView()
      var isInWord = false
      var count = 0
      for scalar in text.unicodeScalars {
        // In a phrase, a character that is a word by itself counts as one, too.
        let begins = scalar.isWord || scalar.isTokenCharacter && !isInWord
        if begins, count == left {
          isPrefix = false
          break
        }
        if begins { count += 1 }
        isInWord = scalar.isTokenCharacter && !scalar.isWord
        kept.append(scalar)
      }
      left -= max(1, count)
      text = String(kept)
    }
  }

  private var hasMore: Bool {
    text[position...].contains { !$0.properties.isWhitespace }
  }

  private mutating func next() -> Token? {
    while position < text.count, text[position].properties.isWhitespace { position += 1 }
    guard position < text.count else { return nil }
    var token = Token(text: "")
    if text[position] == "-", position + 1 < text.count,
      !text[position + 1].properties.isWhitespace
    {
      token.isNegated = true
      position += 1
    }
    token.field = readField()
    if position < text.count, Self.isQuote(text[position]) {
      position += 1
      token.isQuoted = true
      token.text = read { Self.isQuote($0) }
      position += 1
    } else {
      token.text = read { $0.properties.isWhitespace }
    }
    if token.isQuoted, position < text.count, text[position] == "*" {
      token.isPrefix = true
      position += 1
    } else if !token.isQuoted, token.text.utf8.count > 1, token.text.hasSuffix("*") {
      token.isPrefix = true
      token.text.removeLast()
    }
    return token
  }

  private mutating func read(until isEnd: (Unicode.Scalar) -> Bool) -> String {
    var result = String.UnicodeScalarView()
    while position < text.count, !isEnd(text[position]) {
      result.append(text[position])
      position += 1
    }
    return String(result)
  }

  private static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\"" || scalar == "“" || scalar == "”"
  }

  /// Reads `name:` if it is a searchable property followed by more.
  private mutating func readField() -> String? {
    var end = position
    while end < text.count, Self.canBeInName(text[end], isFirst: end == position) { end += 1 }
    guard end > position, end + 1 < text.count, text[end] == ":",
      !text[end + 1].properties.isWhitespace, text[end + 1] != "/"
    else { return nil }
    var name = String.UnicodeScalarView()
    name.append(contentsOf: text[position..<end])
    guard let field = field(String(name)) else { return nil }
    position = end + 1
    return field
  }

  private static func canBeInName(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z": true
    case "0"..."9": !isFirst
    default: false
    }
  }

  /// The property with a name; a list also matches its singular.
  private func field(_ name: String) -> String? {
    if name == "before" || name == "after" { return name }
    let lowered = name.lowercased()
    return schema.properties.first { property in
      guard SearchTerm.isSearchable(property.type) else { return false }
      let own = property.name.lowercased()
      if own == lowered { return true }
      if case .list = property.type { return own == lowered + "s" }
      return false
    }?.name
  }

  // MARK: Terms

  private func term(_ token: Token) -> SearchTerm? {
    guard let term = positiveTerm(token) else { return nil }
    return token.isNegated ? .not(term) : term
  }

  private func positiveTerm(_ token: Token) -> SearchTerm? {
    switch token.field {
    case "before"?, "after"?:
      guard let field = token.field, let day = day(token.text) else {
        return words(token, property: nil)
      }
      return field == "before" ? .before(day) : .after(day)
    case let name?:
      guard let property = schema.properties.first(where: { $0.name == name }) else { return nil }
      switch property.type.base {
      case .list, .enumeration, .int, .double, .bool, .date, .when, .duration:
        return .value(token.text, property: name)
      default:
        if property.searchWeight != nil {
          return words(token, property: name)
        }
        return token.text.isEmpty ? nil : .text(token.text, property: name)
      }
    case nil: return words(token, property: nil)
    }
  }

  /// The first day of a date, month or year; nil for other texts.
  private func day(_ text: String) -> String? {
    let rest =
      switch text.utf8.count(where: { $0 == UInt8(ascii: "-") }) {
      case 0: "-01-01"
      case 1: "-01"
      default: ""
      }
    return isDay(text + rest) ? text + rest : nil
  }

  private func words(_ token: Token, property: String?) -> SearchTerm? {
    words(
      token.text, isPrefix: token.isPrefix, property: property,
      isOpen: !token.isQuoted && !token.isNegated)
  }

  /// The term for words; nil for mere punctuation.
  ///
  /// - Parameter isOpen: Whether inflected forms match, too.
  private func words(
    _ text: String, isPrefix: Bool, property: String?, isOpen: Bool
  ) -> SearchTerm? {
    let scalars = text.unicodeScalars
    let hasWords = scalars.contains { $0.isTokenCharacter || isSeparated && $0.isWord }
    if !isSeparated,
      scalars.contains(where: \.standsWithoutSpaces)
        || !hasWords && scalars.contains(where: \.isWord)
    {
      return .text(text, property: property)
    }
    guard hasWords else { return nil }
    var phrase = SearchTerm.phrase(text, isPrefix: isPrefix, property: property)
    if isOpen, !isPrefix { phrase = .forms([phrase]) }
    // The index ignores `++` and `#`, which are part of some names.
    guard let last = scalars.last, last == "+" || last == "#", !isPrefix else { return phrase }
    return .all([phrase, .text(text, property: property)])
  }
}

extension SearchTerm {
  /// Whether a property of a type can be named in a search.
  static func isSearchable(_ type: DataType) -> Bool {
    switch type.base {
    case .string, .url, .file, .enumeration, .int, .double, .bool, .date, .when, .duration: true
    case .list(.string), .list(.url), .list(.file), .list(.int), .list(.date): true
    default: false
    }
  }
}

/// A term of a search.
indirect enum SearchTerm: Hashable {
  /// Adjacent words, in one property or any; the last one may be a prefix.
  case phrase(String, isPrefix: Bool, property: String?)
  /// A substring of a property, for text that has no indexed words.
  case text(String, property: String?)
  /// A property or list element with this value.
  case value(String, property: String)
  /// Created before the day.
  case before(String)
  /// Created on the day or after.
  case after(String)
  case not(SearchTerm)
  case any([SearchTerm])
  /// A word as written, followed by alternatives with a lower weight.
  case forms([SearchTerm])
  case all([SearchTerm])

  /// The phrases whose last word is a prefix.
  var prefixes: [String] {
    switch self {
    case .phrase(let text, let isPrefix, _): isPrefix ? [text] : []
    case .not(let term): term.prefixes
    case .any(let terms), .all(let terms), .forms(let terms): terms.flatMap(\.prefixes)
    case .text, .value, .before, .after: []
    }
  }

  /// The word of a term that may have other forms and is not restricted to a property; nil for
  /// exact terms.
  var plainWord: String? {
    if case .forms(let forms) = self, case .phrase(let text, false, nil)? = forms.first {
      text
    } else {
      nil
    }
  }
}
