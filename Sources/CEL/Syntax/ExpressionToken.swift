/// A token of an expression, for highlighting.
package struct ExpressionToken: Sendable {
  /// The kinds of tokens.
  package enum Kind: Sendable {
    case name, field, function, keyword, number, string, mark
  }

  /// The kind.
  package let kind: Kind
  /// The UTF-8 offsets in the expression's text.
  package let range: Range<Int>

  /// The tokens of an expression up to the first lexical error.
  ///
  /// - Complexity: O(bytes).
  package static func all(in text: String) -> [ExpressionToken] {
    let bytes = Array(text.utf8)
    var lexer = Lexer(bytes, advises: false)
    var found: [ExpressionToken] = []
    while let token = try? lexer.next(), token.kind != .end {
      let kind: Kind =
        switch token.kind {
        case .identifier, .quotedIdentifier:
          found.last.map { $0.isDot(bytes) } == true ? .field : .name
        case .keyword: .keyword
        case .int, .uint, .double: .number
        case .string, .bytes: .string
        case .symbol, .end: .mark
        }
      if token.kind == .symbol(.openParenthesis), let last = found.last,
        last.kind == .name || last.kind == .field
      {
        found[found.count - 1] = ExpressionToken(kind: .function, range: last.range)
      }
      found.append(ExpressionToken(kind: kind, range: token.range))
    }
    return found
  }

  /// Whether it is the dot before a field, also of `.?`.
  private func isDot(_ bytes: [UInt8]) -> Bool {
    guard kind == .mark else { return false }
    let dot = UInt8(ascii: ".")
    return bytes[range.lowerBound] == dot
      || bytes[range.lowerBound] == UInt8(ascii: "?") && range.lowerBound > 0
        && bytes[range.lowerBound - 1] == dot
  }
}
