import CEL
package import Source
package import YAML

/// The text of an expression and where each byte of it stands.
package struct ExpressionSource: Sendable {
  /// What CEL parses: the text as written, with raw newlines in strings made `\n`.
  package let text: String
  /// The scalar it stands in.
  package let scalar: Scalar
  /// The offset of the first byte of `text` in the scalar's value.
  private let start: Int
  /// For each UTF-8 byte of `text`, its offset in the scalar's value; nil where they run on.
  private let offsets: [Int]?

  /// The expression that a key such as `if` takes: bare, or in `{{ … }}`.
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

  /// The expression that was meant by a text with `{{ }}` in it.
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

  /// The part `bytes` of a scalar's value, its indices being offsets in that value.
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

  /// Where a range of the expression's UTF-8 bytes stands in the file.
  package func span(of range: Range<Int>) -> Span {
    let count = text.utf8.count
    guard count > 0 else { return scalar.span }
    let lower =
      range.lowerBound < count ? offset(of: range.lowerBound) : offset(of: count - 1) + 1
    let upper = range.isEmpty ? lower : offset(of: min(range.upperBound, count) - 1) + 1
    return scalar.span(of: lower..<max(lower, upper))
  }

  private func offset(of byte: Int) -> Int { offsets.map { $0[byte] } ?? start + byte }

  /// Where the whole expression stands.
  package var span: Span { span(of: 0..<text.utf8.count) }
}
