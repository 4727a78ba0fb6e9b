import Source

/// Says what YAML makes of text that a person meant otherwise, and how the line should be.
enum SyntaxAdvice {
  /// `if: !done` is read as a tag.
  static func tag(_ tag: String, at span: Span) -> Diagnostic {
    let line = Line(at: span)
    return Diagnostic(
      "yaml-tag", "YAML takes `\(tag)` as a tag, and tags are not allowed", at: span,
      help: line.quotedValue.map { "put it in quotes: \($0)" } ?? "put it in quotes")
  }

  /// `url: {{ url }}` is read as a mapping in a mapping.
  static func unquotedTemplate(at span: Span) -> Diagnostic? {
    let bytes = span.file.bytes[span.range.lowerBound...]
    guard bytes.starts(with: [UInt8(ascii: "{"), UInt8(ascii: "{")]) else { return nil }
    let line = Line(at: span)
    return Diagnostic(
      "unquoted-template", "YAML takes an unquoted `{{` as a mapping",
      at: Span(span.file, span.range.lowerBound..<span.range.lowerBound + 2),
      help: line.quotedValue.map { "put it in quotes: \($0)" } ?? "put it in quotes")
  }

  /// How much of a comment is shown, in bytes.
  private static let longestComment = 200

  /// `say: Issue #5 is done` loses everything from ` #5`.
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
    while end < bytes.count, bytes[end] > 0x20, end < index + longestComment { end += 1 }
    let span = Span(scalar.span.file, index..<end)
    let line = Line(at: scalar.span)
    return Diagnostic(
      "swallowed-comment", "YAML takes `\(span.text)` as a comment", at: span,
      help: (line.quotedValue.map { "put the text in quotes: \($0)" } ?? "put the text in quotes")
        + "\nor, if it is a comment, write a space after the `#`")
  }

  /// What libyaml says, in words, with the corrected line where a quote would mend it.
  static func syntaxError(
    _ problem: String, context: String?, at span: Span, within range: Range<Int>
  ) -> Diagnostic {
    if let lone = QuoteAdvice.loneQuote(before: span) { return lone }
    let line = Line(at: span)
    let quoted = line.quotedValue
    switch problem {
    case "did not find expected '-' indicator":
      let word = span.file.text(in: span.file.line(span.position.line)).drop { $0 == " " }
      return Diagnostic(
        "yaml-syntax", "this line stands beside the `- ` of a list, and is no item of it", at: span,
        help: "indent it by two more, to stand below the first word of the item: `  \(word)`\n"
          + "or, if it is an item, begin it with `- `")
    case "mapping values are not allowed in this context":
      return Diagnostic(
        "yaml-syntax", "YAML takes this `:` as the end of a key", at: span,
        help: quoted.map { "put the value in quotes: \($0)" })
    case "did not find expected key" where line.valueStartsWithQuote,
      "did not find expected <document start>" where line.valueStartsWithQuote:
      let previous = Line(at: span, orPrevious: true)
      return Diagnostic(
        "yaml-syntax", "there is text after the closing quote", at: span,
        help: previous.quotedValue.map { "put the whole value in quotes: \($0)" })
    case "found a tab character that violates indentation":
      return Diagnostic(
        "yaml-syntax", "a tab can't indent in YAML", at: span, help: "use spaces")
    case "found character that cannot start any token":
      let isTab = span.text == "\t"
      return Diagnostic(
        "yaml-syntax",
        isTab ? "a tab can't indent in YAML" : "`\(span.text)` can't begin a value in YAML",
        at: span,
        help: isTab
          ? "use spaces" : quoted.map { "put the value in quotes: \($0)" })
    case "did not find expected ',' or '}'":
      return Diagnostic(
        "yaml-syntax", "expected `,` or `}` here", at: span,
        help: "text with `,`, `{`, `}`, `:` or `#` in it needs quotes")
    case "did not find expected ',' or ']'":
      return Diagnostic("yaml-syntax", "expected `,` or `]` here", at: span)
    case "found unexpected end of stream":
      return Diagnostic(
        "yaml-syntax", "a quote is opened here and never closed",
        at: openQuote(before: span, within: range) ?? span)
    case "could not find expected ':'":
      return Diagnostic(
        "yaml-syntax", "expected a key and a `:`", at: span,
        help: "a list item begins with `- `, a key ends with `: `")
    case "did not find expected alphabetic or numeric character":
      let isAlias = context == "while scanning an alias"
      return Diagnostic(
        "yaml-syntax",
        "YAML takes a `\(isAlias ? "*" : "&")` at the beginning of a value for "
          + (isAlias ? "a reference to another one" : "a name for it"),
        at: span, help: quoted.map { "put the value in quotes: \($0)" })
    case "did not find expected whitespace or line break" where context == "while scanning a tag":
      return Diagnostic(
        "yaml-tag", "YAML takes a `!` at the beginning of a value for a tag", at: span,
        help: quoted.map { "put the value in quotes: \($0)" })
    default:
      return Diagnostic(
        "yaml-syntax", context.map { "\(problem), \($0)" } ?? problem, at: span)
    }
  }

  /// `tags: [a, b` goes on to the end of the document.
  static func unclosedBracket(in document: Span) -> Diagnostic? {
    let bytes = document.file.bytes
    var open: [Int] = []
    var quote: UInt8?
    for index in document.range {
      let byte = bytes[index]
      if let mark = quote {
        if byte == mark { quote = nil }
        continue
      }
      switch byte {
      // An apostrophe within a word opens nothing.
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        if index == 0 || " \n[{,:".utf8.contains(bytes[index - 1]) { quote = byte }
      case UInt8(ascii: "["), UInt8(ascii: "{"): open.append(index)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = open.popLast()
      default: break
      }
    }
    guard let last = open.last else { return nil }
    let span = Span(document.file, last..<last + 1)
    return Diagnostic(
      "yaml-syntax", "this `\(span.text)` is never closed", at: span,
      help: "close it with `\(span.text == "[" ? "]" : "}")`")
  }

  /// The last quote before the end that begins a value.
  private static func openQuote(before span: Span, within range: Range<Int>) -> Span? {
    let bytes = span.file.bytes
    let end = min(span.range.lowerBound, range.upperBound)
    let index = (range.lowerBound..<max(end, range.lowerBound)).last { index in
      guard bytes[index] == UInt8(ascii: "'") || bytes[index] == UInt8(ascii: "\"") else {
        return false
      }
      return index == range.lowerBound || [0x20, 0x0A, 0x5B, 0x7B].contains(bytes[index - 1])
    }
    return index.map { Span(span.file, $0..<$0 + 1) }
  }
}

/// A line of a file, split where its value begins.
private struct Line {
  private let text: String
  private let valueStart: String.Index?

  /// Nobody reads a longer line twice, and a file could have thousands of mistakes in one.
  private static let longest = 400

  /// With `orPrevious`, a line without a value gives way to the one before it.
  init(at span: Span, orPrevious: Bool = false) {
    let number = span.file.lineNumber(of: span.range.lowerBound)
    let text = Self.text(of: number, in: span.file)
    let start = Self.valueStart(in: text)
    if start == nil, orPrevious, number > 1 {
      self.text = Self.text(of: number - 1, in: span.file)
      valueStart = Self.valueStart(in: self.text)
    } else {
      self.text = text
      valueStart = start
    }
  }

  /// A line; nothing of one that is too long.
  private static func text(of number: Int, in file: SourceFile) -> String {
    let range = file.line(number)
    return range.count <= longest ? file.text(in: range) : ""
  }

  /// The first `: ` ends the key; a list item without one begins after its `- `.
  private static func valueStart(in text: String) -> String.Index? {
    if let colon = text.firstRange(of: ": ") { return colon.upperBound }
    if let dash = text.firstRange(of: "- ") { return dash.upperBound }
    return nil
  }

  var valueStartsWithQuote: Bool {
    guard let valueStart else { return false }
    return text[valueStart...].first == "'" || text[valueStart...].first == "\""
  }

  /// The line with its value in quotes; nil when it has none.
  var quotedValue: String? {
    guard let valueStart else { return nil }
    let head = text[..<valueStart].drop { $0 == " " }
    var value = text[valueStart...]
    while value.last == " " || value.last == "\r" { value.removeLast() }
    guard !value.isEmpty else { return nil }
    if !value.contains("'") { return "\(head)'\(value)'" }
    if !value.contains("\""), !value.contains("\\") { return "\(head)\"\(value)\"" }
    let doubled = value.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "''")
    return "\(head)'\(doubled)'"
  }
}
