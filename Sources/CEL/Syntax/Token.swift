/// A word of an expression.
struct Token {
  /// The kinds of words.
  enum Kind: Equatable {
    case identifier
    /// A name in backticks, which may hold dots and dashes.
    case quotedIdentifier
    /// `true`, `false`, `null` or `in`.
    case keyword
    case int, uint, double, string, bytes
    case symbol(Symbol)
    case end
  }

  /// Punctuation and operators.
  enum Symbol: String {
    case dot = "."
    case comma = ","
    case colon = ":"
    case question = "?"
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBracket = "["
    case closeBracket = "]"
    case openBrace = "{"
    case closeBrace = "}"
    case plus = "+"
    case minus = "-"
    case star = "*"
    case slash = "/"
    case percent = "%"
    case not = "!"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case equal = "=="
    case notEqual = "!="
    case and = "&&"
    case or = "||"
  }

  /// What it is.
  let kind: Kind
  /// Where it stands.
  let range: Range<Int>

  /// The operator between operands that this token is, `&&` and `||` aside.
  func binaryOperator(_ text: [UInt8]) -> BinaryOperator? {
    switch kind {
    case .symbol(.equal): .equal
    case .symbol(.notEqual): .notEqual
    case .symbol(.less): .less
    case .symbol(.lessOrEqual): .lessOrEqual
    case .symbol(.greater): .greater
    case .symbol(.greaterOrEqual): .greaterOrEqual
    case .symbol(.plus): .add
    case .symbol(.minus): .subtract
    case .symbol(.star): .multiply
    case .symbol(.slash): .divide
    case .symbol(.percent): .remainder
    case .keyword where text[range] == [UInt8(ascii: "i"), UInt8(ascii: "n")]: .in
    default: nil
    }
  }
}
