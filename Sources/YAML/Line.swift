import Source

/// A line of a file, split at the start of its value, for advice with the corrected line.
struct Line {
  let text: String
  private let valueStart: String.Index?

  /// Maximum length in bytes; longer lines are not worth repeating, and may contain thousands of
  /// errors.
  private static let maxLength = 400

  /// Creates the line at a span; with `orPrevious`, the line before it if it has no value.
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

  /// Returns the text of a line; empty if it is too long.
  static func text(of number: Int, in file: SourceFile) -> String {
    let range = file.line(number)
    return range.count <= maxLength ? file.text(in: range) : ""
  }

  /// Returns the start of the value: after the first `: `, or after the `- ` of a list item.
  private static func valueStart(in text: String) -> String.Index? {
    if let colon = text.firstRange(of: ": ") { return colon.upperBound }
    if let dash = text.firstRange(of: "- ") { return dash.upperBound }
    return nil
  }

  /// Whether the value starts with a quote.
  var valueStartsWithQuote: Bool {
    guard let valueStart else { return false }
    return text[valueStart...].first == "'" || text[valueStart...].first == "\""
  }

  /// Whether the value starts with a bracket and goes on after the one that closes it.
  var hasTextAfterBracket: Bool {
    guard let valueStart else { return false }
    let value = text[valueStart...]
    guard let first = value.first, "[{".contains(first) else { return false }
    var depth = 0
    for (index, letter) in zip(value.indices, value) {
      depth += "[{".contains(letter) ? 1 : "]}".contains(letter) ? -1 : 0
      if depth == 0 {
        let rest = value[value.index(after: index)...].drop { $0 == " " }
        return !rest.isEmpty && rest.first != "#" && rest.first != "\r"
      }
    }
    return false
  }

  /// The line with its value quoted; nil if it has none.
  var quotedValue: String? {
    guard let valueStart else { return nil }
    let head = text[..<valueStart].drop { $0 == " " }
    var value = text[valueStart...]
    while value.last == " " || value.last == "\r" { value.removeLast() }
    return value.isEmpty ? nil : head + Self.quoted(value)
  }

  /// The line with other quotes around its value, which has the same ones in it; nil if the value has
  /// no quotes around it.
  var requoted: String? {
    guard let valueStart else { return nil }
    var value = text[valueStart...]
    while value.last == " " || value.last == "\r" { value.removeLast() }
    guard value.utf8.count > 2, let quote = value.first, "'\"".contains(quote), value.last == quote
    else { return nil }
    // Texts joined as in an expression.
    if value.dropFirst().dropLast().contains("\(quote) + \(quote)")
      || value.dropFirst().dropLast().contains("\(quote)+\(quote)")
    {
      let joined = value.replacing("'", with: "\"")
      return text[..<valueStart].drop { $0 == " " } + "'{{ \(joined) }}'"
    }
    // A backslash before a quote is of another language.
    let inner = value.dropFirst().dropLast().replacing("\\\(quote)", with: "\(quote)")
    return text[..<valueStart].drop { $0 == " " } + Self.quoted(inner[...])
  }

  /// Returns the line with the value at a span quoted, up to its end within `[…]` or `{…}`; nil if
  /// there is none.
  static func quotingValue(at span: Span) -> String? {
    let file = span.file
    let line = file.line(span.position.line)
    let start = span.range.lowerBound
    guard line.count <= maxLength, line.contains(start) else { return nil }
    guard !openBrackets(in: file.bytes[line.lowerBound..<start]).isEmpty else {
      return Line(at: span).quotedValue
    }
    var end = start
    while end < line.upperBound, !",]}".utf8.contains(file.bytes[end]) { end += 1 }
    while end > start, file.bytes[end - 1] <= 0x20 { end -= 1 }
    guard end > start else { return nil }
    let value = Span(file, start..<end)
    return value.line(with: quoted(Substring(value.text)))
  }

  /// Returns the offsets of the brackets left open, outermost first.
  ///
  /// - Complexity: O(bytes).
  static func openBrackets(in bytes: ArraySlice<UInt8>) -> [Int] {
    var open: [Int] = []
    walkBrackets(in: bytes) { index, isOpening in
      if isOpening { open.append(index) } else { _ = open.popLast() }
      return true
    }
    return open
  }

  /// Whether a bracket is closed by its counterpart; `other` is the first mismatched closing
  /// bracket.
  ///
  /// - Complexity: O(bytes after it).
  static func closing(of open: Int, in bytes: [UInt8]) -> (isClosed: Bool, other: Int?) {
    var depth: [UInt8] = []
    var result: (isClosed: Bool, other: Int?) = (false, nil)
    walkBrackets(in: bytes[open...]) { index, isOpening in
      if isOpening {
        depth.append(bytes[index] + 2)
        return true
      }
      if depth.popLast() != bytes[index] {
        result.other = index
      } else if depth.isEmpty {
        result.isClosed = true
      }
      return !result.isClosed && result.other == nil
    }
    return result
  }

  /// Visits the brackets outside quotes, until the visitor returns false.
  private static func walkBrackets(
    in bytes: ArraySlice<UInt8>, _ visit: (_ index: Int, _ isOpening: Bool) -> Bool
  ) {
    var quote: UInt8?
    for index in bytes.indices {
      let byte = bytes[index]
      if let mark = quote {
        if byte == mark { quote = nil }
        continue
      }
      switch byte {
      // An apostrophe within a word does not start a quote.
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        if index == bytes.startIndex || " \n[{,:".utf8.contains(bytes[index - 1]) { quote = byte }
      case UInt8(ascii: "["), UInt8(ascii: "{"): if !visit(index, true) { return }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): if !visit(index, false) { return }
      default: break
      }
    }
  }

  /// Returns a value in quotes that preserve it.
  static func quoted(_ value: Substring) -> String {
    if !value.contains("'") { return "'\(value)'" }
    if !value.contains("\""), !value.contains("\\") { return "\"\(value)\"" }
    return "'\(value.replacing("'", with: "''"))'"
  }
}
