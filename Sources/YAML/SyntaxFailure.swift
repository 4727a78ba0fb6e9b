import Source

/// A syntax error of libyaml, rewritten as a diagnostic, with the corrected line if it is clear.
struct SyntaxFailure {
  /// libyaml's problem and context.
  let problem: String
  let context: String?
  /// Span of the error, and start of the construct around it.
  let span: Span
  let contextSpan: Span
  /// Whether only white space follows.
  let isAtEnd: Bool

  private var line: Line { Line(at: span) }
  private var isFlow: Bool { context?.hasPrefix("while parsing a flow") == true }

  /// The diagnostic to show.
  var diagnostic: Diagnostic {
    if let lone = QuoteAdvice.loneQuote(before: span) { return lone }
    if let comment = SyntaxAdvice.comment(inBracketsBefore: span) { return comment }
    if isFlow, let open = unclosedBracket { return open }
    if let text = dedentedText { return text }
    if let bare = bareKey { return bare }
    switch problem {
    case "did not find expected '-' indicator":
      let word = span.file.text(in: span.file.line(span.position.line)).drop { $0 == " " }
      if word.hasPrefix("- "), let item = above(where: { _ in true }, isItem: true) {
        return report(
          "this `-` is not in line with the item above (line \(item))",
          help: indented(to: indentation(of: item)))
      }
      return report(
        "this line has the wrong indentation",
        help: (above(where: { _ in true }, isItem: true).map {
          indented(to: indentation(of: $0) + 2)
        }
          ?? "line it up with the first word of the item")
          + "\nor, if it is an item, begin it with `- `")
    case "mapping values are not allowed in this context" where isIndentedBelowValue:
      return misplacedLine
    case "mapping values are not allowed in this context":
      return report(
        "YAML takes this `:` as the end of a key",
        help: line.quotedValue.map { "put the value in quotes: \($0)" })
    case "did not find expected key" where line.valueStartsWithQuote,
      "did not find expected <document start>" where line.valueStartsWithQuote:
      let previous = Line(at: span, orPrevious: true)
      return report(
        "there is text after the closing quote",
        help: previous.requoted.map {
          ($0.hasSuffix("}}'") ? "join texts in an expression: " : "use other quotes around it: ")
            + $0
        }
          ?? previous.quotedValue.map { "put the whole value in quotes: \($0)" })
    case "did not find expected key" where line.hasTextAfterBracket:
      return report(
        "there is text after the closing bracket",
        help: line.quotedValue.map { "put the whole value in quotes: \($0)" })
    case "did not find expected key" where context == "while parsing a block mapping":
      return misplacedLine
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      return tab
    case "found character that cannot start any token":
      if span.text == "\t" { return tab }
      return report("`\(span.text)` cannot begin a value in YAML", help: quotes(at: span))
    case "did not find expected ',' or '}'":
      if let comment = slashes { return comment }
      if let first = span.text.first, "'\"[{".contains(first) {
        return report(
          "expected `,` or `}` here",
          help: formatted.map { "write `\($0)`" }
            ?? quotedEntry.map { "put the value in quotes: \($0)" }
            ?? "separate the entries: write `, ` before this")
      }
      return report(
        "expected `,` or `}` here", help: "text with `,`, `{`, `}`, `:` or `#` in it needs quotes")
    case "did not find expected ',' or ']'":
      return report(
        "expected `,` or `]` here",
        help: "separate the values with `,`; text with `,`, `[`, `]`, `:` or `#` in it needs quotes"
      )
    case "found unexpected end of stream":
      return unclosedQuote
    case "could not find expected ':'":
      let line = Line.text(of: contextSpan.position.line, in: span.file)
      return report(
        "expected a key and a `:`", at: line.isEmpty ? span : contextSpan,
        help: Self.table(line)
          ?? (line.hasPrefix("--") ? "a line `---` stands between two documents" : nil)
          ?? "a list item begins with `- `, a key ends with `: `")
    case "found unexpected ':'":
      return report(
        "YAML takes this `:` as the end of a key",
        help: quotedWord.map { "put it in quotes: \($0)" })
    case "did not find expected alphabetic or numeric character":
      let isAlias = context == "while scanning an alias"
      return report(
        "YAML takes a `\(isAlias ? "*" : "&")` at the beginning of a value for "
          + (isAlias ? "a reference to another one" : "a name for it"),
        at: contextSpan, help: quotes(at: contextSpan))
    case "did not find expected whitespace or line break" where context == "while scanning a tag":
      return Diagnostic(
        "yaml-tag", "YAML takes a `!` at the beginning of a value for a tag", at: contextSpan,
        help: quotes(at: contextSpan))
    case "found unknown escape character", "did not find expected hexdecimal number":
      let line = span.file.line(span.position.line)
      let start =
        span.file.bytes[line.lowerBound..<span.range.lowerBound + 1].lastIndex(of: 0x5C)
        ?? span.range.lowerBound
      let escape = Span(span.file, start..<min(start + 2, line.upperBound))
      return report(
        "`\(escape.text)` is not an escape sequence in double quotes", at: escape,
        help: "write the backslash twice, or put the text in single quotes")
    case "block sequence entries are not allowed in this context":
      return report(
        "a list cannot begin on the line of its key",
        help: "begin it on the next line, or write it in brackets: [one, two]")
    case "did not find expected comment or line break" where context?.contains("block") == true:
      return report(
        "the text of `\(contextSpan.text)` begins on the next line", at: contextSpan,
        help: quotes(at: contextSpan).map { $0 + "\nor begin the text on the next line" })
    case "did not find expected node content":
      let type =
        span.file.text(in: span.file.line(span.position.line))
        .split { " ,:{}[]".contains($0) }.first { $0.hasPrefix("?") }?.dropFirst() ?? ""
      return report(
        "a value is missing here",
        help: type.isEmpty
          ? "write one, or `''` for an empty text"
          : "a `?` goes after the type, in quotes: write `'\(type)?'`")
    default:
      return report("invalid YAML: \(context.map { "\(problem), \($0)" } ?? problem)")
    }
  }

  private var tab: Diagnostic {
    let text = Line.text(of: span.position.line, in: span.file)
    return report(
      "a tab cannot indent in YAML",
      help: "use spaces"
        + (text.hasPrefix("\t") ? ": `\(text.replacing("\t", with: "  "))`" : ""))
  }

  private func report(_ message: String, at place: Span? = nil, help: String? = nil) -> Diagnostic {
    Diagnostic("yaml-syntax", message, at: place ?? span, help: help)
  }

  /// Rewrites a line of TOML; nil for other lines.
  private static func table(_ line: String) -> String? {
    let line = line.drop { $0 == " " }
    if let equals = line.firstRange(of: " = ") {
      return "in YAML a key ends with a colon: write `\(line[..<equals.lowerBound]): "
        + "\(line[equals.upperBound...])`"
    }
    let name = line.drop { $0 == "[" }.prefix { $0 != "]" }
    return line.hasPrefix("[") && !name.isEmpty
      ? "this looks like TOML; in YAML write `\(name):`, and its content indented below" : nil
  }

  /// Diagnoses `// comment` in braces.
  private var slashes: Diagnostic? {
    let file = span.file
    return (contextSpan.position.line...span.position.line).lazy.compactMap { number in
      let range = file.line(number)
      guard let start = file.bytes[range].firstIndex(where: { $0 != 0x20 }),
        file.bytes[start...].starts(with: "//".utf8)
      else { return nil }
      let comment = Span(file, start..<range.upperBound)
      return report(
        "a comment begins with `#` in YAML", at: comment,
        help: "write `#\(comment.text.dropFirst(2))`")
    }.first
  }

  /// Advice on the line with another indentation.
  private func indented(to count: Int) -> String {
    let text = Line.text(of: span.position.line, in: span.file).drop { $0 == " " }
    return
      (count == 0
      ? "begin it at the margin: " : "begin it with \(count) space\(count == 1 ? "" : "s"): ")
      + "`\(String(repeating: " ", count: count))\(text)`"
  }

  // MARK: - Brackets and quotes

  /// Diagnoses `tags: [a, b}`, and an unclosed `tags: [a, b`.
  private var unclosedBracket: Diagnostic? {
    let file = span.file
    var place = contextSpan
    if isAtEnd, place.text != "[", place.text != "{",
      let last = Line.openBrackets(in: file.bytes[..<span.range.lowerBound]).last
    {
      place = Span(file, last..<last + 1)
    }
    let open = place.text
    guard open == "[" || open == "{" else { return nil }
    let closer = open == "[" ? "]" : "}"
    let (isClosed, other) = Line.closing(of: place.range.lowerBound, in: file.bytes)
    if isClosed { return nil }
    let line = file.line(place.position.line)
    let whole: String?
    if let other, other < line.upperBound {
      whole = Span(file, other..<other).line(with: closer)
    } else {
      var end = line.upperBound
      while end > line.lowerBound, file.bytes[end - 1] <= 0x20 { end -= 1 }
      let missing = Line.openBrackets(in: file.bytes[line.lowerBound..<end]).reversed()
        .map { file.bytes[$0] == UInt8(ascii: "[") ? "]" : "}" }.joined()
      // If it continues below, advice must not close it on its first line.
      let goesOn = end - 1 == place.range.lowerBound || file.bytes[end - 1] == 0x2C
      whole = goesOn ? nil : Span(file, end..<end).line(with: missing)
    }
    return report(
      "this `\(open)` is never closed", at: place,
      help: "close it with `\(closer)`" + (whole.map { ": \($0)" } ?? ""))
  }

  /// Diagnoses `say: 'hello`, where the quote probably ends with its line.
  private var unclosedQuote: Diagnostic {
    let file = contextSpan.file
    let mark = contextSpan.text
    guard mark == "'" || mark == "\"" else {
      return report("a quote is opened here and never closed", at: contextSpan)
    }
    var end = file.line(contextSpan.position.line).upperBound
    while end > contextSpan.range.upperBound, file.bytes[end - 1] <= 0x20 { end -= 1 }
    let whole = Span(file, end..<end).line(with: mark)
    return report(
      "a quote is opened here and never closed", at: contextSpan,
      help: "close it with `\(mark)`" + (whole.map { ": \($0)" } ?? ""))
  }

  // MARK: - Lines

  /// Diagnoses a key without `:` and with content below it, such as `- paste` or `steps`.
  private var bareKey: Diagnostic? {
    let file = span.file
    let number: Int
    switch problem {
    case "mapping values are not allowed in this context": number = span.position.line - 1
    case "could not find expected ':'": number = contextSpan.position.line
    default: return nil
    }
    guard number > 0, number < span.position.line else { return nil }
    let line = file.line(number)
    let text = file.text(in: line)
    let isItem = text.drop { $0 == " " }.hasPrefix("- ")
    let word = text.drop { $0 == " " || $0 == "-" }.prefix { $0 != "\r" }
    guard !word.isEmpty, word.utf8.count < 60,
      word.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
    else { return nil }
    let start = line.lowerBound + text.utf8.count - text.drop { $0 == " " || $0 == "-" }.utf8.count
    return report(
      "`\(word)` needs a `:` when something follows below it",
      at: Span(file, start..<start + word.utf8.count),
      help: "write `\(isItem ? "- " : "")\(word):`")
  }

  /// Whether the line is a key indented below a key that has a value already.
  private var isIndentedBelowValue: Bool {
    let number = span.position.line
    let line = span.file.line(number)
    let key = span.file.text(in: line.lowerBound..<span.range.lowerBound).drop { $0 == " " }
    guard number > 1, !key.isEmpty, key.allSatisfy({ $0.isLetter || $0.isNumber }) else {
      return false
    }
    let above = Line.text(of: number - 1, in: span.file)
    return above.contains(": ") && above.prefix { $0 == " " }.count < indentation(of: number)
  }

  /// Diagnoses a line that neither continues the one above nor starts a new entry.
  private var misplacedLine: Diagnostic {
    let file = span.file
    let own = indentation(of: span.position.line)
    guard span.text == "-" else {
      let start = file.line(span.position.line).lowerBound + own
      let previous = span.position.line - 1
      let isDeeper = isIndentedBelowValue && indentation(of: previous) < own
      return report(
        "this line has the wrong indentation",
        at: Span(file, start..<max(start + 1, span.range.lowerBound)),
        help: isDeeper ? indented(to: indentation(of: previous)) : nearest)
    }
    if let number = above(where: { _ in true }, isItem: true), indentation(of: number) != own {
      return report(
        "this `-` is not in line with the item above (line \(number))",
        help: "begin both with the same number of spaces")
    }
    if let number = above(where: { $0 == own }, isItem: false) {
      let text = Line.text(of: number, in: file).drop { $0 == " " }
      return report(
        "this list begins below something that is not an item (line \(number))",
        help: text.first == "-" && text.dropFirst().first?.isLetter == true
          ? "a space belongs after the `-`: write `- \(text.dropFirst())`"
          : "begin that line with a `-`, too: `- \(text)`")
    }
    return report("this `-` has the wrong indentation", help: "line it up with the items above")
  }

  /// Advice on the indentation of a line above that is nearest to this one's.
  private var nearest: String {
    let own = indentation(of: span.position.line)
    let others = (max(1, span.position.line - 20)..<span.position.line).reversed().map { number in
      let text = Line.text(of: number, in: span.file)
      return text.utf8.count - text.drop { $0 == " " || $0 == "-" }.utf8.count
    }
    return others.min { abs($0 - own) < abs($1 - own) }.map { indented(to: $0) }
      ?? "line it up with the lines that it belongs to"
  }

  /// Diagnoses a line of the text below `|` or `>` that is indented less than the first one.
  private var dedentedText: Diagnostic? {
    // libyaml reports the line itself, or where the one after it begins.
    [span.position.line, span.position.line - 1].lazy.compactMap { dedentedText(at: $0) }.first
  }

  private func dedentedText(at number: Int) -> Diagnostic? {
    guard number > 1 else { return nil }
    let own = indentation(of: number)
    var least = Int.max
    for above in stride(from: number - 1, to: max(0, number - 50), by: -1) {
      let text = Line.text(of: above, in: span.file)
      if text.allSatisfy({ $0 == " " }) { continue }
      let key = text.drop { $0 == " " || $0 == "-" }
      let column = text.utf8.count - key.utf8.count
      if let mark = Self.blockMark(ending: text), column < least {
        guard least < Int.max, own < least else { return nil }
        let start = span.file.line(number).lowerBound
        return report(
          "this line belongs to the text below `\(mark)` (line \(above)), and is indented less",
          at: Span(span.file, start..<max(start + 1, start + own)),
          help: "begin it with \(least) spaces: `\(String(repeating: " ", count: least))"
            + "\(Line.text(of: number, in: span.file).drop { $0 == " " })`")
      }
      least = min(least, indentation(of: above))
    }
    return nil
  }

  /// The `|` or `>` at the end of a line, after a key or a `-`.
  private static func blockMark(ending text: String) -> Character? {
    var text = text[...]
    while let last = text.last, " +-0123456789".contains(last) { text.removeLast() }
    guard let mark = text.popLast(), mark == "|" || mark == ">" else { return nil }
    return text.hasSuffix(": ") || text.hasSuffix("- ") ? mark : nil
  }

  private func indentation(of number: Int) -> Int {
    Line.text(of: number, in: span.file).prefix { $0 == " " }.count
  }

  /// Finds the nearest line above with an indentation; `isItem` says whether it must be a list
  /// item.
  private func above(where fits: (Int) -> Bool, isItem: Bool?) -> Int? {
    for number in stride(from: span.position.line - 1, to: max(0, span.position.line - 50), by: -1)
    {
      let text = Line.text(of: number, in: span.file)
      let word = text.drop { $0 == " " }
      if word.isEmpty || word.hasPrefix("#") { continue }
      if let isItem, word.hasPrefix("- ") != isItem { continue }
      if fits(text.count - word.count) { return number }
      if isItem == false { return nil }
    }
    return nil
  }
}
