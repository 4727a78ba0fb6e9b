/// Attempts at the expression that was meant, each for one habit of other languages; nil where it
/// does not apply.
extension SyntaxAdvice {
  /// Returns the text with some tokens replaced; nil if none is.
  ///
  /// - Parameter replacement: The replacement of a token, and the end of the replaced range.
  func rewritten(
    _ replacement: (_ index: Int) -> (text: String, end: Int)?
  ) -> String? {
    var line = ""
    var end = 0
    for index in tokens.indices where tokens[index].range.lowerBound >= end {
      guard let new = replacement(index) else { continue }
      line += spelling(end..<tokens[index].range.lowerBound) + new.text
      end = new.end
    }
    return end == 0 ? nil : line + spelling(end..<text.count)
  }

  /// Returns the end of the token after this one.
  func end(after index: Int) -> Int { tokens[index + 1].range.upperBound }

  /// `{{ x }}` rewritten as `x`.
  var withoutBraces: String? {
    let whole = String(decoding: text, as: UTF8.self)
    guard whole.contains("{{"), whole.contains("}}") else { return nil }
    return rewritten { index in
      if isPair(index, "{{") {
        let isLast = index + 2 == tokens.count
        return ("", isLast ? end(after: index) : tokens[index + 2].range.lowerBound)
      }
      return isPair(index + 1, "}}")
        ? (spelling(tokens[index].range), end(after: index + 1)) : nil
    }?.trimmed
  }

  /// `and`, `or`, `not`, `is` and `<>` rewritten as operators.
  var withSymbols: String? {
    rewritten { index in
      var end = tokens[index].range.upperBound
      switch word(index) {
      case "and", "AND": return ("&&", end)
      case "or", "OR": return ("||", end)
      case "True", "False": return (word(index) == "True" ? "true" : "false", end)
      case "None": return ("null", end)
      case "not", "NOT":
        // `!` binds tighter than a comparison.
        let last = bounds(of: index).last
        if let inner = between(index, last), tokens[(index + 1)..<last].contains(where: \.compares)
        {
          return ("!(\(inner))", tokens[last - 1].range.upperBound)
        }
        while end < text.count, text[end] == 0x20 { end += 1 }
        return ("!", end)
      case "is", "IS": return predicate(from: index)
      default: break
      }
      if isPair(index, "<>") { return ("!=", self.end(after: index)) }
      // `a -eq b` of a shell.
      guard isSymbol(index, .minus), areAdjacent(index), let word = word(index + 1),
        let symbol = Self.shellSymbols[word]
      else { return nil }
      return (symbol, self.end(after: index))
    }
  }

  private static let shellSymbols = [
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
  ]

  /// Rewrites `is` and `is not`, with the test for a value after it, as a comparison.
  private func predicate(from index: Int) -> (text: String, end: Int)? {
    let isNot = word(index + 1)?.lowercased() == "not"
    let last = isNot ? index + 1 : index
    let symbols = isNot ? ("!=", "==") : ("==", "!=")
    switch word(last + 1)?.lowercased() {
    case "defined", "present", "some": return (symbols.1 + " null", end(after: last))
    case "undefined", "none", "null", "nil", "missing":
      return (symbols.0 + " null", end(after: last))
    case "empty": return (symbols.0 + " \"\"", end(after: last))
    case "odd": return ("% 2 \(symbols.0) 1", end(after: last))
    case "even": return ("% 2 \(symbols.0) 0", end(after: last))
    default: return (symbols.0, tokens[last].range.upperBound)
    }
  }

  /// `{ x }`, `- x -`, `new x` and `3 times` rewritten as `x` or `3`: the marks and words are those of
  /// other templates and languages.
  var withoutMarks: String? {
    var line = String(decoding: text, as: UTF8.self).trimmed
    if line.hasPrefix("{"), line.hasSuffix("}") { return String(line.dropFirst().dropLast()) }
    if line.hasSuffix("-") { line.removeLast() }
    if line.hasPrefix("-"), line.utf8.count < text.count { line.removeFirst() }
    if tokens.count == 2, word(1) == "times", let count = between(-1, 1) { return count }
    if word(0) == "typeof", let rest = between(0, tokens.count) { return "type(\(rest))" }
    let isForeign = ["await", "return", "yield", "raw"].contains(word(0) ?? "")
    return isForeign ? between(0, tokens.count) : line
  }

  /// `19%` rewritten as `0.19`.
  var withPercent: String? {
    rewritten { index in
      guard isSymbol(index + 1, .percent), [.int, .double].contains(tokens[index].kind),
        areAdjacent(index), let share = Double(spelling(tokens[index].range)),
        index + 2 == tokens.count || isSymbol(index + 2, .closeParenthesis)
          || isSymbol(index + 2, .plus) || isSymbol(index + 2, .star)
      else { return nil }
      return ("\(share / 100)", end(after: index))
    }
  }

  /// `lambda x: e` rewritten as `x, e`.
  var withLambda: String? {
    rewritten { index in
      guard word(index) == "lambda", let name = word(index + 1), isSymbol(index + 2, .colon) else {
        return nil
      }
      return (name + ",", tokens[index + 2].range.upperBound)
    }
  }

  /// `f"a{x}"` rewritten as parts joined by `+`.
  var withPieces: String? {
    rewritten { index in
      guard ["f", "F", "s"].contains(word(index) ?? ""), areAdjacent(index),
        tokens[index + 1].kind == .string
      else { return nil }
      let inner = spelling(tokens[index + 1].range).dropFirst().dropLast()
      return (SymbolAdvice.joined(String(inner), opener: "{"), end(after: index))
    }
  }

  /// `a, b` rewritten as `[a, b]`.
  func withBrackets(_ place: Range<Int>) -> String? {
    guard let comma = index(of: place), isSymbol(comma, .comma) else { return nil }
    // `1,5` is a number with the comma of many languages.
    if comma > 0, tokens[comma - 1].kind == .int, tokens.indices.contains(comma + 1),
      tokens[comma + 1].kind == .int, areAdjacent(comma - 1), areAdjacent(comma)
    {
      return spelling(0..<place.lowerBound) + "." + spelling(place.upperBound..<text.count)
    }
    // `1.000,50`, with dots between the thousands.
    if comma > 0, tokens[comma - 1].kind == .double, tokens.indices.contains(comma + 1),
      tokens[comma + 1].kind == .int, areAdjacent(comma - 1), areAdjacent(comma)
    {
      let whole = spelling(tokens[comma - 1].range).filter { $0 != "." }
      return spelling(0..<tokens[comma - 1].range.lowerBound) + whole + "."
        + spelling(place.upperBound..<text.count)
    }
    return "[\(String(decoding: text, as: UTF8.self).trimmed)]"
  }

  /// Rewrites `a.split(/x/)` with the pattern as a text.
  func withPattern(_ place: Range<Int>) -> String? {
    guard place.lowerBound < text.count, text[place.lowerBound] == UInt8(ascii: "/") else {
      return nil
    }
    let inner = text[(place.lowerBound + 1)...]
    guard var end = inner.firstIndex(of: UInt8(ascii: "/")), end > inner.startIndex else {
      return nil
    }
    let pattern = spelling(inner.startIndex..<end)
    end += 1
    var flags = ""
    while end < text.count, (0x61...0x7A).contains(text[end]) {
      flags += spelling(end..<end + 1)
      end += 1
    }
    let literal = LiteralText.quoted((flags.contains("i") ? "(?i)" : "") + pattern)
    var head = spelling(0..<place.lowerBound)
    let rest = spelling(end..<text.count)
    // `/x/.test(a)`
    if head.isEmpty, rest.hasPrefix(".test("), rest.hasSuffix(")") {
      return "\(rest.dropFirst(".test(".count).dropLast()).matches(\(literal))"
    }
    // The method may have another name here, too.
    if head.hasSuffix("("), let dot = head.lastIndex(of: "."),
      let here = ForeignSpelling.method(String(head[head.index(after: dot)...].dropLast()))
    {
      head = "\(head[...dot])\(here)("
    }
    if head.hasSuffix(".replace("), !head.contains(" ") {
      head = "regex.replace(\(head.dropLast(".replace(".count)), "
    }
    return head + literal + rest
  }

  /// `a if b else c` and `if b then a else c` rewritten as `b ? a : c`.
  var withConditional: String? {
    guard let first = position(of: "if"), let last = position(of: "else", from: first),
      // The `end` is that of jq and of shells.
      let otherwise = between(
        last, ["end", "fi"].contains(word(tokens.count - 1)) ? tokens.count - 1 : tokens.count)
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

  /// `[e for x in l if c]` rewritten as `l.map(x, c, e)`.
  var withMap: String? {
    guard isSymbol(0, .openBracket), isSymbol(tokens.count - 1, .closeBracket),
      let loop = position(of: "for"), let name = word(loop + 1), tokens.count > loop + 3,
      tokens[loop + 2].kind == .keyword, let element = between(0, loop)
    else { return nil }
    let test = position(of: "if", from: loop)
    guard let list = between(loop + 2, test ?? tokens.count - 1) else { return nil }
    let condition = test.flatMap { between($0, tokens.count - 1) }.map { "\($0), " } ?? ""
    return "\(list).map(\(name), \(condition)\(element))"
  }

  /// `a in (b, c)` rewritten as `a in [b, c]`.
  var withListAfterIn: String? {
    rewritten { index in
      guard index > 0, spelling(tokens[index - 1].range).lowercased() == "in",
        isSymbol(index, .openParenthesis)
      else { return nil }
      var depth = 0
      var hasComma = false
      for end in tokens.indices[index...] {
        if isSymbol(end, .openParenthesis) || isSymbol(end, .openBracket) { depth += 1 }
        if isSymbol(end, .closeParenthesis) || isSymbol(end, .closeBracket) { depth -= 1 }
        if depth == 1, isSymbol(end, .comma) { hasComma = true }
        guard depth == 0 else { continue }
        guard hasComma, let inner = between(index, end) else { return nil }
        return ("[\(inner)]", tokens[end].range.upperBound)
      }
      return nil
    }
  }

  /// `list.sort(reverse=True)` rewritten as `list.sort().reverse()`.
  var withReversedSort: String? {
    rewritten { index in
      guard ["sort", "sorted"].contains(word(index) ?? ""), isSymbol(index + 1, .openParenthesis),
        ["reverse", "descending", "desc", "reversed"].contains(word(index + 2) ?? ""),
        // The `=` ends the tokens.
        let end = text[tokens[index + 2].range.upperBound...].firstIndex(of: UInt8(ascii: ")"))
      else { return nil }
      return ("sort().reverse()", end + 1)
    }
  }

  /// `a ?? b` and `a ?: b` rewritten as `coalesce(a, b)`.
  var withCoalesce: String? {
    guard
      let index = tokens.indices.first(where: { isPair($0, "??") || isPair($0, "?:") }),
      let first = between(-1, index), let second = between(index + 1, tokens.count)
    else { return nil }
    return "coalesce(\(first), \(second))"
  }

  /// `a?.b` rewritten as `a.?b`.
  var withOptional: String? {
    rewritten { index in isPair(index, "?.") ? (".?", end(after: index)) : nil }
  }

  /// Rewrites `a[1:2]` as `a.slice(1, 2)`.
  func withSlice(_ place: Range<Int>) -> String? {
    guard let colon = index(of: place),
      isSymbol(colon, .colon),
      let open = tokens.indices.prefix(colon).last(where: { isSymbol($0, .openBracket) }),
      let close = tokens.indices.dropFirst(colon).first(where: { isSymbol($0, .closeBracket) }),
      let list = between(-1, open)
    else { return nil }
    // As in Python, a negative number counts from the end.
    func fromEnd(_ text: String?) -> String? {
      text.map { $0.hasPrefix("-") ? "size(\(list)) - \($0.dropFirst())" : $0 }
    }
    let first = fromEnd(between(open, colon)) ?? "0"
    let last = fromEnd(between(colon, close)) ?? "size(\(list))"
    let isText = open > 0 && (tokens[open - 1].kind == .string || word(open - 1) == "text")
    let function = isText ? "substring" : "slice"
    return "\(list).\(function)(\(first), \(last))"
      + spelling(tokens[close].range.upperBound..<text.count)
  }

  /// Rewrites `(a, b) => e` as `a, b, e`, and the `x[] | .y` of jq as `x.map(i, i.y)`.
  var withoutForeignLoops: String? {
    let line = String(decoding: text, as: UTF8.self)
    if line.contains("=>") { return SymbolAdvice.withoutArrows(line) }
    guard let each = line.firstRange(of: "[]") else { return nil }
    let rest = line[each.upperBound...].drop { " |".contains($0) }
    let path = String(rest.hasPrefix(".") ? rest.dropFirst() : rest).trimmed
    let list = line[..<each.lowerBound].trimmed
    return path.isEmpty ? list : "\(list).map(i, i.\(path))"
  }

  /// Rewrites `"a" . "b"` as `"a" + "b"`.
  func withPlus(_ place: Range<Int>) -> String? {
    guard let index = index(of: place), index > 0,
      tokens[index].kind == .string, isSymbol(index - 1, .dot)
    else { return nil }
    let dot = tokens[index - 1].range
    return spelling(0..<dot.lowerBound).trimmed + " + " + spelling(place.lowerBound..<text.count)
  }

  /// Rewrites `1..10` and `1...10` as a list of the numbers.
  var withRange: String? {
    let line = String(decoding: text, as: UTF8.self)
    guard let dots = line.firstRange(of: "..") else { return nil }
    let first = line[..<dots.lowerBound].trimmed
    let last = String(line[dots.upperBound...].drop { $0 == "." || $0 == "<" }).trimmed
    guard let low = Int64(first), !last.isEmpty else { return nil }
    let count: String
    if let high = Int64(last) {
      let (size, overflow) = high.subtractingReportingOverflow(low - 1)
      guard !overflow, size > 0 else { return nil }
      count = "\(size)"
    } else {
      count = low == 1 ? last : "\(last) - \(low - 1)"
    }
    return "lists.range(\(count))" + (low == 0 ? "" : ".map(i, i + \(low))")
  }

  /// Rewrites `a ** b` as `pow(a, b)`, where both are a name, a number or in brackets.
  var withPower: String? {
    guard let index = tokens.indices.first(where: { isPair($0, "**") }), index > 0 else {
      return nil
    }
    let operators: [Token.Symbol] = [.plus, .minus, .star, .slash, .percent]
    func ends(_ at: Int) -> Bool { operators.contains { isSymbol(at, $0) } }
    let before = tokens.indices.prefix(index).last(where: ends) ?? -1
    let after = tokens.indices.dropFirst(index + 2).first(where: ends) ?? tokens.count
    guard let base = between(before, index), let exponent = between(index + 1, after) else {
      return nil
    }
    return around(before, after, "pow(\(base), \(exponent))")
  }

  /// Rewrites `size(x))` without the unmatched bracket.
  func withoutBracket(_ place: Range<Int>) -> String? {
    guard let index = index(of: place),
      isSymbol(index, .closeParenthesis) || isSymbol(index, .closeBracket)
        || isSymbol(index, .closeBrace)
    else { return nil }
    return spelling(0..<place.lowerBound) + spelling(place.upperBound..<text.count)
  }

  /// Rewrites `'Don't'` with double quotes.
  func withQuotes(_ place: Range<Int>) -> String? {
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
