internal import Source

extension Checker {
  /// Warns of `createdAt == today()`: a moment is hardly ever the one at which a day begins.
  private mutating func warnOfMoment(
    _ moment: Expression, on day: Expression, _ origin: Expression, isEqual: Bool
  ) {
    guard case .call("today", receiver: nil, _, _) = day.kind else { return }
    let text = moment.description
    guard text == "now()" || text.hasSuffix("createdAt") || text.hasSuffix("updatedAt") else {
      return
    }
    warn(
      .constantCondition,
      "a moment is hardly ever the beginning of a day, so this is always \(!isEqual)",
      at: origin.range, help: "write `date(\(text)) \(isEqual ? "==" : "!=") \(day)`")
  }

  /// Records the facts implied by `==` or `!=`, and warns if the result is constant.
  mutating func equality(
    _ origin: Expression, isEqual: Bool, _ left: (part: Expression, type: CELType),
    _ right: (part: Expression, type: CELType)
  ) {
    let a = types.resolve(left.type)
    let b = types.resolve(right.type)
    warnOfMoment(left.part, on: right.part, origin, isEqual: isEqual)
    warnOfMoment(right.part, on: left.part, origin, isEqual: isEqual)
    if case .enumeration(let some) = a.withoutNull, case .enumeration(let others) = b.withoutNull,
      a.isNeverNull || b.isNeverNull, !some.contains(where: others.contains)
    {
      report(
        .unknownValue,
        "`\(excerpt(left.part))` and `\(excerpt(right.part))` have no value in common",
        at: origin.range, help: Self.choice(of: some))
      return
    }
    var found = Outcome()
    switch (a, b) {
    case (.null, .null): found = .always(true)
    case (.null, _): found = test(origin, right.part, b, isEqual: isEqual)
    case (_, .null): found = test(origin, left.part, a, isEqual: isEqual)
    case (.nullable, _) where b.isNeverNull: found.whenTrue = [left.part.description]
    case (_, .nullable) where a.isNeverNull: found.whenTrue = [right.part.description]
    default: found = sameness(origin, left.part, right.part, type: a, isEqual: isEqual)
    }
    outcome = isEqual ? found : found.negated
    noteElements(isEqual ? .equal : .notEqual, left.part, right.part)
    noteElements(isEqual ? .equal : .notEqual, right.part, left.part)
    unknownValue(left.part, of: right.part, b)
    unknownValue(right.part, of: left.part, a)
  }

  /// Infers the outcome of `part == null`.
  private mutating func test(
    _ origin: Expression, _ part: Expression, _ type: CELType, isEqual: Bool
  ) -> Outcome {
    let text = part.description
    guard type.isNeverNull, !presumed.contains(text), !Self.isLiteral(part) else {
      return Outcome(whenFalse: [text])
    }
    let help: String
    switch (type, part.kind) {
    case (.optional, _): help = "use `\(excerpt(part)).hasValue()`"
    case (_, .index(let operand, let key, false)) where key.isNumber:
      help = "use `size(\(excerpt(operand))) > \(excerpt(key))`"
    case (_, .index(let operand, let key, false)):
      help = "use `\(excerpt(key)) in \(excerpt(operand))`"
    default: help = "remove the comparison"
    }
    warn(
      .constantCondition, "`\(excerpt(part))` is never null here, so this is always \(!isEqual)",
      at: origin.range, help: help)
    return .always(false)
  }

  /// Whether a part is a literal.
  static func isLiteral(_ part: Expression) -> Bool {
    if case .literal = part.kind { true } else { false }
  }

  /// Infers the outcome of comparing two literals, or a name with itself.
  private mutating func sameness(
    _ origin: Expression, _ left: Expression, _ right: Expression, type: CELType, isEqual: Bool
  ) -> Outcome {
    if case .literal(let a) = left.kind, case .literal(let b) = right.kind {
      return .always(a == b)
    }
    let symbol = isEqual ? BinaryOperator.equal : .notEqual
    if let value = rangeTest(origin, symbol, left, right) ?? rangeTest(origin, symbol, right, left)
    {
      return .always(isEqual == value)
    }
    for (text, other) in [(left, right), (right, left)] {
      guard case .call("string", nil, let parts, _) = text.kind, let part = parts.first,
        case .literal(.string(let word)) = other.kind, word != "true", word != "false",
        checkedType(of: part) == .bool
      else { continue }
      warn(
        .constantCondition,
        "`\(excerpt(text))` is \"true\" or \"false\", so this is always \(!isEqual)",
        at: origin.range, help: Self.truth(of: part, word, isEqual: isEqual))
      return .always(false)
    }
    // `x != x` is a legitimate NaN test for doubles.
    guard left.qualifiedName != nil, left.qualifiedName == right.qualifiedName, type != .double,
      type.isKnown
    else { return Outcome() }
    warn(
      .constantCondition,
      "both sides are `\(excerpt(left))`, so this is always \(isEqual)", at: origin.range,
      help: "compare it with something else")
    return .always(true)
  }

  /// Suggests a truth value instead of its comparison with a word.
  static func truth(of part: Expression, _ word: String, isEqual: Bool) -> String {
    let isNo = ["no", "n", "off", "false", "0"].contains(word.lowercased())
    return "it is true or false: write `\(isNo == isEqual ? "!" : "")\(operandText(part))`"
  }

  /// Warns about a string literal with a `{{ }}` expression in it, which is not evaluated.
  mutating func template(_ text: String, in origin: Expression) {
    guard let open = text.firstRange(of: "{{"), let close = text.firstRange(of: "}}"),
      open.upperBound <= close.lowerBound
    else { return }
    let inner = text[open.upperBound..<close.lowerBound].trimmed
    guard Parser.parses(inner) else { return }
    let isWhole = open.lowerBound == text.startIndex && close.upperBound == text.endIndex
    warn(
      .templateInText, "`{{ }}` is not evaluated inside a string",
      at: origin.range,
      help: isWhole
        ? "write `\(inner)`, without quotes and braces" : "join texts: `\"…\" + \(inner)`")
  }

  // MARK: - Enums

  /// Reports a literal that is not a value of the enum it is compared with.
  mutating func unknownValue(_ literal: Expression, of part: Expression, _ type: CELType) {
    guard case .enumeration(let values) = types.resolve(type).withoutNull else { return }
    switch literal.kind {
    case .literal(.string(let text)) where !values.contains(text):
      report(
        .unknownValue, "`\(excerpt(part))` is never \"\(text)\"", at: literal.range,
        help: Self.help(for: text, in: values))
    case .list(let elements):
      for element in elements { unknownValue(element.value, of: part, type) }
    case .conditional(_, let then, let otherwise):
      unknownValue(then, of: part, type)
      unknownValue(otherwise, of: part, type)
    default: break
    }
  }

  private static func help(for text: String, in values: [String]) -> String {
    if let near = Suggestion.nearest(to: text, in: values) { return "did you mean \"\(near)\"?" }
    return choice(of: values)
  }

  private static func choice(of values: [String]) -> String {
    let shown = values.prefix(12).map { "\"\($0)\"" }.joined(separator: ", ")
    return "it is one of \(shown)\(values.count > 12 ? ", …" : "")"
  }
}

extension Expression {
  /// Whether it is a literal number, as in an index of a list.
  var isNumber: Bool { if case .literal(.int) = kind { true } else { false } }
}
