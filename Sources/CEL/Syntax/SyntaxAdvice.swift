/// Finds the expression that was meant by a text in the syntax of another language.
struct SyntaxAdvice {
  private let text: [UInt8]
  /// Where the words and symbols of the text stand, up to what is none.
  private let tokens: [Token]

  /// Cuts a text into words.
  init(_ text: [UInt8]) {
    self.text = text
    var lexer = Lexer(text, allowsLineEndsInStrings: true, advises: false)
    var tokens: [Token] = []
    while let token = try? lexer.next(), token.kind != .end { tokens.append(token) }
    self.tokens = tokens
  }

  /// What to write in place of the text, which is no expression because of what stands at a place.
  func help(at place: Range<Int>) -> String? {
    // Long texts are nobody's slip of the pen, and each attempt parses one.
    guard text.count <= 2_000 else { return nil }
    let attempts = [
      withSymbols, withConditional, withMap, withCoalesce, withOptional, withInfix(place),
      withSlice(place), withQuotes(place), withPlus(place), withoutBracket(place),
    ]
    for attempt in attempts {
      if let line = attempt?.trimmed, line.utf8.count <= 200, Parser.parses(line) {
        return "write `\(line)`"
      }
    }
    guard let index = index(of: place), index > 0 else {
      return nil
    }
    if tokens[index].kind == .string, word(index - 1) != nil, areAdjacent(index - 1) {
      return "texts are put together with `+`, as in `\"Hello, \" + name`"
    }
    if isSymbol(index, .star), isSymbol(index - 1, .star) {
      return "there are no powers: write the number as often as it is to be multiplied"
    }
    return nil
  }

  /// The problem with braces of a template within an expression; nil where there are none.
  var braces: Problem? {
    guard text.count <= 2_000, let line = withoutBraces, Parser.parses(line),
      let open = tokens.indices.first(where: { isPair($0, .openBrace) })
    else { return nil }
    return Problem(
      .syntax, "`{{ }}` stands in a text, and this is an expression already",
      at: tokens[open].range.lowerBound..<tokens[open + 1].range.upperBound,
      help: "write `\(line)`")
  }

  // MARK: - Parts

  /// The word at a place.
  private func index(of place: Range<Int>) -> Int? {
    tokens.firstIndex { $0.range == place }
  }

  private func word(_ index: Int) -> String? {
    guard tokens.indices.contains(index), tokens[index].kind == .identifier else { return nil }
    return spelling(tokens[index].range)
  }

  private func spelling(_ range: Range<Int>) -> String {
    String(decoding: text[range], as: UTF8.self)
  }

  /// The text between two tokens, without space at its ends.
  private func between(_ first: Int, _ last: Int) -> String? {
    let start = first < 0 ? 0 : tokens[first].range.upperBound
    let end = last < tokens.count ? tokens[last].range.lowerBound : text.count
    guard start < end else { return nil }
    let part = spelling(start..<end).trimmed
    return part.isEmpty ? nil : part
  }

  private func position(of wanted: String, from start: Int = 0) -> Int? {
    tokens.indices.dropFirst(start).first { word($0) == wanted }
  }

  private func isSymbol(_ index: Int, _ symbol: Token.Symbol) -> Bool {
    tokens.indices.contains(index) && tokens[index].kind == .symbol(symbol)
  }

  private func isPair(_ index: Int, _ symbol: Token.Symbol) -> Bool {
    isSymbol(index, symbol) && isSymbol(index + 1, symbol) && areAdjacent(index)
  }

  private func areAdjacent(_ first: Int) -> Bool {
    tokens.indices.contains(first + 1)
      && tokens[first].range.upperBound == tokens[first + 1].range.lowerBound
  }

  // MARK: - Attempts

  /// `{{ x }}` as `x`.
  private var withoutBraces: String? {
    let whole = String(decoding: text, as: UTF8.self)
    guard whole.contains("{{"), whole.contains("}}") else { return nil }
    var line = ""
    var end = 0
    for index in tokens.indices {
      guard isPair(index, .openBrace) || isPair(index, .closeBrace),
        tokens[index].range.lowerBound >= end
      else { continue }
      let isOpening = isSymbol(index, .openBrace)
      let part = spelling(end..<tokens[index].range.lowerBound)
      line += isOpening ? part : part.trimmed
      end = tokens[index + 1].range.upperBound
    }
    return (line + spelling(end..<text.count)).trimmed
  }

  /// `and`, `or`, `not`, `is` and `<>` as symbols.
  private var withSymbols: String? {
    var line = ""
    var end = 0
    for index in tokens.indices where tokens[index].range.lowerBound >= end {
      var replacement: String?
      var next = tokens[index].range.upperBound
      switch word(index) {
      case "and"?, "AND"?: replacement = "&&"
      case "or"?, "OR"?: replacement = "||"
      case "not"?, "NOT"?:
        replacement = "!"
        while next < text.count, text[next] == 0x20 { next += 1 }
      case "is"? where word(index + 1) == "not":
        replacement = "!="
        next = tokens[index + 1].range.upperBound
      case "is"?: replacement = "=="
      default:
        if isSymbol(index, .less), isSymbol(index + 1, .greater), areAdjacent(index) {
          replacement = "!="
          next = tokens[index + 1].range.upperBound
        }
      }
      guard let replacement else { continue }
      line += spelling(end..<tokens[index].range.lowerBound) + replacement
      end = next
    }
    return end == 0 ? nil : line + spelling(end..<text.count)
  }

  /// `title like '%x%'` and `title contains "x"` as calls of methods.
  private func withInfix(_ place: Range<Int>) -> String? {
    guard let index = index(of: place), index > 0,
      let verb = word(index), index + 1 < tokens.count
    else { return nil }
    func bounds(_ at: Int) -> Bool {
      [.and, .or, .openParenthesis, .closeParenthesis, .question, .colon]
        .contains { isSymbol(at, $0) }
    }
    let first = tokens.indices.prefix(index).last(where: bounds) ?? -1
    let last = tokens.indices.dropFirst(index + 1).first(where: bounds) ?? tokens.count
    guard let operand = between(first, index), let wanted = between(index, last) else { return nil }
    let call: String
    switch verb.lowercased() {
    // What is in the plural is a list.
    case "contains", "includes", "has":
      call = operand.hasSuffix("s") ? "\(wanted) in \(operand)" : "\(operand).contains(\(wanted))"
    case "startswith", "beginswith": call = "\(operand).startsWith(\(wanted))"
    case "endswith": call = "\(operand).endsWith(\(wanted))"
    case "matches", "regexp", "rlike": call = "\(operand).matches(\(wanted))"
    case "like", "ilike": call = Self.like(operand, wanted)
    default: return nil
    }
    let before = spelling(0..<(first < 0 ? 0 : tokens[first].range.upperBound))
    let after = last < tokens.count ? spelling(tokens[last].range.lowerBound..<text.count) : ""
    return before + (before.isEmpty || before.hasSuffix("(") ? "" : " ") + call
      + (after.isEmpty || after.hasPrefix(")") ? "" : " ") + after
  }

  /// A pattern of SQL, in which `%` is any text, as a call.
  private static func like(_ operand: String, _ pattern: String) -> String {
    var inner = pattern.dropFirst().dropLast()
    let (isOpen, isOpenEnded) = (inner.hasPrefix("%"), inner.hasSuffix("%"))
    if isOpen { inner = inner.dropFirst() }
    if isOpenEnded { inner = inner.dropLast() }
    let text = LiteralText.quoted(String(inner))
    switch (isOpen, isOpenEnded) {
    case (true, true): return "\(operand).contains(\(text))"
    case (true, false): return "\(operand).endsWith(\(text))"
    case (false, true): return "\(operand).startsWith(\(text))"
    case (false, false): return "\(operand) == \(text)"
    }
  }

  /// `a if b else c` and `if b then a else c` as `b ? a : c`.
  private var withConditional: String? {
    guard let first = position(of: "if"), let last = position(of: "else", from: first),
      let otherwise = between(last, tokens.count)
    else { return nil }
    if first == 0 {
      guard let middle = position(of: "then"), middle < last, let test = between(0, middle),
        let then = between(middle, last)
      else { return nil }
      return "\(test) ? \(then) : \(otherwise)"
    }
    guard let then = between(-1, first), let test = between(first, last) else { return nil }
    return "\(test) ? \(then) : \(otherwise)"
  }

  /// `[e for x in l if c]` as `l.map(x, c, e)`.
  private var withMap: String? {
    guard isSymbol(0, .openBracket), isSymbol(tokens.count - 1, .closeBracket),
      let loop = position(of: "for"), let name = word(loop + 1), tokens.count > loop + 3,
      tokens[loop + 2].kind == .keyword, let element = between(0, loop)
    else { return nil }
    let test = position(of: "if", from: loop)
    guard let list = between(loop + 2, test ?? tokens.count - 1) else { return nil }
    let condition = test.flatMap { between($0, tokens.count - 1) }.map { "\($0), " } ?? ""
    return "\(list).map(\(name), \(condition)\(element))"
  }

  /// `a ?? b` as `coalesce(a, b)`.
  private var withCoalesce: String? {
    guard
      let index = tokens.indices.first(where: {
        isSymbol($0, .question) && isSymbol($0 + 1, .question) && areAdjacent($0)
      }), let first = between(-1, index), let second = between(index + 1, tokens.count)
    else { return nil }
    return "coalesce(\(first), \(second))"
  }

  /// `a?.b` as `a.?b`.
  private var withOptional: String? {
    var line = ""
    var end = 0
    for index in tokens.indices
    where isSymbol(index, .question) && isSymbol(index + 1, .dot) && areAdjacent(index) {
      line += spelling(end..<tokens[index].range.lowerBound) + ".?"
      end = tokens[index + 1].range.upperBound
    }
    return end == 0 ? nil : line + spelling(end..<text.count)
  }

  /// `a[1:2]` as `a.slice(1, 2)`.
  private func withSlice(_ place: Range<Int>) -> String? {
    guard let colon = index(of: place),
      isSymbol(colon, .colon),
      let open = tokens.indices.prefix(colon).last(where: { isSymbol($0, .openBracket) }),
      let close = tokens.indices.dropFirst(colon).first(where: { isSymbol($0, .closeBracket) }),
      let list = between(-1, open)
    else { return nil }
    let first = between(open, colon) ?? "0"
    let last = between(colon, close) ?? "size(\(list))"
    return "\(list).slice(\(first), \(last))"
      + spelling(tokens[close].range.upperBound..<text.count)
  }

  /// `"a" . "b"` as `"a" + "b"`.
  private func withPlus(_ place: Range<Int>) -> String? {
    guard let index = index(of: place), index > 0,
      tokens[index].kind == .string, isSymbol(index - 1, .dot)
    else { return nil }
    let dot = tokens[index - 1].range
    return spelling(0..<dot.lowerBound).trimmed + " + " + spelling(place.lowerBound..<text.count)
  }

  /// `size(x))` without the bracket that closes nothing.
  private func withoutBracket(_ place: Range<Int>) -> String? {
    guard let index = index(of: place),
      isSymbol(index, .closeParenthesis) || isSymbol(index, .closeBracket)
        || isSymbol(index, .closeBrace)
    else { return nil }
    return spelling(0..<place.lowerBound) + spelling(place.upperBound..<text.count)
  }

  /// `'Don't'` in double quotes.
  private func withQuotes(_ place: Range<Int>) -> String? {
    guard let index = index(of: place), index > 0,
      tokens[index - 1].kind == .string, areAdjacent(index - 1),
      text[tokens[index - 1].range.lowerBound] == UInt8(ascii: "'"),
      let last = text.lastIndex(of: UInt8(ascii: "'")), last >= place.upperBound
    else { return nil }
    let start = tokens[index - 1].range.lowerBound
    let inside = spelling(start + 1..<last)
    if inside.contains("\"") { return nil }
    return spelling(0..<start) + "\"\(inside)\"" + spelling(last + 1..<text.count)
  }
}
