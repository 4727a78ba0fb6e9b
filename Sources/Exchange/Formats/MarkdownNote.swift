import CEL
import ForeignText
import Source
import YAML

/// Reads a note in Markdown with its properties, as Obsidian and others write them before the text and Notion below the
/// title. One with an address is a link, and the text its summary.
struct MarkdownNote {
  private var note = ForeignNote(number: 1)
  private var fields = ForeignFields(MapValue())
  private var body: Substring

  static func records(_ bytes: [UInt8], name: String, _ folderTags: FolderTags) -> [ImportRecord] {
    var reader = MarkdownNote(String(foreign: bytes).replacing("\r\n", with: "\n"), name)
    return reader.records(folderTags, name)
  }

  private init(_ text: String, _ name: String) {
    body = text[...]
    if let (matter, rest) = Self.frontMatter(text) {
      if let values = Self.values(matter) {
        (fields, body) = (ForeignFields(values), rest)
      } else {
        note.losses.append("its properties are not valid YAML and are kept as text")
      }
    } else if Self.hasNotionName(name) {
      takeNotion()
    }
  }

  private mutating func records(_ folderTags: FolderTags, _ name: String) -> [ImportRecord] {
    let title = fields.text("title", "name")
    if !title.isEmpty { note.title = title }
    for field in ["tags", "tag", "keywords", "categories"] {
      note.tags += TagList.tags(fields.take(field)).map { $0.drop { $0 == "#" } }.map(String.init)
    }
    note.created = fields.date("created", "created_at", "createdat", "date", "created time")
    note.updated = fields.date("updated", "modified", "updated_at", "updatedat", "last edited time")
    let url = fields.text("url", "link")
    note.url = fields.text("source")
    note.paragraphs = [fields.text("description", "summary"), String(body)].filter { !$0.isEmpty }
    note.tags += Self.inlineTags(body)
    guard url.isEmpty else {
      if !note.url.isEmpty { note.losses.append("`source` was left out") }
      var bookmark = Bookmark(number: 1)
      bookmark.url = url
      bookmark.title = note.title
      bookmark.notes = note.paragraphs
      bookmark.tags = note.tags
      bookmark.isFavourite = fields.flag("favorite", "favourite", "starred")
      if !note.created.isNull { bookmark.created = note.created.inJSON.text }
      if !note.updated.isNull { bookmark.updated = note.updated.inJSON.text }
      bookmark.losses = note.losses + fields.losses()
      return [bookmark.record(folderTags)]
    }
    note.isPinned = fields.flag("pinned")
    note.losses += fields.losses()
    let file = Self.title(ofFile: name)
    if note.title.isEmpty, !body.drop(while: \.isWhitespace).hasPrefix("# ") { note.title = file }
    return note.records()
  }

  // MARK: Properties

  /// The properties before a text, and the text; nil if it has none.
  static func frontMatter(_ text: String) -> (matter: Substring, rest: Substring)? {
    guard text.hasPrefix("---\n"), let end = text.dropFirst(3).firstRange(of: "\n---") else {
      return nil
    }
    let rest = text[end.upperBound...]
    guard rest.isEmpty || rest.first == "\n" || rest.first == " " else { return nil }
    let matter = text[
      text.index(
        text.startIndex, offsetBy: 4)..<max(
          end.lowerBound, text.index(text.startIndex, offsetBy: 4))]
    return (matter, rest.drop { $0 != "\n" })
  }

  /// The values of properties by their names in lower case; nil for a text that is not YAML.
  private static func values(_ text: Substring) -> MapValue? {
    if text.allSatisfy(\.isWhitespace) { return MapValue() }
    let file = SourceFile(name: "", text: String(text) + "\n")
    guard let node = try? DocumentSlice(whole: file).parse(), let mapping = node.mapping else {
      return nil
    }
    return MapValue(mapping.entries.map { ($0.key.text.lowercased(), value(of: $0.value)) })
  }

  private static func value(of node: Node) -> Value {
    if let scalar = node.scalar {
      switch scalar.text.lowercased() {
      case "true": return true
      case "false": return false
      case "null", "~": return .null
      default: return .string(scalar.text)
      }
    }
    if let nodes = node.sequence { return .list(nodes.map(value)) }
    return .map(MapValue((node.mapping?.entries ?? []).map { ($0.key.text, value(of: $0.value)) }))
  }

  // MARK: Notion

  /// Whether a file is named as Notion does: a title, and 32 hexadecimal digits.
  static func hasNotionName(_ name: String) -> Bool {
    let stem = name.prefix { _ in true }.dropLast(name.hasSuffix(".md") ? 3 : 0)
    let id = stem.suffix(32)
    return id.count == 32 && id.allSatisfy(\.isHexDigit) && stem.dropLast(32).last == " "
  }

  /// Takes the title and the lines `Name: value` below it.
  private mutating func takeNotion() {
    var lines = body.split(separator: "\n", omittingEmptySubsequences: false)[...]
    guard let first = lines.first, first.hasPrefix("# ") else { return }
    note.title = String(first.dropFirst(2))
    lines = lines.dropFirst().drop { $0.allSatisfy(\.isWhitespace) }
    var found: [(String, Value)] = []
    var rest = lines
    while let line = rest.first, !line.isEmpty, let colon = line.firstRange(of: ": ") {
      found.append(
        (line[..<colon.lowerBound].lowercased(), .string(String(line[colon.upperBound...]))))
      rest = rest.dropFirst()
    }
    // Properties end with an empty line; other lines are text.
    if rest.first?.isEmpty ?? true { lines = rest } else { found = [] }
    fields = ForeignFields(MapValue(found))
    body = lines.joined(separator: "\n")[...]
  }

  /// The title that the name of a file is.
  private static func title(ofFile name: String) -> String {
    var title = name.split(separator: "/").last.map(String.init) ?? ""
    if let dot = title.lastIndex(of: "."), dot > title.startIndex { title = String(title[..<dot]) }
    return hasNotionName(title) ? String(title.dropLast(33)) : title
  }

  // MARK: Text

  /// The tags in a text, such as `#people/friends`, outside of code.
  private static func inlineTags(_ text: Substring) -> [String] {
    var tags: [String] = []
    var fence: String?
    for line in text.split(separator: "\n") where line.contains("#") || line.contains("```") {
      let trimmed = line.drop(while: \.isWhitespace)
      if trimmed.hasPrefix("```") {
        fence = fence == nil ? "```" : nil
        continue
      }
      guard fence == nil else { continue }
      for word in trimmed.split(whereSeparator: { $0.isWhitespace || "()[],;".contains($0) }) {
        guard word.first == "#" else { continue }
        let tag = word.dropFirst().prefix {
          $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "/"
        }
        if tag.contains(where: { !$0.isNumber }) { tags.append(String(tag)) }
      }
    }
    return tags
  }
}
