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
  enum Symbol {
    case dot, comma, colon, question
    case openParenthesis, closeParenthesis, openBracket, closeBracket, openBrace, closeBrace
    case plus, minus, star, slash, percent, not
    case less, lessOrEqual, greater, greaterOrEqual, equal, notEqual, and, or
  }

  /// What it is.
  let kind: Kind
  /// Where it stands.
  let range: Range<Int>

  /// The operator between operands that this token is, `&&` and `||` aside.
  var binaryOperator: BinaryOperator? {
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
    case .keyword where range.count == 2: .in
    default: nil
    }
  }
}
