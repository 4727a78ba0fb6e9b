package import Source
import YAML

/// A possible fix; not verified yet.
package struct Amendment: Sendable {
  /// The title for display.
  package let title: String
  /// The byte range to replace.
  package let range: Range<Int>
  package let text: String
  /// Whether the message suggests only this one.
  package let isCertain: Bool

  /// The bytes with the change.
  package func applied(to bytes: [UInt8]) -> [UInt8] {
    Array(bytes[..<range.lowerBound]) + Array(text.utf8) + Array(bytes[range.upperBound...])
  }
}

/// Derives possible fixes from the help of a diagnostic.
package struct AdviceReader {
  private let diagnostic: Diagnostic
  private let span: Span
  private let help: String
  private let index: DocumentIndex

  /// Creates a reader; nil for a diagnostic without a span or help.
  package init?(_ diagnostic: Diagnostic, _ index: DocumentIndex) {
    guard let span = diagnostic.span, let help = diagnostic.help else { return nil }
    self.diagnostic = diagnostic
    self.span = span
    self.help = help
    self.index = index
  }

  /// Possible fixes in groups of alternatives, the most likely first.
  package var suggestions: [[Amendment]] {
    let parts = help.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    let codes = stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
    if ["did you mean", "choose one of", "the only one"].contains(where: help.hasPrefix) {
      // A long list describes the choices rather than suggesting one.
      let isShort = codes.count <= 4 && !help.hasSuffix("…")
      let quote = span.text.first.flatMap { "'\"".contains($0) ? String($0) : nil } ?? ""
      return isShort
        ? codes.map { [change(quote + $0 + quote, span.range, isCertain: codes.count == 1)] } : []
    }
    var groups: [[Amendment]] = []
    for part in help.split(separator: "\n") {
      guard let colon = part.firstRange(of: ": "),
        part[..<colon.lowerBound].count(where: { $0 == "`" }) % 2 == 0
      else {
        continue
      }
      let line = String(part[colon.upperBound...])
      guard isRewriting(line) else { continue }
      groups.append(places(for: line))
    }
    if let indentation = tabs { groups.append([indentation]) }
    if help.contains("indent it less") {
      groups.append(
        [2, 4, 6].filter { $0 <= indentation(of: line) }.map { count in
          Amendment(
            title: "Indent less", range: line.lowerBound..<line.lowerBound + count, text: "",
            isCertain: false)
        })
    }
    var isSuggested = false
    for index in stride(from: 1, to: parts.count, by: 2) {
      let words = parts[index - 1]
      let isOther = isSuggested && [", ", " or "].contains(where: words.hasSuffix)
      isSuggested = isOther || Self.suggestingWords.contains(where: words.hasSuffix)
      if isSuggested, parts[index].hasSuffix(": …"),
        let site = self.index.site(at: span.range.lowerBound)
      {
        // Only the word is replaced.
        groups.append([change(String(Self.firstWord(parts[index])), site.scalar.span.range)])
      }
      guard isSuggested, !parts[index].contains("…") else { continue }
      // An addition only inserts text.
      let isAdded = words.hasSuffix("add ")
      groups.append(places(for: parts[index]).filter { !isAdded || $0.range.isEmpty })
    }
    if help.contains("remove it") { groups.append(removals) }
    for code in codes where help.contains("remove `\(code)`") {
      groups.append(code == span.text ? removals : removals(of: code))
    }
    return groups.filter { !$0.isEmpty }
  }

  /// Words before a suggested text.
  private static let suggestingWords = [
    "write ", "add ", "with ", ": ", "such as ", "put a line ",
  ]

  /// Whether advice after a colon is code: the line of the diagnostic in another form, or a list or
  /// text in its notation. Prose is neither.
  private func isRewriting(_ text: String) -> Bool {
    guard let first = text.first, !text.contains("` ") else { return false }
    return "[{'\"".contains(first)
      || Self.firstWord(text) == Self.firstWord(span.file.text(in: content))
  }

  /// The indentation of the line in spaces; nil if it has no tab.
  private var tabs: Amendment? {
    let margin = span.file.bytes[line].prefix { $0 == 0x20 || $0 == 0x09 }
    guard diagnostic.id == "yaml-syntax", margin.contains(0x09) else { return nil }
    let spaces = margin.reduce(into: "") { $0 += $1 == 0x09 ? "  " : " " }
    return Amendment(
      title: "Indent with spaces", range: margin.startIndex..<margin.endIndex, text: spaces,
      isCertain: true)
  }

  private func change(_ text: String, _ range: Range<Int>, isCertain: Bool = false) -> Amendment {
    let shown = text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    return Amendment(
      title: range.isEmpty ? "Insert `\(shown)`" : "Change to `\(shown)`", range: range, text: text,
      isCertain: isCertain)
  }

  // MARK: Places

  /// The line of the diagnostic.
  private var line: Range<Int> { span.file.line(span.position.line) }

  private func indentation(of line: Range<Int>) -> Int {
    span.file.bytes[line].prefix { $0 == 0x20 }.count
  }

  /// The line without its indentation and the dashes of items.
  private var content: Range<Int> {
    var start = line.lowerBound + indentation(of: line)
    while start + 1 < line.upperBound, span.file.bytes[start] == UInt8(ascii: "-"),
      span.file.bytes[start + 1] == 0x20
    {
      start += 2
    }
    return start..<line.upperBound
  }

  private static func firstWord(_ text: some StringProtocol) -> Substring {
    Substring(text).drop { $0 == " " || $0 == "-" }.prefix { $0 != ":" && $0 != " " }
  }

  /// A suggested text at all places where it may belong.
  private func places(for text: String) -> [Amendment] {
    var found: [Amendment] = []
    let file = span.file
    let whole = file.text(in: content)
    let isItem = text.hasPrefix("- ")
    let isInItem = content.lowerBound > line.lowerBound + indentation(of: line)
    // A whole line, or the whole of its content.
    if isItem && isInItem || Self.firstWord(text) == Self.firstWord(whole),
      text.contains(" ") || text.hasSuffix(":")
    {
      let start = isItem ? line.lowerBound + indentation(of: line) : content.lowerBound
      found.append(change(text, start..<line.upperBound))
    }
    let isPath = text.hasPrefix("\(span.text).?")
    if !isPath { found.append(change(text, span.range)) }
    // A path continues after the name that may be null.
    if span.range.upperBound < line.upperBound {
      let rest = file.bytes[span.range.upperBound..<line.upperBound].dropFirst()
      let path = rest.firstIndex {
        !($0 >= 0x30 && $0 <= 0x39 || ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A)
      }
      found.append(change(text, span.range.lowerBound..<(path ?? line.upperBound)))
    }
    if let entry = index.sites.first(where: { $0.value?.span.range == span.range }) {
      found.append(change(text, entry.scalar.span.range.lowerBound..<span.range.upperBound))
    }
    if let site = index.site(at: span.range.lowerBound) {
      found.append(change(text, site.scalar.span.range))
      if let value = site.value {
        found.append(change(text, value.span.range))
        if value.span.text.hasSuffix("}") {
          let end = value.span.range.upperBound - 1
          found.append(change(", " + text, end..<end))
        }
      }
      // Within the quotes.
      let close = site.scalar.span.range.upperBound - (site.scalar.style == .plain ? 0 : 1)
      found.append(change(text, close..<close))
    }
    if let colon = whole.firstRange(of: ": ") {
      let start = content.lowerBound + whole[..<colon.upperBound].utf8.count
      found.append(change(text, start..<line.upperBound))
    }
    found.append(change(text, content))
    found.append(change(text, line))
    let end = span.range.upperBound..<span.range.upperBound
    if text.first.map({ "=!<>&|?+".contains($0) }) == true { found.append(change(" " + text, end)) }
    found.append(change(text, end))
    if text.contains(": ") { found.append(change(", " + text, end)) }
    found.append(change(text, line.upperBound..<line.upperBound))
    let margin = String(repeating: " ", count: indentation(of: line))
    let inner = String(repeating: " ", count: content.lowerBound - line.lowerBound)
    found.append(change(":\n\(inner)  \(text)", line.upperBound..<line.upperBound))
    for indent in [inner, margin, inner + "  ", ""] {
      found.append(change("\n" + indent + text, line.upperBound..<line.upperBound))
    }
    found.append(change(margin + text + "\n", line.lowerBound..<line.lowerBound))
    found.append(change(text + "\n", 0..<0))
    return found
  }

  // MARK: Removals

  /// Removals of the diagnostic's span.
  private var removals: [Amendment] { removals(at: span.range) }

  /// Removals of a key named in the help.
  private func removals(of code: String) -> [Amendment] {
    let name = Self.firstWord(code)
    let near = index.sites.filter { $0.mapping != nil && $0.scalar.text == name }
      .min {
        abs($0.scalar.span.range.lowerBound - span.range.lowerBound)
          < abs($1.scalar.span.range.lowerBound - span.range.lowerBound)
      }
    return near.map { removals(at: $0.scalar.span.range) } ?? []
  }

  private func removals(at range: Range<Int>) -> [Amendment] {
    var ranges: [Range<Int>] = []
    let bytes = span.file.bytes
    let site = index.sites.last { $0.scalar.span.range.touches(range.lowerBound) }
    if let site, let value = site.value {
      let entry = range.lowerBound..<max(range.upperBound, value.span.range.upperBound)
      // Removing an entry between braces also removes its comma.
      var end = entry.upperBound
      while end < bytes.count, bytes[end] == 0x20 { end += 1 }
      if end < bytes.count, bytes[end] == UInt8(ascii: ",") {
        end += 1
        while end < bytes.count, bytes[end] == 0x20 { end += 1 }
        ranges.append(entry.lowerBound..<end)
      }
      var start = entry.lowerBound
      while start > 0, bytes[start - 1] == 0x20 { start -= 1 }
      if start > 0, bytes[start - 1] == UInt8(ascii: ",") {
        ranges.append(start - 1..<entry.upperBound)
      }
      ranges.append(lines(of: entry))
    }
    ranges.append(lines(of: range))
    ranges.append(range)
    var spaced = range
    while spaced.lowerBound > 0, bytes[spaced.lowerBound - 1] == 0x20 {
      spaced = spaced.lowerBound - 1..<spaced.upperBound
    }
    ranges.append(spaced)
    return ranges.map { Amendment(title: "Remove", range: $0, text: "", isCertain: false) }
  }

  /// The whole lines of a range.
  private func lines(of range: Range<Int>) -> Range<Int> {
    let file = span.file
    let first = file.line(file.lineNumber(of: range.lowerBound)).lowerBound
    let last = file.line(file.lineNumber(of: max(range.lowerBound, range.upperBound - 1)))
    return first..<min(last.upperBound + 1, file.bytes.count)
  }
}
