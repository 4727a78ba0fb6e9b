import Source

/// Diagnostics for valid YAML that probably means something else, with the corrected line.
enum SyntaxAdvice {
  /// Diagnoses `if: !done`, which is read as a tag.
  static func tag(_ tag: String, at span: Span) -> Diagnostic {
    let name = span.text.dropFirst(tag.utf8.count).prefix { !",}]\n".contains($0) }
      .drop { $0 == " " }.prefix { $0 != " " }
    let call = ["!secret": "secret", "!env_var": "env", "!env": "env"][tag].flatMap { function in
      name.isEmpty ? nil : "write `'{{ \(function)(\"\(name)\") }}'`"
    }
    let standard = "tag:yaml.org,2002:"
    if tag.hasPrefix(standard) {
      let short = "!!" + tag.dropFirst(standard.count)
      let text = Line.text(of: span.position.line, in: span.file)
      return Diagnostic(
        "yaml-tag", "tags such as `\(short)` are not allowed", at: span,
        help: "remove it: \(text.replacing(short + " ", with: "").drop { $0 == " " })")
    }
    return Diagnostic(
      "yaml-tag", "YAML takes `\(tag)` as a tag, and tags are not allowed", at: span,
      help: call ?? Line.quotingValue(at: span).map { "put it in quotes: \($0)" }
        ?? "put it in quotes")
  }

  /// Diagnoses `url: {{ url }}`, which is read as a mapping in a mapping.
  static func unquotedTemplate(at span: Span) -> Diagnostic? {
    let bytes = span.file.bytes[span.range.lowerBound...]
    guard bytes.starts(with: [UInt8(ascii: "{"), UInt8(ascii: "{")]) else { return nil }
    let quoted = quotedEntry(at: span) ?? Line(at: span).quotedValue
    return Diagnostic(
      "unquoted-template", "YAML takes an unquoted `{{` as a mapping",
      at: Span(span.file, span.range.lowerBound..<span.range.lowerBound + 2),
      help: quoted.map { "put it in quotes: \($0)" } ?? "put it in quotes")
  }

  /// The line with the `{{ … }}` at a place quoted, if that stands within `{…}` or `[…]`; nil
  /// otherwise.
  private static func quotedEntry(at span: Span) -> String? {
    let bytes = span.file.bytes
    let start = span.range.lowerBound
    let line = span.file.line(span.position.line)
    let before = bytes[line.lowerBound..<start]
    let isWithin = before.contains { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
    let rest = String(decoding: bytes[start..<line.upperBound], as: UTF8.self)
    guard isWithin, let close = rest.firstRange(of: "}}") else { return nil }
    let tail = rest[close.upperBound...].prefix { !",}]".contains($0) }
    var text = String(rest[..<close.upperBound] + tail)
    while text.last == " " { text.removeLast() }
    return Span(span.file, start..<start + text.utf8.count).line(with: Line.quoted(text[...]))
  }

  /// Number of bytes of a comment that are shown.
  private static let maxCommentLength = 200

  /// A text such as `&hi there`, of which YAML takes the first word as a name that nothing uses.
  static func unusedAnchor(_ name: String, before span: Span) -> Diagnostic {
    Diagnostic(
      "unused-anchor", "YAML takes `&\(name)` as a name for `*\(name)`, which nothing uses",
      at: span,
      help: Line(at: span).quotedValue.map { "put the text in quotes: \($0)" }
        ?? "put the text in quotes")
  }

  /// Diagnoses `say: Issue #5 is done`, where the text from ` #5` on is a comment.
  static func swallowedComment(after scalar: Scalar) -> Diagnostic? {
    guard scalar.style == .plain else { return nil }
    let bytes = scalar.span.file.bytes
    var index = scalar.span.range.upperBound
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    guard index > scalar.span.range.upperBound || scalar.text.isEmpty, index + 1 < bytes.count,
      bytes[index] == UInt8(ascii: "#"), bytes[index + 1] > 0x20,
      bytes[index + 1] != UInt8(ascii: "#")
    else { return nil }
    var end = index
    // Of an empty value the comment is the whole.
    let least: UInt8 = scalar.text.isEmpty ? 0x0A : 0x20
    while end < bytes.count, bytes[end] > least, end < index + maxCommentLength { end += 1 }
    let span = Span(scalar.span.file, index..<end)
    let quoted =
      scalar.text.isEmpty
      ? span.line(with: Line.quoted(span.text[...])) : Line(at: scalar.span).quotedValue
    return Diagnostic(
      "swallowed-comment", "YAML takes `\(span.text)` as a comment", at: span,
      help: (quoted.map { "put the text in quotes: \($0)" } ?? "put the text in quotes")
        + "\nor, if it is a comment, write a space after the `#`")
  }

  /// Diagnoses a `|` or `>` whose text is not indented and therefore not part of it.
  static func emptyBlock(_ scalar: Scalar) -> Diagnostic? {
    guard scalar.style == .literal || scalar.style == .folded, scalar.text.isEmpty else {
      return nil
    }
    let file = scalar.span.file
    let head = scalar.span.position.line
    let mark = scalar.style == .literal ? "|" : ">"
    let below = (head + 1...head + 20).first { number in
      !Line.text(of: number, in: file).allSatisfy(\.isWhitespace)
    }
    guard let below else {
      return Diagnostic(
        "yaml-syntax", "there is no text below this `\(mark)`", at: scalar.span,
        help: "write the text on the next line, or `''` for none")
    }
    let key = Line.text(of: head, in: file).drop { $0 == " " || $0 == "-" }
    let line = file.line(head)
    let width = line.count - key.utf8.count + 2
    let word = key.prefix { $0 != ":" }
    let text = Line.text(of: below, in: file).drop { $0 == " " }
    let place = file.line(below)
    return Diagnostic(
      "yaml-syntax",
      "the text below `\(mark)` must be indented further than "
        + (key.contains(":") ? "`\(word)`" : "the `-`"),
      at: Span(file, place.upperBound - text.utf8.count..<place.upperBound),
      help: "begin it with \(width) spaces: `\(String(repeating: " ", count: width))\(text)`\n"
        + "or write `''` for an empty text")
  }

  /// Diagnoses `say: “hello”`, where the quotes are part of the text.
  static func curlyQuotes(around scalar: Scalar) -> Diagnostic? {
    // The first byte rules most texts out.
    guard scalar.style == .plain, scalar.text.utf8.first == 0xE2, let first = scalar.text.first,
      "“”„‘’‚".contains(first),
      let last = scalar.text.last, "“”‘’".contains(last)
    else { return nil }
    let inner = scalar.text.dropFirst().dropLast()
    guard !inner.isEmpty, !inner.contains(where: { "“”„".contains($0) }) else { return nil }
    let straight = Line.quoted(inner)
    let curly = Line.quoted(scalar.text[...])
    return Diagnostic(
      "yaml-syntax", "YAML takes `\(first)` and `\(last)` for letters, not for quotes",
      at: scalar.span,
      help: "write straight quotes: \(scalar.span.line(with: straight) ?? straight)\n"
        + "or, to show curly ones: \(scalar.span.line(with: curly) ?? curly)")
  }

  /// Whether a key without a value in `{…}` is the rest of a text in front of it, torn at a comma.
  static func isRest(_ key: Scalar, of text: Span, _ value: Node) -> Bool {
    guard key.style == .plain, value.span.range.isEmpty, value.scalar?.isNull == true,
      !text.range.isEmpty, !"'\"[{".contains(text.text.first ?? "'")
    else { return false }
    let bytes = text.file.bytes
    let next = bytes[key.span.range.upperBound...].first { $0 > 0x20 }
    guard next == UInt8(ascii: ",") || next == UInt8(ascii: "}") else { return false }
    let depth = text.text.reduce(0) { $0 + ($1 == "(" ? 1 : $1 == ")" ? -1 : 0) }
    return depth > 0 || key.text.contains(" ")
  }

  /// Diagnoses `{where: f(a, b)}`, where the comma ends the text.
  static func comma(in text: Span) -> Diagnostic {
    let quoted = Line.quoted(text.text[...])
    return Diagnostic(
      "yaml-syntax", "within `{}` a comma ends the text", at: text,
      help: "put the text in quotes: \(text.line(with: quoted) ?? quoted)")
  }

  /// Diagnoses a space that YAML takes for a letter, such as the no-break space of a web page.
  static func strangeSpace(in scalar: Scalar) -> Diagnostic? {
    guard scalar.style == .plain, scalar.text.utf8.contains(where: { $0 >= 0x80 }) else {
      return nil
    }
    var before: Unicode.Scalar = " "
    var offset = 0
    for letter in scalar.text.unicodeScalars {
      // At the beginning it indents, and after these it separates.
      let separates = offset == 0 || ":-".unicodeScalars.contains(before)
      if offset == 0, ["–", "—", "−", "•"].contains(letter),
        scalar.text.dropFirst().hasPrefix(" "), beginsLine(scalar)
      {
        let line = scalar.span.line(with: "-" + scalar.text.dropFirst())
        return Diagnostic(
          "yaml-syntax", "YAML takes `\(letter)` for a letter: an item begins with `- `",
          at: scalar.span, help: line.map { "write `\($0)`" })
      }
      if !letter.isASCII, separates, isSpace(letter) {
        let place = scalar.span.range.lowerBound + offset
        let code = String(letter.value, radix: 16, uppercase: true)
        let name = letter == "\u{A0}" ? "a no-break space" : "a special space"
        return Diagnostic(
          "yaml-syntax",
          "YAML takes \(name) (U+\(code.count < 4 ? "00" : "")\(code)) for a letter",
          at: Span(scalar.span.file, place..<place + letter.utf8.count),
          help: letter.properties.isWhitespace
            ? "replace it by a plain space, here and in the rest of the file"
            : "remove it, here and in the rest of the file")
      }
      before = letter
      offset += letter.utf8.count
    }
    return nil
  }

  /// Whether only spaces stand before a text in its line.
  private static func beginsLine(_ scalar: Scalar) -> Bool {
    let before = scalar.span.file.bytes[..<scalar.span.range.lowerBound]
    return [nil, UInt8(ascii: "\n")].contains(before.last { $0 != UInt8(ascii: " ") })
  }

  private static func isSpace(_ letter: Unicode.Scalar) -> Bool {
    letter.properties.isWhitespace || ["\u{200B}", "\u{FEFF}", "\u{2060}"].contains(letter)
  }

  /// Diagnoses `[a, #b]`, where the rest of the line is a comment.
  static func comment(inBracketsBefore span: Span) -> Diagnostic? {
    let file = span.file
    let bytes = file.bytes
    let last = file.lineNumber(of: span.range.lowerBound)
    for number in stride(from: last, to: max(0, last - 20), by: -1) {
      let line = file.line(number)
      let hash = line.dropFirst().first { index in
        bytes[index] == UInt8(ascii: "#") && " [{,".utf8.contains(bytes[index - 1])
          && index + 1 < line.upperBound && bytes[index + 1] > 0x20
          && !Line.openBrackets(in: bytes[line.lowerBound..<index]).isEmpty
      }
      guard let hash else { continue }
      let end = bytes[hash..<line.upperBound].firstIndex { ",]}".utf8.contains($0) }
      let word = Span(file, hash..<(end ?? line.upperBound))
      return Diagnostic(
        "swallowed-comment",
        "YAML takes `\(Span(file, hash..<line.upperBound).text)` as a comment", at: word,
        help: "put the text in quotes: \(word.line(with: "'\(word.text)'") ?? "'\(word.text)'")")
    }
    return nil
  }
}
