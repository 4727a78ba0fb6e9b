import CEL
import ForeignText
import Items
import JSON

/// An item as a bookmark that other programs know, and what such a bookmark has no place for.
struct BookmarkForm {
  private var url = ""
  private var title = ""
  private var summary = ""
  private var tags: [String] = []
  private var createdAt: Timestamp?
  private var updatedAt: Timestamp?
  private let members: [(String, Value)]

  /// The property that holds the address: the identity, or else the first URL.
  static func address(in schema: EntitySchema) -> String? {
    let urls = schema.properties.filter { if case .url = $0.type { true } else { false } }
    return (urls.first { $0.name == schema.identity } ?? urls.first)?.name
  }

  init(_ item: Item, _ writer: ExportWriter) {
    let address = Self.address(in: item.schema)
    var members: [(String, Value)] = []
    for (name, value) in writer.members(of: item) {
      switch (name, value) {
      case ("id", _), ("ref", _), ("isNew", _): continue
      // What is taken in without an entity is a link.
      case ("entity", "Link"): continue
      case ("title", .string(let text)): title = text
      case ("summary", .string(let text)): summary = text
      case ("tags", .list(let values)):
        tags = values.compactMap { if case .string(let tag) = $0 { tag } else { nil } }
      case ("createdAt", .timestamp(let moment)): createdAt = moment
      case ("updatedAt", .timestamp(let moment)): updatedAt = moment
      default: break
      }
      if name == address, case .string(let text) = value { url = text }
      if let property = item.schema.properties.first(where: { $0.name == name }) {
        let usual = property.defaultValue ?? .null
        if value == usual || value.isNull && property.defaultValue == nil { continue }
      }
      members.append((name, value))
    }
    self.members = members
  }

  /// What would be lost if `bookmark` were all that is written: the members that reading it does
  /// not give, as JSON; empty when there are none.
  private func rest(beyond bookmark: Bookmark) throws -> String {
    var known = MapValue()
    if case .item(.map(let map)) = bookmark.record(.none).content { known = map }
    var missing = MapValue()
    for (name, value) in members {
      let written: Value =
        if case .timestamp(let moment) = value { .string(moment.jsonText) } else { value }
      if known[name] != written { missing[name] = written }
    }
    for entry in known.entries {
      guard case .string(let name) = entry.key else { continue }
      // A title that only its address gave, and the like.
      if !members.contains(where: { $0.0 == name }) { missing[name] = .null }
    }
    return missing.entries.isEmpty ? "" : try JSONWriter().text(of: .map(missing))
  }

  /// The bookmark that a reader makes of what is written, with tags between commas.
  private func bookmark(created: String, updated: String = "") -> Bookmark {
    var bookmark = Bookmark(number: 0)
    bookmark.url = url
    bookmark.title = title
    bookmark.notes = [summary]
    bookmark.tags = TagList.tags(tagList, .commas)
    bookmark.created = created
    bookmark.updated = updated
    return bookmark
  }

  private var tagList: String { tags.joined(separator: ",") }

  /// What the bookmark is called; its address where it has no title.
  private var label: String { title.oneLine.isEmpty ? url : title.oneLine }

  /// Attributes that say something, each with a space before it.
  private static func markup(_ attributes: KeyValuePairs<String, String>) -> String {
    attributes.map { $1.isEmpty ? "" : " \($0)=\"\($1.escapedMarkup())\"" }.joined()
  }
}

// MARK: The formats

extension BookmarkForm {
  /// A bookmark of the file that every browser takes in.
  func netscape() throws -> String {
    func seconds(_ moment: Timestamp?) -> String {
      moment.map { $0.seconds > 0 ? String($0.seconds) : "" } ?? ""
    }
    let bookmark = bookmark(created: seconds(createdAt), updated: seconds(updatedAt))
    let attributes = Self.markup([
      "HREF": url, "ADD_DATE": bookmark.created, "LAST_MODIFIED": bookmark.updated,
      "TAGS": tagList, "DATA-ERRAND": try rest(beyond: bookmark),
    ])
    let note = summary.asParagraph
    return "    <DT><A\(attributes)>\(label.escapedMarkup())</A>\n"
      + (note.isEmpty ? "" : "    <DD>\(note.escapedMarkup(isAttribute: false))\n")
  }

  /// An outline of OPML 2.0.
  func opml() throws -> String {
    let bookmark = bookmark(created: createdAt.flatMap(MailDate.text) ?? "")
    let attributes = Self.markup([
      "text": label, "type": "link", "url": url, "created": bookmark.created,
      "category": tagList, "description": summary.asParagraph,
      "errand:rest": try rest(beyond: bookmark),
    ])
    return "    <outline\(attributes)/>\n"
  }

  /// An item of a list in Markdown, with tags, date and note; what has no place there stands in a
  /// comment, which is not shown.
  func markdown() throws -> String {
    let isWhole =
      summary.utf8.allSatisfy { $0 != UInt8(ascii: "\r") } && Self.canStand(summary)
    var bookmark = bookmark(created: createdAt?.jsonText ?? "")
    bookmark.notes = isWhole ? [summary] : []
    bookmark.tags = tags.allSatisfy(Self.isWord) ? tags : []
    var text = "- [\(Self.escaped(label, "\\[]*_`<>"))](\(address))"
    for tag in bookmark.tags { text += " #\(tag)" }
    if !bookmark.created.isEmpty { text += " (\(bookmark.created))" }
    // A comment ends at the first `-->`.
    let rest = try rest(beyond: bookmark).replacing(">", with: "\\u003E")
    if !rest.isEmpty { text += " <!-- \(rest) -->" }
    text += "\n"
    let note = isWhole ? summary.asParagraph : ""
    guard !note.isEmpty else { return text }
    for line in note.split(separator: "\n", omittingEmptySubsequences: false) {
      text += line.isEmpty ? "\n" : "  \(line)\n"
    }
    return text
  }

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

  private static func escaped(_ text: String, _ marks: String) -> String {
    var result = ""
    for character in text {
      if marks.contains(character) { result += "\\" }
      result.append(character)
    }
    return result
  }

  private var address: String {
    url.contains { "()<> \\".contains($0) } ? "<\(Self.escaped(url, "<>\\"))>" : url
  }
}

extension String {
  /// The text for HTML and XML, without control characters, which neither can hold.
  ///
  /// - Parameter isAttribute: Whether line breaks are kept as references.
  func escapedMarkup(isAttribute: Bool = true) -> String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += isAttribute ? "&#10;" : "\n"
      case "\t": result += isAttribute ? "&#9;" : "\t"
      default:
        if scalar.value >= 0x20, !(0x7F..<0xA0).contains(scalar.value) {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }
}
