import TestSupport

/// Generates texts that are expressions or similar to them.
package struct ExpressionWriter {
  private var random: SeededGenerator

  /// Creates a generator with a seed.
  package init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// Returns the next text: an expression, a damaged one, or noise.
  package mutating func next() -> [UInt8] {
    let kind = Int.random(in: 0..<20, using: &random)
    if kind == 0 { return noise() }
    var text = Array(expression(depth: Int.random(in: 0...6, using: &random)).utf8)
    if kind < 9 {
      for _ in 0...Int.random(in: 0...3, using: &random) { damage(&text) }
    }
    return text
  }

  // MARK: - Expressions

  private mutating func pick(_ choices: [String]) -> String {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  private mutating func expression(depth: Int) -> String {
    if depth == 0 { return atom() }
    func part(_ writer: inout ExpressionWriter) -> String {
      writer.expression(depth: Int.random(in: 0..<depth, using: &writer.random))
    }
    switch Int.random(in: 0..<13, using: &random) {
    case 0, 1, 2:
      let left = part(&self)
      let symbol = pick(Self.operators)
      return "\(left)\(symbol)\(part(&self))"
    case 3: return "(\(part(&self)))"
    case 4: return "\(pick(["!", "-", "--", "!!"]))\(part(&self))"
    case 5: return "\(part(&self)) ? \(part(&self)) : \(part(&self))"
    case 6: return "[\(pick(["", "?"]))\(part(&self)), \(part(&self))]"
    case 7: return "{\(part(&self)): \(part(&self))}"
    case 8: return "\(part(&self))\(pick([".", ".?"]))\(pick(Self.fields))"
    case 9: return "\(part(&self))\(pick(["[", "[?"]))\(part(&self))]"
    case 10: return "\(part(&self)).\(pick(Self.macros))(\(pick(Self.names)), \(part(&self)))"
    case 11: return "\(part(&self)).\(pick(Self.methods))(\(part(&self)))"
    default: return "\(pick(Self.functions))(\(part(&self)))"
    }
  }

  private mutating func atom() -> String {
    Bool.random(using: &random) ? pick(Self.literals) : pick(Self.names)
  }

  // MARK: - Damage

  private mutating func damage(_ text: inout [UInt8]) {
    guard !text.isEmpty else { return }
    let position = Int.random(in: 0..<text.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: text.remove(at: position)
    case 1: text[position] = UInt8.random(in: 0...255, using: &random)
    case 2: text.insert(contentsOf: pick(Self.fragments).utf8, at: position)
    case 3: text.removeSubrange(position...)
    case 4:
      let end = Int.random(in: position...text.count, using: &random)
      text.insert(contentsOf: text[position..<end], at: position)
    default: text.swapAt(position, Int.random(in: 0..<text.count, using: &random))
    }
  }

  private mutating func noise() -> [UInt8] {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let bracket = pick(["(", "[", "{1:", "!", "-", "a.", "f(", "a?b:", "[1].map(x,", "1+", "a||"])
      return Array(
        String(repeating: bracket, count: Int.random(in: 1...2_000, using: &random)).utf8)
    case 1:
      return (0..<Int.random(in: 0...60, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
    default:
      var text = ""
      for _ in 0..<Int.random(in: 0...40, using: &random) { text += pick(Self.fragments) }
      return Array(text.utf8)
    }
  }

  // MARK: - Words

  private static let operators = [
    " + ", " - ", " * ", " / ", " % ", " == ", " != ", " < ", " <= ", " > ", " >= ", " && ",
    " || ", " in ", "+", "-", "<", "&&",
  ]
  private static let literals = [
    "0", "1", "-1", "42u", "0x1F", "1.5", "-0.0", "1e300", ".5", "1e-7", "true", "false", "null",
    "'a'", "\"b\\n\\u00e9\"", "r'\\d'", "b'\\xff'", "'''x\ny'''", "''", "[]", "{}", "'é'",
    "9223372036854775807", "-9223372036854775808", "18446744073709551615u", "'👍🏽'", "'\\U0001F600'",
  ]
  private static let names = ["a", "b", "x", "y", "self", ".a", "int", "_", "x1", "list"]
  private static let fields = ["a", "name", "`b-c`", "if", "size"]
  private static let macros = [
    "all", "exists", "exists_one", "map", "filter", "sortBy", "optMap", "optFlatMap",
  ]
  private static let methods = [
    "startsWith", "contains", "matches", "split", "join", "indexOf", "replace", "format",
    "substring", "getHours", "orValue", "flatten", "slice", "reverse",
  ]
  private static let functions = [
    "size", "int", "string", "type", "has", "duration", "timestamp", "math.greatest",
    "optional.of", "lists.range", "regex.extract", "ip", "coalesce", "base64.decode", "bytes",
  ]
  private static let fragments =
    operators + literals + names + fields + [
      "(", ")", "[", "]", "{", "}", ",", ":", "?", ".", "\\", "'", "\"", "`", "'''", "// c\n", "\n",
      "\t", " ", "=", "&", "|", "@", "#", "\u{0}", "\u{FEFF}", "r\"", "b'", "0x", "1e", "$", "…",
    ]
}
