import CEL
import Glibc

/// A sum in the notation of people: `3 × (4 + 5)`, `2^10`, `sqrt(2)`, `5!`, `10%`.
struct Calculation {
  private let text: [Character]
  private var place = 0
  private var depth = 0

  /// The deepest nesting of brackets.
  private static let maxDepth = 100

  init(_ text: String) { self.text = Array(text) }

  /// Calculates it.
  mutating func result() throws(EvaluationError) -> Double {
    let value = try sum()
    skipBlanks()
    guard place == text.count else { throw problem() }
    return value
  }

  private func problem() -> EvaluationError {
    EvaluationError(
      "cannot calculate \(Value.string(String(text.prefix(100)))): unexpected "
        + (place < text.count ? "“\(text[place])”" : "end"))
  }

  private mutating func skipBlanks() {
    while place < text.count, text[place].isWhitespace { place += 1 }
  }

  private mutating func take(_ choices: String) -> Character? {
    skipBlanks()
    guard place < text.count, choices.contains(text[place]) else { return nil }
    defer { place += 1 }
    return text[place]
  }

  private mutating func sum() throws(EvaluationError) -> Double {
    var value = try product()
    while let sign = take("+-−") {
      value = sign == "+" ? try value + product() : try value - product()
    }
    return value
  }

  private mutating func product() throws(EvaluationError) -> Double {
    var value = try power()
    while true {
      if let sign = take("*×·/÷") {
        value = "*×·".contains(sign) ? try value * power() : try value / power()
      } else if place < text.count, text[place] == "(" || text[place].isLetter || text[place] == "√"
      {
        // Two factors beside each other.
        value *= try power()
      } else {
        return value
      }
    }
  }

  private mutating func power() throws(EvaluationError) -> Double {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maxDepth else {
      throw EvaluationError("the calculation is nested too deeply")
    }
    if let sign = take("+-−") { return sign == "+" ? try power() : try -power() }
    var base = try factor()
    while let mark = take("!%") {
      if mark == "%" {
        base /= 100
      } else {
        guard base >= 0, base == base.rounded(), base <= 170 else { throw problem() }
        base = base < 2 ? 1 : (2...Int(base)).reduce(1.0) { $0 * Double($1) }
      }
    }
    if take("^") != nil { return pow(base, try power()) }
    if place + 1 < text.count, text[place] == "*", text[place + 1] == "*" {
      place += 2
      return pow(base, try power())
    }
    return base
  }

  private mutating func factor() throws(EvaluationError) -> Double {
    if take("(") != nil {
      let value = try sum()
      guard take(")") != nil else { throw problem() }
      return value
    }
    if take("√") != nil { return try factor().squareRoot() }
    skipBlanks()
    guard place < text.count else { throw problem() }
    if text[place].isLetter { return try function() }
    var digits = ""
    while place < text.count, text[place].isASCII,
      text[place].isNumber || text[place] == "." || text[place] == ","
    {
      if text[place] != "," { digits.append(text[place]) }
      place += 1
    }
    guard let number = Double(digits) else { throw problem() }
    return number
  }

  private mutating func function() throws(EvaluationError) -> Double {
    let start = place
    while place < text.count, text[place].isLetter || text[place].isNumber { place += 1 }
    let name = String(text[start..<place]).lowercased()
    switch name {
    case "pi", "π": return .pi
    case "e": return M_E
    default: break
    }
    let functions: [String: (Double) -> Double] = [
      "sqrt": { $0.squareRoot() }, "abs": { $0.magnitude }, "sin": { Glibc.sin($0) },
      "cos": { Glibc.cos($0) },
      "tan": { Glibc.tan($0) }, "ln": { Glibc.log($0) }, "log": { Glibc.log10($0) },
      "exp": { Glibc.exp($0) },
      "floor": { $0.rounded(.down) }, "ceil": { $0.rounded(.up) }, "round": { $0.rounded() },
      "cbrt": { Glibc.cbrt($0) },
    ]
    guard let body = functions[name] else {
      place = start
      throw problem()
    }
    return body(try factor())
  }
}
