/// A token of an expression.
struct Token {
  /// The kinds of tokens.
  enum Kind: Equatable {
    case identifier
    /// A name in backticks, which may contain dots and dashes.
    case quotedIdentifier
    /// `true`, `false`, `null` or `in`.
    case keyword
    case int, uint, double, string, bytes
    case symbol(Symbol)
    case end
  }

  /// Punctuation and operators; raw values are one or two ASCII characters.
  enum Symbol: UInt16 {
    case dot = 0x2E
    case comma = 0x2C
    case colon = 0x3A
    case question = 0x3F
    case openParenthesis = 0x28
    case closeParenthesis = 0x29
    case openBracket = 0x5B
    case closeBracket = 0x5D
    case openBrace = 0x7B
    case closeBrace = 0x7D
    case plus = 0x2B
    case minus = 0x2D
    case star = 0x2A
    case slash = 0x2F
    case percent = 0x25
    case not = 0x21
    case less = 0x3C
    case lessOrEqual = 0x3C3D
    case greater = 0x3E
    case greaterOrEqual = 0x3E3D
    case equal = 0x3D3D
    case notEqual = 0x213D
    case and = 0x2626
    case or = 0x7C7C
  }

  /// The kind of token.
  let kind: Kind
  /// The UTF-8 offsets in the expression's text.
  let range: Range<Int>

  /// The precedence of a binary operator and the expression it forms; nil for other tokens.
  var infix: (precedence: Int, kind: ([Expression]) -> Expression.Kind)? {
    switch kind {
    case .symbol(.or): (1, { .or($0) })
    case .symbol(.and): (2, { .and($0) })
    default:
      binaryOperator.map { symbol in
        (symbol.precedence, { .binary(symbol, $0[0], $0[1]) })
      }
    }
  }

  /// Whether it compares its operands, as `==`, `<` and `in` do.
  var compares: Bool { binaryOperator?.precedence == BinaryOperator.equal.precedence }

  private var binaryOperator: BinaryOperator? {
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
