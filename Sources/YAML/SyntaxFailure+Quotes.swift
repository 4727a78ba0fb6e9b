import Source

/// Values and words that need quotes.
extension SyntaxFailure {
  func quotes(at place: Span) -> String? {
    let line = Line(at: place)
    if line.valueStartsWithQuote, let other = line.requoted {
      return "use other quotes around it: \(other)"
    }
    return Line.quotingValue(at: place).map { "put the value in quotes: \($0)" }
  }

  /// The line with the word in brackets quoted that ends at this place, as in `[copy, nas:]`; nil for an
  /// empty one.
  var quotedWord: String? {
    let bytes = span.file.bytes
    let line = span.file.line(span.position.line)
    var start = span.range.lowerBound
    while start > line.lowerBound, !",[{".utf8.contains(bytes[start - 1]) { start -= 1 }
    while start < span.range.lowerBound, bytes[start] == 0x20 { start += 1 }
    var end = span.range.lowerBound
    while end < line.upperBound, !",]}".utf8.contains(bytes[end]) { end += 1 }
    let word = Span(span.file, start..<end)
    return word.text.contains("'") ? nil : word.line(with: "'\(word.text)'")
  }

  /// A text of Python with values in braces, `f"Bearer {token}"`, as a text with templates; nil if the line
  /// has none.
  var formatted: String? {
    let line = Line.text(of: span.position.line, in: span.file)
    for quote in ["\"", "'"] {
      guard let start = line.firstRange(of: " f\(quote)"),
        let end = line[start.upperBound...].firstRange(of: quote)
      else { continue }
      let inner = line[start.upperBound..<end.lowerBound]
      return "'\(inner.replacing("{", with: "{{ ").replacing("}", with: " }}"))'"
    }
    return nil
  }

  /// The line with the value in braces quoted that goes on at this place, as in
  /// `{where: tags[0] == "x"}`; nil if another entry begins there.
  var quotedEntry: String? {
    let file = span.file
    let line = file.line(span.position.line)
    let before = file.bytes[line.lowerBound..<span.range.lowerBound]
    guard let colon = before.lastIndex(of: 0x3A), colon + 1 < before.endIndex,
      !before[(colon + 1)...].contains(where: { ",{".utf8.contains($0) })
    else { return nil }
    var end = span.range.lowerBound
    var depth = 0
    while end < line.upperBound, depth > 0 || !",}".utf8.contains(file.bytes[end]) {
      depth +=
        "[(".utf8.contains(file.bytes[end]) ? 1 : "])".utf8.contains(file.bytes[end]) ? -1 : 0
      end += 1
    }
    var start = colon + 1
    while start < end, file.bytes[start] == 0x20 { start += 1 }
    let value = Span(file, start..<end)
    guard !value.text.contains(": "), start < span.range.lowerBound else { return nil }
    return value.line(with: Line.quoted(value.text[...]))
  }
}
