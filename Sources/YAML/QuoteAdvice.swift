import Source

/// Advice on text with an apostrophe in single quotes.
enum QuoteAdvice {
  /// Diagnoses `'Don't panic'`, which ends after `Don`; nil for other problems.
  static func loneQuote(before span: Span) -> Diagnostic? {
    let file = span.file
    let place = span.range.lowerBound
    let line = file.line(span.position.line)
    let quote = UInt8(ascii: "'")
    guard place - 1 > line.lowerBound, place < line.upperBound, file.bytes[place - 1] == quote,
      isLetter(file.bytes[place]),
      let open = file.bytes[line.lowerBound..<place - 1].lastIndex(of: quote),
      let close = (place..<line.upperBound).first(where: { index in
        file.bytes[index] == quote
          && (index + 1 == line.upperBound || ",]}".utf8.contains(file.bytes[index + 1]))
      })
    else { return nil }
    let inner = file.text(in: open + 1..<close).replacing("'", with: "''")
    let whole = Span(file, open..<close + 1)
    return Diagnostic(
      "yaml-syntax", "this quote ends the text, and more follows",
      at: Span(file, place - 1..<place),
      help: "write it twice: \(whole.line(with: "'\(inner)'") ?? "'\(inner)'")")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20)
  }
}
