internal import Source

extension EvaluationError.Reason {
  /// Returns the message; `origin` is the failed part of the expression.
  func message(at origin: Expression?, withAdvice: Bool = true) -> String {
    let place = origin.map { ": \(Self.excerpt($0))" } ?? ""
    switch self {
    case .stated(_, let message): return message
    case .placed(_, let message): return message + place
    case .unfit(let words, let kind): return "\(words) \(kind)\(place)"
    case .operands(let symbol, let kinds):
      return Self.operation(symbol, kinds, withAdvice: withAdvice) + place
    case .arguments(let name, let kinds, let signatures):
      let given = kinds.isEmpty ? "no arguments" : kinds.joined(separator: ", ")
      let wanted = signatures.isEmpty ? "" : "; expected \(signatures.joined(separator: " or "))"
      return "`\(name)` cannot take \(given)\(wanted)"
    case .unknownFunction(let name): return "unknown function `\(name)`"
    case .noSuchKey(let key, _): return "there is no key \(Self.shortened(key.description))\(place)"
    case .noSuchField(let name, let type, let known):
      let help = Suggestion.help(for: name, in: known).map { ": \($0)" } ?? ""
      return "`\(type)` has no field `\(name)`\(help)"
    case .overflow(let type): return "the result does not fit in \(type)\(place)"
    case .tooLarge(let what): return "\(what) would become too large\(place)"
    case .repeatedKey(let key): return "the key \(Self.shortened(key.description)) is given twice"
    case .conversion(let value, let type):
      return "cannot convert \(Self.shortened(value.description)) to \(type)"
    }
  }

  /// The advice on a key of a map that is meant; nil for other failures.
  var help: String? {
    guard case .noSuchKey(.string(let name), .map(let map)) = self else { return nil }
    let names = map.entries.prefix(100).compactMap { entry -> String? in
      if case .string(let name) = entry.key { name } else { nil }
    }
    return Self.help(forKey: name, in: names)
  }

  /// Suggests a key that is there, or how to allow that one is missing.
  static func help(forKey name: String, in names: [String]) -> String {
    let near = Suggestion.help(for: name, in: names)
    if let near, near.hasPrefix("did you mean") { return near }
    // A name follows the dot; other keys stand in brackets.
    var way = "[?\(LiteralText.quoted(name))]"
    if case .identifier? = (try? Expression.parse(name))?.kind { way = ".?\(name)" }
    return (near.map { "\($0); " } ?? "")
      + "for a key that may be missing write `\(way).orValue(…)`"
  }

  private static func operation(
    _ symbol: String, _ kinds: [String], withAdvice: Bool
  ) -> String {
    let first = kinds.first ?? "nothing"
    let second = kinds.last ?? "nothing"
    let advice = withAdvice ? advice(first, second) : ""
    switch symbol {
    case "<", "<=", ">", ">=", "==", "!=": return "cannot compare \(first) with \(second)\(advice)"
    case "+": return "cannot add \(second) to \(first)\(advice)"
    case "-" where kinds.count == 2: return "cannot subtract \(second) from \(first)\(advice)"
    case "*": return "cannot multiply \(first) by \(second)\(advice)"
    case "/", "%": return "cannot divide \(first) by \(second)\(advice)"
    case "in": return "cannot look for \(first) in \(second)"
    case "-": return "cannot negate \(first)"
    case "!": return "the operand of `!` must be bool, not \(first)"
    default: return "operands of `\(symbol)` must be bool, not \(first)"
    }
  }

  /// Suggests a conversion that makes two operands comparable.
  private static func advice(_ first: String, _ second: String) -> String {
    switch (first, second) {
    case ("int", "double"), ("double", "int"), ("uint", "double"), ("double", "uint"):
      " (use `double(…)`)"
    case ("int", "uint"), ("uint", "int"): " (use `int(…)`)"
    case ("string", "int"), ("int", "string"), ("string", "double"), ("double", "string"):
      " (use `string(…)` or `int(…)`)"
    default: ""
    }
  }

  private static func shortened(_ text: String) -> String {
    text.count > 60 ? text.prefix(57) + "…" : text
  }

  /// Returns the source of an expression, shortened for a message.
  static func excerpt(_ expression: Expression) -> String { shortened(expression.description) }
}
