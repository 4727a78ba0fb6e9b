import CEL
import Items
import JSON

/// Items as a list in Markdown, with tags, dates and notes; what has no place there stands in
/// comments, which are not shown.
struct MarkdownWriter: ItemWriter {
  private let writer: ExportWriter

  init(_ writer: ExportWriter) {
    self.writer = writer
  }

  func beginning() -> String { "# Bookmarks\n\n" }

  func text(of item: Item) throws -> String {
    let form = BookmarkForm(item, writer)
    var bookmark = Bookmark(number: 0)
    bookmark.url = form.url
    bookmark.title = form.title
    let isWhole =
      form.summary.utf8.allSatisfy { $0 != UInt8(ascii: "\r") } && Self.canStand(form.summary)
    bookmark.notes = isWhole ? [form.summary] : []
    bookmark.tags = form.tags.allSatisfy(Self.isWord) ? form.tags : []
    bookmark.created = form.createdAt?.jsonText ?? ""
    let title = ForeignText.line(form.title)
    var text = "- [\(Self.escaped(title.isEmpty ? form.url : title))](\(Self.address(form.url)))"
    for tag in bookmark.tags { text += " #\(tag)" }
    if !bookmark.created.isEmpty { text += " (\(bookmark.created))" }
    // A comment ends at the first `-->`.
    let rest = try form.rest(beyond: bookmark).split(
      separator: ">", omittingEmptySubsequences: false)
    if rest != [""] { text += " <!-- \(rest.joined(separator: "\\u003E")) -->" }
    text += "\n"
    if isWhole {
      let note = ForeignText.paragraph(form.summary)
      if !note.isEmpty {
        for line in note.split(separator: "\n", omittingEmptySubsequences: false) {
          text += line.isEmpty ? "\n" : "  \(line)\n"
        }
      }
    }
    return text
  }

  func ending() -> String { "" }

  /// Whether a note stays a note when it is written below its bookmark.
  private static func canStand(_ note: String) -> Bool {
    note.split(separator: "\n").allSatisfy { line in
      !line.hasPrefix("#") && !line.hasPrefix("```") && !line.hasPrefix("~~~")
        && InlineLinks.links(in: String(line)).isEmpty
    }
  }

  private static func isWord(_ tag: String) -> Bool {
    !tag.isEmpty && !tag.hasPrefix("#")
      && tag.unicodeScalars.allSatisfy {
        !$0.properties.isWhitespace && $0.value > 0x20 && !(0x7F..<0xA0).contains($0.value)
      } && !tag.contains("<!--")
  }

  private static func escaped(_ title: String) -> String {
    var result = ""
    for character in title {
      if "\\[]*_`<>".contains(character) { result += "\\" }
      result.append(character)
    }
    return result
  }

  private static func address(_ url: String) -> String {
    guard url.contains(where: { "()<> \\".contains($0) }) else { return url }
    var result = "<"
    for character in url {
      if "<>\\".contains(character) { result += "\\" }
      result.append(character)
    }
    return result + ">"
  }
}
