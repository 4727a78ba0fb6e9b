/// Rewrites a text in the syntax of another language as the expression that was probably meant.
package struct SyntaxAdvice {
  let text: [UInt8]
  /// The tokens of the text up to the first invalid one.
  let tokens: [Token]

  /// Splits a text into tokens.
  init(_ text: [UInt8]) {
    self.text = text
    var lexer = Lexer(text, advises: false)
    var tokens: [Token] = []
    while let token = try? lexer.next(), token.kind != .end { tokens.append(token) }
    self.tokens = tokens
  }

  /// Suggests a replacement for the whole text, given the place of its first syntax error.
  func help(at place: Range<Int>) -> String? {
    // Each attempt parses the text, and long texts are rarely slips.
    guard text.count <= 2_000 else { return nil }
    let attempts = [
      withInterval, Self.condition(ofTest: spelling(0..<text.count)), withTuple, withOtherHalf,
      withJoinedTexts, withListAfterIn,
      withReversedSort,
      withNotIn(place), withSymbols, withConditional, withMap,
      withOptionalDefault, Self.withoutFunction(spelling(0..<text.count)), withCoalesce,
      withOptional, withoutNew, withGenerator,
      withInfix(place), withoutMarks, withLambda, withPieces, withBrackets(place),
      withSlice(place), withQuotes(place), withPercent, withPlus(place), withPattern(place),
      withoutBracket(place), withoutForeignLoops, withRange, withPower,
    ]
    for attempt in attempts {
      if let line = attempt.flatMap(Self.corrected) { return "write `\(line)`" }
    }
    if spelling(0..<text.count).lowercased().contains("count(*)") {
      return "a condition is about one item: count what is found by `size(it)` after it"
    }
    if let help = searchAdvice ?? orderAdvice { return help }
    guard let index = index(of: place), index > 0 else { return setAdvice(at: place) }
    if let help = setAdvice(at: place) { return help }
    if isSymbol(index, .dot), isSymbol(index - 1, .dot) {
      return "lists are joined by `+`, as in `a + [b]`"
    }
    if tokens[index].kind == .string, word(index - 1) != nil, areAdjacent(index - 1) {
      return "use `+` to join texts, as in `\"Hello, \" + name`"
    }
    if isSymbol(index, .star), isSymbol(index - 1, .star) {
      return "there is no power operator; write `pow(x, 2)`"
    }
    return nil
  }

  /// The corrected text, with `=` and other words of the same language in the rest of it replaced,
  /// too; nil if it is still no expression.
  static func corrected(_ line: String) -> String? {
    let line = line.trimmed
    guard line.utf8.count <= 200 else { return nil }
    if Parser.parses(line) { return line }
    let rest = withDoubleEquals(line)
    let lines = [rest, SyntaxAdvice(Array(rest.utf8)).withSymbols].compactMap { $0 }
    return lines.first(where: Parser.parses)
  }

  /// A line with `==` for each ` = ` outside of texts.
  private static func withDoubleEquals(_ line: String) -> String {
    var result = ""
    var quote: Character?
    for character in line {
      if quote == nil, character == " ", result.hasSuffix(" =") { result += "=" }
      result.append(character)
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      }
    }
    return result
  }

  /// Advice on `x := 1`, `x += 1` and `x++`, which give a variable a value.
  private func setAdvice(at place: Range<Int>) -> String? {
    let whole = String(decoding: text, as: UTF8.self).trimmed
    guard let name = word(0), tokens.count > 1 else {
      return whole.hasSuffix("++") || whole.hasSuffix("--")
        ? "write `\(whole.dropLast(2).trimmed) \(whole.suffix(1)) 1`" : nil
    }
    if ["let", "const", "var", "set", "my", "local"].contains(name),
      let equals = whole.firstIndex(of: "=")
    {
      let variable = whole[..<equals].dropFirst(name.count).split { $0 == " " || $0 == ":" }.first
      let value = String(whole[whole.index(after: equals)...]).trimmed
      return Self.setStep(String(variable ?? "name"), value)
    }
    let rest = spelling(tokens[0].range.upperBound..<text.count).trimmed
    let value: String
    switch rest.prefix(2) {
    case ":=": value = rest.dropFirst(2).trimmed
    case "+=", "-=", "*=", "/=":
      value = "\(name) \(rest.prefix(1)) \(rest.dropFirst(2).trimmed)"
    case "++" where rest.count == 2, "--" where rest.count == 2:
      value = "\(name) \(rest.prefix(1)) 1"
    default: return nil
    }
    return Self.setStep(name, value)
  }

  /// Advice on words of a search, such as `+home` and `due:today` of Taskwarrior.
  private var searchAdvice: String? {
    let whole = String(decoding: text, as: UTF8.self).trimmed
    let words = whole.split(separator: " ")
    let areFilters = words.allSatisfy { word in
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      return word.hasPrefix("+") && word.dropFirst().allSatisfy(\.isLetter) && word.count > 2
        || parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && parts[0].allSatisfy(\.isLetter)
    }
    guard areFilters, !words.isEmpty, let first = words.first else { return nil }
    let meant = first.hasPrefix("+") ? "tag:\(first.dropFirst())" : String(first)
    return
      "this is no condition but a word to search for: write `match: '\(meant)'`, or a condition such "
      + "as `\"home\" in tags` or `due == today()`"
  }

  /// Advice on the `ORDER BY` or `LIMIT` of SQL behind a condition.
  private var orderAdvice: String? {
    let words = tokens.indices.map { word($0)?.uppercased() ?? "" }
    guard let order = words.firstIndex(where: { ["ORDER", "LIMIT", "GROUP"].contains($0) }),
      order > 0,
      let condition = between(-1, order)
    else { return nil }
    let by = words[order] == "LIMIT" ? order : order + 1
    let key = between(by, tokens.count) ?? "title"
    let argument = ["ORDER": "sort: \(key)", "LIMIT": "limit: \(key)"][words[order]]
    return "write `\(condition)` here, and "
      + (argument.map { "`\($0)` beside it" } ?? "group afterwards, as in `it.groupBy(i, i.tags)`")
  }

  private static func setStep(_ name: String, _ value: String) -> String {
    Parser.parses(value)
      ? "a value is given by a step: write `- set: {\(name): '{{ \(value) }}'}`"
      : "a value is given by the step `set`"
  }

  /// The problem of template braces around an expression, if any.
  var braces: Problem? {
    guard text.count <= 2_000, let line = withoutBraces, Parser.parses(line),
      let open = tokens.indices.first(where: { isPair($0, "{{") })
    else { return nil }
    return Problem(
      .syntax, "`{{ }}` is for texts, and this is already an expression",
      at: tokens[open].range.lowerBound..<tokens[open + 1].range.upperBound,
      help: "write `\(line)`")
  }

  // MARK: - Parts

  /// Returns the index of the token at a place.
  func index(of place: Range<Int>) -> Int? {
    tokens.firstIndex { $0.range == place }
  }

  func word(_ index: Int) -> String? {
    guard tokens.indices.contains(index), tokens[index].kind == .identifier else { return nil }
    return spelling(tokens[index].range)
  }

  func spelling(_ range: Range<Int>) -> String {
    String(decoding: text[range], as: UTF8.self)
  }

  /// Returns the trimmed text between two tokens.
  func between(_ first: Int, _ last: Int) -> String? {
    let start = first < 0 ? 0 : tokens[first].range.upperBound
    let end = last < tokens.count ? tokens[last].range.lowerBound : text.count
    guard start < end else { return nil }
    let part = spelling(start..<end).trimmed
    return part.isEmpty ? nil : part
  }

  func position(of wanted: String, from start: Int = 0) -> Int? {
    tokens.indices.dropFirst(start).first { word($0) == wanted }
  }

  func isSymbol(_ index: Int, _ symbol: Token.Symbol) -> Bool {
    tokens.indices.contains(index) && tokens[index].kind == .symbol(symbol)
  }

  /// Whether the tokens at this and the next index are these adjacent symbols.
  func isPair(_ index: Int, _ symbols: String) -> Bool {
    areAdjacent(index) && spelling(tokens[index].range.lowerBound..<end(after: index)) == symbols
  }

  func areAdjacent(_ first: Int) -> Bool {
    tokens.indices.contains(first) && tokens.indices.contains(first + 1)
      && tokens[first].range.upperBound == tokens[first + 1].range.lowerBound
  }
}
