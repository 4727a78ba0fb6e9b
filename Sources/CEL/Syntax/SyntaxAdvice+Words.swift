/// Words between two operands, as in SQL and in plain English, rewritten as calls and operators.
extension SyntaxAdvice {
  /// Rewrites `title like '%x%'` and `title contains "x"` as method calls.
  func withInfix(_ place: Range<Int>) -> String? {
    guard let index = index(of: place), index > 0,
      let verb = word(index), index + 1 < tokens.count
    else { return nil }
    let (first, last) = bounds(of: index)
    guard let operand = between(first, index), let wanted = between(index, last) else { return nil }
    let call: String
    switch verb.lowercased() {
    // A plural is taken for a list.
    case "contains", "includes", "has":
      call = operand.hasSuffix("s") ? "\(wanted) in \(operand)" : "\(operand).contains(\(wanted))"
    case "startswith", "beginswith": call = "\(operand).startsWith(\(wanted))"
    case "endswith": call = "\(operand).endsWith(\(wanted))"
    case "matches", "regexp", "rlike": call = "\(operand).matches(\(wanted))"
    case "like", "ilike": call = Self.like(operand, wanted)
    case "in" where wanted.hasPrefix("(") && wanted.hasSuffix(")"):
      call = "\(operand) in [\(wanted.dropFirst().dropLast())]"
    case "plus": call = "\(operand) + \(wanted)"
    case "mod", "modulo": call = "\(operand) % \(wanted)"
    case "equals", "eq": call = "\(operand) == \(wanted)"
    case "ne", "neq": call = "\(operand) != \(wanted)"
    case "between":
      guard ["and", "AND"].contains(word(last)) else { return nil }
      let end = bounds(of: last).last
      guard let high = between(last, end) else { return nil }
      return around(first, end, "\(operand) >= \(wanted) && \(operand) <= \(high)")
    default: return nil
    }
    return around(first, last, call)
  }

  /// Rewrites `a not in b` as `!(a in b)`.
  func withNotIn(_ place: Range<Int>) -> String? {
    guard let index = index(of: place), index > 0, word(index)?.lowercased() == "not",
      index + 2 < tokens.count
    else { return nil }
    let (first, last) = bounds(of: index)
    let next = spelling(tokens[index + 1].range).lowercased()
    guard let operand = between(first, index), let wanted = between(index + 1, last) else {
      return nil
    }
    let call: String
    switch next {
    case "in": call = "!(\(operand) in \(wanted))"
    case "contains": call = "!\(operand).contains(\(wanted))"
    case "like": call = "!\(Self.like(operand, wanted))"
    default: return nil
    }
    return around(first, last, call)
  }

  /// The tokens around the operands of a word at an index.
  func bounds(of index: Int) -> (first: Int, last: Int) {
    func bounds(_ at: Int) -> Bool {
      ["and", "or"].contains(word(at)?.lowercased() ?? "")
        || [.and, .or, .question, .colon].contains { isSymbol(at, $0) }
    }
    // The brackets of a call belong to an operand, those around the comparison do not.
    func first(_ indices: some Sequence<Int>, _ opens: Token.Symbol, _ closes: Token.Symbol) -> Int?
    {
      var depth = 0
      return indices.first { at in
        depth += isSymbol(at, opens) ? 1 : isSymbol(at, closes) ? -1 : 0
        return depth < 0 || depth == 0 && bounds(at)
      }
    }
    return (
      first(tokens.indices.prefix(index).reversed(), .closeParenthesis, .openParenthesis) ?? -1,
      first(tokens.indices.dropFirst(index + 1), .openParenthesis, .closeParenthesis)
        ?? tokens.count
    )
  }

  /// Returns the text with the part between two tokens replaced.
  func around(_ first: Int, _ last: Int, _ call: String) -> String {
    let before = spelling(0..<(first < 0 ? 0 : tokens[first].range.upperBound))
    let after = last < tokens.count ? spelling(tokens[last].range.lowerBound..<text.count) : ""
    return before + (before.isEmpty || before.hasSuffix("(") ? "" : " ") + call
      + (after.isEmpty || after.hasPrefix(")") ? "" : " ") + after
  }

  /// Rewrites an SQL pattern, in which `%` matches any text, as a call.
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
}
