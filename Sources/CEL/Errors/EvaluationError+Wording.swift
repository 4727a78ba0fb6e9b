internal import Source

extension EvaluationError.Reason {
  /// The failure in words; `origin` is the part of the expression that failed.
  func message(at origin: Expression?, withAdvice: Bool = true) -> String {
    let place = origin.map { ": \(Self.excerpt($0))" } ?? ""
    switch self {
    case .stated(_, let message): return message
    case .operands(let symbol, let kinds):
      return Self.operation(symbol, kinds, withAdvice: withAdvice) + place
    case .arguments(let name, let kinds, let signatures):
      let given = kinds.isEmpty ? "no arguments" : kinds.joined(separator: ", ")
      let wanted = signatures.isEmpty ? "" : "; it is \(signatures.joined(separator: " or "))"
      return "`\(name)` can't take \(given)\(wanted)"
    case .notBool(let kind): return "a condition must be a bool, not \(kind)\(place)"
    case .unknownVariable(let name): return "unknown name `\(name)`"
    case .unknownFunction(let name): return "unknown function `\(name)`"
    case .noSuchKey(let key): return "there is no key \(Self.shortened(key.description))\(place)"
    case .noSuchField(let name, let type, let known):
      let help = Suggestion.help(for: name, in: known).map { ": \($0)" } ?? ""
      return "`\(type)` has no field `\(name)`\(help)"
    case .noFields(let kind): return "can't take a field of \(kind)\(place)"
    case .notIndexable(let kind): return "can't index \(kind)\(place)"
    case .badIndex(let kind): return "can't index a list with \(kind)\(place)"
    case .outOfRange(let index, let count):
      let elements = count == 1 ? "1 element" : "\(count) elements"
      return "index \(index) is out of range: the list has \(elements)"
    case .notIterable(let kind): return "can't go through \(kind)\(place)"
    case .overflow(let type): return "the result does not fit in \(type)\(place)"
    case .divisionByZero: return "division by zero\(place)"
    case .emptyOptional: return "the optional holds no value\(place)"
    case .steps: return "the expression takes too many steps"
    case .interrupted: return "the evaluation was ended"
    case .tooLarge(let what): return "\(what) would become too large\(place)"
    case .badKey(let kind):
      return "\(kind) can't be the key of a map: keys are bool, int, uint or string"
    case .repeatedKey(let key): return "the key \(Self.shortened(key.description)) is given twice"
    case .notOptional(let kind): return "`?` wants an optional, not \(kind)\(place)"
    case .conversion(let value, let type):
      return "can't make \(type) of \(Self.shortened(value.description))"
    }
  }

  private static func operation(
    _ symbol: String, _ kinds: [String], withAdvice: Bool
  ) -> String {
    let first = kinds.first ?? "nothing"
    let second = kinds.last ?? "nothing"
    let advice = withAdvice ? advice(first, second) : ""
    switch symbol {
    case "<", "<=", ">", ">=", "==", "!=": return "can't compare \(first) with \(second)\(advice)"
    case "+": return "can't add \(second) to \(first)\(advice)"
    case "-" where kinds.count == 2: return "can't subtract \(second) from \(first)\(advice)"
    case "*": return "can't multiply \(first) by \(second)\(advice)"
    case "/", "%": return "can't divide \(first) by \(second)\(advice)"
    case "in": return "can't look for \(first) in \(second)"
    case "-": return "can't negate \(first)"
    case "!": return "`!` wants a bool, not \(first)"
    default: return "`\(symbol)` wants bools, not \(first)"
    }
  }

  /// A conversion that would make two unlike operands alike.
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

  /// An expression as a message shows it.
  static func excerpt(_ expression: Expression) -> String { shortened(expression.description) }
}
