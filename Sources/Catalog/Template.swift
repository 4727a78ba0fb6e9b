package import Source
package import YAML

/// Text with embedded expressions, such as `Saved {{ link }}.`
package struct Template: Sendable {
  /// Literal text or an expression.
  package enum Segment: Sendable {
    case text(String)
    case expression(ExpressionSource)
  }

  package let segments: [Segment]
  /// The scalar that contains it.
  package let scalar: Scalar

  /// Parses a scalar's text; `{{{{` stands for a literal `{{`.
  ///
  /// - Throws: `unclosed-template`, `empty-template`.
  /// - Complexity: O(length).
  package init(scalar: Scalar) throws(Diagnostic) {
    let bytes = Array(scalar.text.utf8)
    guard bytes.contains(UInt8(ascii: "{")) else {
      segments = bytes.isEmpty ? [] : [.text(scalar.text)]
      self.scalar = scalar
      return
    }
    var segments: [Segment] = []
    var text: [UInt8] = []
    var position = 0
    func opens(at index: Int) -> Bool {
      index + 1 < bytes.count && bytes[index] == UInt8(ascii: "{")
        && bytes[index + 1] == UInt8(ascii: "{")
    }
    while position < bytes.count {
      guard opens(at: position) else {
        text.append(bytes[position])
        position += 1
        continue
      }
      if opens(at: position + 2) {
        text += [UInt8(ascii: "{"), UInt8(ascii: "{")]
        position += 4
        continue
      }
      var scanner = TemplateScanner(bytes[(position + 2)...])
      while !scanner.isAtEnd {
        guard !scanner.isFinished else {
          throw Self.unclosed(bytes[(position + 2)...], after: position, in: scalar)
        }
        _ = scanner.advance()
      }
      if !text.isEmpty { segments.append(.text(String(decoding: text, as: UTF8.self))) }
      text = []
      let inner = bytes[(position + 2)..<scanner.position]
      if Self.isBlock(inner) {
        throw Diagnostic(
          "expression-syntax", "this is a block of another template language",
          at: scalar.span(of: position..<scanner.position + 2), help: Self.blockHelp)
      }
      guard inner.contains(where: { !TemplateScanner.isSpace($0) }) else {
        throw Diagnostic(
          "empty-template", "there is no expression between `{{` and `}}`",
          at: scalar.span(of: position..<scanner.position + 2))
      }
      segments.append(.expression(ExpressionSource(bytes: inner, scalar: scalar)))
      position = scanner.position + 2
    }
    if !text.isEmpty { segments.append(.text(String(decoding: text, as: UTF8.self))) }
    // Drop the newline that a block scalar adds after a lone expression.
    if segments.count == 2, case .expression = segments[0], case .text("\n") = segments[1],
      scalar.style == .literal || scalar.style == .folded
    {
      segments.removeLast()
    }
    self.segments = segments
    self.scalar = scalar
  }

  /// Whether an expression is a block such as `{{#if x}}`, a partial or a comment of another
  /// language.
  private static func isBlock(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, "#/^>".utf8.contains(first) else { return false }
    return bytes.dropFirst().first { $0 != 0x20 }.map { ($0 | 0x20) >= 0x61 && $0 < 0x7B } ?? true
  }

  /// The diagnostic for an unclosed expression: names the open bracket or quote, if any.
  private static func unclosed(
    _ bytes: ArraySlice<UInt8>, after position: Int, in scalar: Scalar
  ) -> Diagnostic {
    guard let opening = TemplateScanner.unclosed(in: bytes) else {
      return Diagnostic(
        "unclosed-template", "this `{{` is never closed",
        at: scalar.span(of: position..<position + 2),
        help: "close it with `}}`, or write `{{{{` for a literal `{{`")
    }
    let mark = String(decoding: [bytes[opening]], as: UTF8.self)
    let pairs = ["(": ")", "[": "]", "{": "}"]
    let isQuote = pairs[mark] == nil
    return Diagnostic(
      "unclosed-template",
      "this \(isQuote ? "quote" : "`\(mark)`") is not closed before the `}}`",
      at: scalar.span(of: opening..<opening + 1),
      // YAML reads two single quotes within single quotes as one.
      help: isQuote
        ? mark == "'" && scalar.span.text.contains("''")
          ? "within single quotes `''` is one quote: write `\"\"`, and `\"` around other texts"
          : "close it where its text ends" : "close it with `\(pairs[mark] ?? "")`")
  }

  /// The expression, if the template is nothing else; its value then keeps its type.
  package var loneExpression: ExpressionSource? {
    if segments.count == 1, case .expression(let source) = segments[0] { source } else { nil }
  }

  /// The text, if the template has no expressions.
  package var plainText: String? {
    if segments.isEmpty { return "" }
    if segments.count == 1, case .text(let text) = segments[0] { return text }
    return nil
  }
}
