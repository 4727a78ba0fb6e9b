/// Converts HTML to plain text, with or without URLs of links, or to Markdown (CommonMark 0.31).
///
/// It accepts any text and never fails: an unclosed tag ends with the text, and a stray end tag is
/// ignored. Content such as scripts is omitted.
package struct HTMLText {
  /// Output format.
  package enum Form {
    case text, markdown
    /// Plain text with the URL of a link after its words, as `<https://swift.org>`.
    case addressedText
  }

  private let form: Form
  private var out = TextFlow()
  /// Open lists, innermost last: the number of the next item, or nil for bullets.
  private var lists: [Int?] = []
  /// Targets of the open links, innermost last.
  private var links: [String] = []
  /// Text of the innermost link so far.
  private var linkWords = ""
  /// Nesting depth of `pre`.
  private var preformatted = 0
  /// Nesting depth of `code`, in which nothing is escaped.
  private var codes = 0
  /// Whether the row of a table has a cell already.
  private var hasCell = false
  /// Number of rows in the table, and of cells in the last one.
  private var rows = 0
  private var cells = 0

  /// Maximum indentation depth of lists and quotations.
  private static let depthLimit = 20

  private init(_ form: Form) { self.form = form }

  /// Converts an HTML text.
  package static func text(of html: String, as form: Form) -> String {
    var reader = HTMLText(form)
    var scanner = MarkupScanner(html, .html)
    while let token = scanner.next() {
      switch token {
      case .text(let text): reader.write(text)
      case .start(let tag) where HTMLElement.isNeverShown(tag.name):
        scanner.skipContent(of: tag.name)
      case .start(let tag): reader.begin(tag.name, tag)
      case .end(let name): reader.end(name)
      case .cutOff: break
      }
    }
    return reader.out.finished
  }

  private var isMarkdown: Bool { form == .markdown }

  // MARK: Text

  private mutating func write(_ text: String) {
    if !links.isEmpty { linkWords += text }
    guard preformatted == 0 else { return out.writeLines(text) }
    out.writeWords(isMarkdown && codes == 0 ? Self.escaped(text) : text)
  }

  /// Escapes characters that Markdown would interpret.
  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: isSpecial) else { return text }
    var result = ""
    for character in text {
      if let byte = character.asciiValue, isSpecial(byte) { result += "\\" }
      result.append(character)
    }
    return result
  }

  private static func isSpecial(_ byte: UInt8) -> Bool { "\\`*_[]<>#|~".utf8.contains(byte) }

  // MARK: Elements

  private mutating func begin(_ name: String, _ attributes: MarkupScanner.Tag) {
    switch name {
    case "br": out.breakLine()
    case "hr":
      out.beginBlock(gap: 2)
      if isMarkdown { out.writeMark("---") }
      out.beginBlock(gap: 2)
    case "h1", "h2", "h3", "h4", "h5", "h6":
      out.beginBlock(gap: 2)
      if isMarkdown, let level = name.last?.wholeNumberValue {
        out.writeMark(String(repeating: "#", count: level) + " ")
      }
    case "ul", "ol":
      out.beginBlock(gap: lists.isEmpty ? 2 : 1)
      if lists.count < Self.depthLimit {
        let start = attributes["start"].flatMap { Int($0) } ?? 1
        lists.append(name == "ol" ? start : nil)
        out.indent("", named: "list", limit: Self.depthLimit * 2)
      }
    case "li": item()
    case "blockquote":
      out.beginBlock(gap: 2)
      if isMarkdown { out.indent("> ", limit: Self.depthLimit) }
    case "pre":
      out.beginBlock(gap: 2)
      preformatted += 1
      if isMarkdown {
        out.writeMark("```")
        out.beginBlock(gap: 1)
      }
    case "tr":
      endRow()
      out.beginBlock(gap: 1)
      hasCell = false
      cells = 0
    case "td", "th":
      if hasCell || isMarkdown { out.writeMark(isMarkdown ? (hasCell ? " | " : "| ") : "\t") }
      hasCell = true
      cells += 1
    case "a":
      links.append(attributes["href"] ?? "")
      linkWords = ""
      if isMarkdown, links.last != "" { out.open("[") }
    case "img": image(attributes)
    case "strong", "b": if isMarkdown { out.open("**") }
    case "em", "i": if isMarkdown { out.open("*") }
    case "code":
      codes += 1
      if isMarkdown, preformatted == 0 { out.open("`") }
    case "table":
      out.beginBlock(gap: 2)
      rows = 0
    default: handleBlock(name)
    }
  }

  private mutating func end(_ name: String) {
    switch name {
    case "ul", "ol":
      if !lists.isEmpty { lists.removeLast() }
      out.outdent("li")
      out.outdent("list")
      out.beginBlock(gap: lists.isEmpty ? 2 : 1)
    case "li":
      out.outdent("li")
      out.beginBlock(gap: 1)
    case "blockquote":
      if isMarkdown { out.outdent("> ") }
      out.beginBlock(gap: 2)
    case "pre":
      guard preformatted > 0 else { return }
      preformatted -= 1
      if isMarkdown {
        out.beginBlock(gap: 1)
        out.writeMark("```")
      }
      out.beginBlock(gap: 2)
    case "tr", "thead", "tbody", "tfoot": endRow()
    case "table":
      endRow()
      out.beginBlock(gap: 2)
    case "a":
      guard let link = links.popLast(), !link.isEmpty else { return }
      if isMarkdown { out.close("](\(Self.destination(link)))", opening: "[") }
      if form == .addressedText { addAddress(link) }
    case "strong", "b": if isMarkdown { out.close("**", opening: "**") }
    case "em", "i": if isMarkdown { out.close("*", opening: "*") }
    case "code":
      guard codes > 0 else { return }
      codes -= 1
      if isMarkdown, preformatted == 0 { out.close("`", opening: "`") }
    case "td", "th": break
    default: handleBlock(name)
    }
  }

  /// Handles the start or end of an element without special treatment.
  private mutating func handleBlock(_ name: String) {
    // A table cell is a single line.
    if hasCell { return out.writeWords(HTMLElement.gap(name) > 0 ? " " : "") }
    out.beginBlock(gap: HTMLElement.gap(name))
  }

  private mutating func item() {
    out.outdent("li")
    out.beginBlock(gap: 1)
    guard let last = lists.indices.last else { return out.writeMark("- ", isBeginning: true) }
    let mark = lists[last].map { "\($0). " } ?? "- "
    if let number = lists[last] { lists[last] = number &+ 1 }
    out.writeMark(mark, isBeginning: true)
    out.indent(String(repeating: " ", count: mark.count), named: "li", limit: Self.depthLimit)
  }

  private mutating func image(_ attributes: MarkupScanner.Tag) {
    let name = attributes["alt"] ?? ""
    guard isMarkdown else { return out.writeWords(name) }
    guard let source = attributes["src"], !source.isEmpty else { return }
    out.writeWords("![\(Self.escaped(name))](\(Self.destination(source)))")
  }

  /// Writes the URL of a link, in the form of RFC 3986 appendix C, unless it is also the link's
  /// text.
  private mutating func addAddress(_ link: String) {
    let address = link.filter { !$0.isWhitespace }
    let begin = address.prefix(8).lowercased()
    guard begin.hasPrefix("http://") || begin.hasPrefix("https://"),
      linkWords.filter({ !$0.isWhitespace }) != address
    else { return }
    out.writeWords(" <\(address)>")
  }

  private mutating func endRow() {
    guard hasCell else { return }
    hasCell = false
    rows += 1
    if isMarkdown {
      out.writeMark(" |")
      if rows == 1 {
        out.beginBlock(gap: 1)
        out.writeMark("|" + String(repeating: " --- |", count: cells))
      }
    }
    out.beginBlock(gap: 1)
  }

  /// The target of a link, escaped for CommonMark (§4.7).
  private static func destination(_ link: String) -> String {
    let isPlain = !link.unicodeScalars.contains {
      " ()<>\\".unicodeScalars.contains($0) || $0.value < 33
    }
    if isPlain { return link }
    let kept = link.filter { !"<>\\\n\r".contains($0) }
    return "<\(kept)>"
  }
}

/// Text that is written word by word into lines and blocks, with indentation.
struct TextFlow {
  private var text = ""
  /// Prefixes of each line, by the names that end them.
  private var indents: [(name: String, text: String)] = []
  /// Number of line breaks before the next text.
  private var gap = 0
  /// Whether the next text of the line needs a space before it.
  private var needsSpace = false
  /// Whether the first block continues the current line.
  private var isBeginning = false
  /// Marks that are written before the next word.
  private var pendingMarks = ""

  /// The whole text, trimmed.
  var finished: String {
    var bytes = text.utf8[...]
    while let last = bytes.last, last == 0x20 || last == 0x0A { bytes = bytes.dropLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Starts a line (`gap` 1) or a block after an empty line (2); 0 continues the line.
  mutating func beginBlock(gap: Int) {
    guard gap > 0, !isBeginning else { return }
    self.gap = max(self.gap, gap)
    needsSpace = false
  }

  /// Ends the line; a second call adds an empty line.
  mutating func breakLine() {
    gap = min(gap + 1, 2)
    needsSpace = false
  }

  /// Writes words, collapsing white space.
  mutating func writeWords(_ words: String) {
    var word = ""
    for scalar in words.unicodeScalars {
      // HTML white space; a no-break space is an ordinary character.
      guard scalar == " " || (0x09...0x0D).contains(scalar.value) else {
        word.unicodeScalars.append(scalar)
        continue
      }
      flush(&word)
      needsSpace = true
    }
    flush(&word)
  }

  private mutating func flush(_ word: inout String) {
    guard !word.isEmpty else { return }
    begin()
    text += word
    word = ""
  }

  /// Writes preformatted text.
  mutating func writeLines(_ lines: String) {
    let lines = lines.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      if index > 0 { gap += 1 }
      guard !line.isEmpty else { continue }
      begin()
      text += line
    }
  }

  /// Writes a mark that is not a word at the current position.
  ///
  /// - Parameter isBeginning: whether the first block after it continues its line, as after a list
  ///   bullet.
  mutating func writeMark(_ mark: String, isBeginning: Bool = false) {
    needsSpace = false
    begin()
    text += mark
    self.isBeginning = isBeginning
  }

  /// Writes a mark directly before the next word.
  mutating func open(_ mark: String) { pendingMarks += mark }

  /// Writes a mark directly after the last word; if nothing follows the opening mark, both are
  /// dropped.
  mutating func close(_ mark: String, opening: String) {
    if pendingMarks.hasSuffix(opening) {
      pendingMarks.removeLast(opening.count)
    } else {
      text += mark
    }
  }

  private mutating func begin() {
    if !text.isEmpty {
      for _ in 0..<gap {
        while text.utf8.last == 0x20 { text.removeLast() }
        text += "\n" + indents.map(\.text).joined()
      }
    } else {
      text += indents.map(\.text).joined()
    }
    if needsSpace, gap == 0, let last = text.utf8.last, last != 0x20, last != 0x0A { text += " " }
    needsSpace = false
    isBeginning = false
    gap = 0
    text += pendingMarks
    pendingMarks = ""
  }

  /// Adds a prefix to each following line.
  mutating func indent(_ text: String, named name: String? = nil, limit: Int) {
    if indents.count < limit { indents.append((name ?? text, text)) }
  }

  /// Ends the innermost indentation if it has this name.
  mutating func outdent(_ name: String) {
    if indents.last?.name == name { indents.removeLast() }
  }
}
