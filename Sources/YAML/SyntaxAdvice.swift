import Source

/// Diagnostics for valid YAML that probably means something else, with the corrected line.
enum SyntaxAdvice {
  /// Diagnoses `if: !done`, which is read as a tag.
  static func tag(_ tag: String, at span: Span) -> Diagnostic {
    Diagnostic(
      "yaml-tag", "YAML takes `\(tag)` as a tag, and tags are not allowed", at: span,
      help: Line.quotingValue(at: span).map { "put it in quotes: \($0)" } ?? "put it in quotes")
  }

  /// Diagnoses `url: {{ url }}`, which is read as a mapping in a mapping.
  static func unquotedTemplate(at span: Span) -> Diagnostic? {
    let bytes = span.file.bytes[span.range.lowerBound...]
    guard bytes.starts(with: [UInt8(ascii: "{"), UInt8(ascii: "{")]) else { return nil }
    let line = Line(at: span)
    return Diagnostic(
      "unquoted-template", "YAML takes an unquoted `{{` as a mapping",
      at: Span(span.file, span.range.lowerBound..<span.range.lowerBound + 2),
      help: line.quotedValue.map { "put it in quotes: \($0)" } ?? "put it in quotes")
  }

  /// Number of bytes of a comment that are shown.
  private static let maxCommentLength = 200

  /// Diagnoses `say: Issue #5 is done`, where the text from ` #5` on is a comment.
  static func swallowedComment(after scalar: Scalar) -> Diagnostic? {
    guard scalar.style == .plain, !scalar.text.isEmpty else { return nil }
    let bytes = scalar.span.file.bytes
    var index = scalar.span.range.upperBound
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    guard index > scalar.span.range.upperBound, index + 1 < bytes.count,
      bytes[index] == UInt8(ascii: "#"), bytes[index + 1] > 0x20,
      bytes[index + 1] != UInt8(ascii: "#")
    else { return nil }
    var end = index
    while end < bytes.count, bytes[end] > 0x20, end < index + maxCommentLength { end += 1 }
    let span = Span(scalar.span.file, index..<end)
    let line = Line(at: scalar.span)
    return Diagnostic(
      "swallowed-comment", "YAML takes `\(span.text)` as a comment", at: span,
      help: (line.quotedValue.map { "put the text in quotes: \($0)" } ?? "put the text in quotes")
        + "\nor, if it is a comment, write a space after the `#`")
  }
}
