import ErrandKit
import Resources

/// A page of the documentation that is part of the program: `errand help TOPIC` shows it.
struct GuidePage {
  /// The topic, such as `failure`.
  let name: String
  private let markdown: String

  /// A part of a page.
  enum Block: Equatable {
    case heading(String)
    case paragraph(String)
    case item(String)
    /// Lines that are shown as they are.
    case code([String])
    /// The cells of each row.
    case table([[String]])
  }

  /// All pages, in reading order.
  static var all: [GuidePage] {
    Resource.all.compactMap { file in
      guard let name = file.path(in: "docs/")?.split(separator: "/").last else { return nil }
      return GuidePage(name: String(name.dropLast(".md".count)), markdown: file.text)
    }
  }

  init(name: String, markdown: String) {
    self.name = name
    self.markdown = markdown
  }

  /// The heading of the page.
  var title: String {
    String(markdown.prefix { $0 != "\n" }.drop { $0 == "#" || $0 == " " })
  }

  /// The blocks of the page as plain text: without comments, link targets and emphasis, but with the
  /// backquotes of code.
  var blocks: [Block] {
    var blocks: [Block] = []
    var lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = lines.popFirst() {
      if line.isEmpty || line.hasPrefix("<!--") { continue }
      if line.hasPrefix("```") {
        let code = lines.prefix { !$0.hasPrefix("```") }
        lines = lines.dropFirst(code.count + 1)
        blocks.append(.code(code.map(String.init)))
      } else if line.hasPrefix("#") {
        blocks.append(.heading(Self.plain(line.drop { $0 == "#" || $0 == " " })))
      } else if line.hasPrefix("|") {
        let rows = [line] + lines.prefix { $0.hasPrefix("|") }
        lines = lines.dropFirst(rows.count - 1)
        blocks.append(.table(rows.compactMap(Self.cells)))
      } else if let text = Self.itemText(line) {
        blocks.append(.item(Self.plain(text)))
      } else {
        blocks.append(.paragraph(Self.plain(line)))
      }
    }
    return blocks
  }

  /// The text of a list item, without its bullet but with its number; nil for other lines.
  private static func itemText(_ line: Substring) -> Substring? {
    let trimmed = line.drop { $0 == " " }
    if trimmed.hasPrefix("- ") || trimmed.hasPrefix("* ") { return trimmed.dropFirst(2) }
    let digits = trimmed.prefix { $0.isNumber }
    return digits.isEmpty || !trimmed.dropFirst(digits.count).hasPrefix(". ") ? nil : trimmed
  }

  /// The cells of a table row; nil for the delimiter row and an empty header.
  private static func cells(_ line: Substring) -> [String]? {
    var cells = [""]
    var isEscaped = false
    for character in line.dropFirst() {
      if character == "|", !isEscaped {
        cells.append("")
      } else if character != "\\" || isEscaped {
        cells[cells.count - 1].append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    let texts = cells.dropLast().map { plain($0[...]) }
    let isRow = texts.contains { text in text.contains { $0 != "-" && $0 != ":" && $0 != " " } }
    return isRow ? texts : nil
  }

  /// Inline Markdown as plain text, without link targets and emphasis.
  private static func plain(_ text: Substring) -> String {
    var result = ""
    var isCode = false
    var rest = text.drop { $0 == " " }
    while let character = rest.popFirst() {
      if character == "`" { isCode.toggle() }
      if isCode {
        result.append(character)
      } else if character == "*", result.last != " " || rest.first != " " {
        continue
      } else if character == "]", rest.first == "(", let end = rest.firstIndex(of: ")") {
        rest = rest[rest.index(after: end)...]
      } else if character == "[", rest.contains("](") {
        continue
      } else {
        result.append(character)
      }
    }
    while result.last == " " { result.removeLast() }
    return result
  }
}
