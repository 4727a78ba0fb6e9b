import CEL
package import Source
package import YAML

/// The text of an expression and the position of each of its bytes in the file.
package struct ExpressionSource: Sendable {
  /// CEL source: the text as written, with raw newlines in strings replaced by `
  /// `.
  package let text: String
  /// The scalar that contains it.
  package let scalar: Scalar
  /// Offset of the first byte of `text` in the scalar's value.
  private let start: Int
  /// Offset in the scalar's value for each UTF-8 byte of `text`; nil if contiguous.
  private let offsets: [Int]?

  /// Creates the expression of a key such as `if`: bare, or in `{{ … }}`.
  package init(scalar: Scalar) throws(Diagnostic) {
    let bytes = Array(scalar.text.utf8)
    let start = bytes.firstIndex { !TemplateScanner.isSpace($0) } ?? 0
    if bytes[start...].starts(with: [UInt8(ascii: "{"), UInt8(ascii: "{")]) {
      let template = try Template(scalar: scalar)
      guard let lone = template.loneExpression else {
        throw Diagnostic(
          "template-in-expression", "this key takes one expression, not text with `{{ }}` in it",
          at: scalar.span, help: Self.help(for: template))
      }
      self = lone
      return
    }
    self.init(bytes: bytes[...], scalar: scalar)
  }

  /// A text without the `{{ }}` or `${{ }}` around it.
  package static func bare(_ text: String) -> String {
    let plain = text.trimmed
    let inner = plain.hasPrefix("$") ? plain.dropFirst() : plain[...]
    return inner.hasPrefix("{{") && inner.hasSuffix("}}")
      ? String(inner.dropFirst(2).dropLast(2)).trimmed : plain
  }

  /// The expression that was probably meant by a text with `{{ }}`.
  private static func help(for template: Template) -> String {
    let parts = template.segments.map { segment in
      switch segment {
      case .text(let text): text
      case .expression(let source): source.text.trimmed
      }
    }
    let line = parts.joined().trimmed
    return line.utf8.count <= 100 && !line.contains("\n")
      ? "write the expression alone, without `{{ }}`: `\(line)`"
      : "write the expression alone, without `{{ }}`"
  }

  /// Creates an expression from `bytes`, a slice indexed by offsets in the scalar's value.
  init(bytes: ArraySlice<UInt8>, scalar: Scalar) {
    self.scalar = scalar
    start = bytes.startIndex
    guard bytes.contains(UInt8(ascii: "\n")) else {
      text = String(decoding: bytes, as: UTF8.self)
      offsets = nil
      return
    }
    var text: [UInt8] = []
    var offsets: [Int] = []
    var scanner = TemplateScanner(bytes)
    while !scanner.isFinished {
      let isRawNewline = scanner.isAtRawNewline
      let passed = scanner.advance()
      if isRawNewline {
        text += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
        offsets += [passed.lowerBound, passed.lowerBound]
      } else {
        text += bytes[passed]
        offsets += passed
      }
    }
    self.text = String(decoding: text, as: UTF8.self)
    self.offsets = offsets
  }

  /// The span in the file for a range of the expression's UTF-8 bytes.
  package func span(of range: Range<Int>) -> Span {
    let count = text.utf8.count
    guard count > 0 else { return scalar.span }
    let lower =
      range.lowerBound < count ? offset(of: range.lowerBound) : offset(of: count - 1) + 1
    let upper = range.isEmpty ? lower : offset(of: min(range.upperBound, count) - 1) + 1
    return scalar.span(of: lower..<max(lower, upper))
  }

  private func offset(of byte: Int) -> Int { offsets.map { $0[byte] } ?? start + byte }

  /// The span of the whole expression.
  package var span: Span { span(of: 0..<text.utf8.count) }
}
