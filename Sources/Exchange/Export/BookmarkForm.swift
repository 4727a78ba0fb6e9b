import CEL
import ForeignText
import Items
import JSON

/// An item as a bookmark for other programs, with the members that the bookmark cannot hold.
struct BookmarkForm {
  private var url = ""
  private var title = ""
  private var summary = ""
  private(set) var tags: [String] = []
  private var isPrivate = false
  private var createdAt: Timestamp?
  private var updatedAt: Timestamp?
  private let members: [(String, Value)]

  /// Returns the property that holds the address: the identity if it is a URL, or else the first URL.
  static func address(in schema: EntitySchema) -> String? {
    let urls = schema.properties.filter { if case .url = $0.type { true } else { false } }
    return (urls.first { $0.name == schema.identity } ?? urls.first)?.name
  }

  init(_ item: Item, _ writer: ExportWriter) {
    let address = Self.address(in: item.schema)
    var members: [(String, Value)] = []
    for (name, value) in writer.givenMembers(of: item) {
      switch (name, value) {
      // `Link` is the default entity of an import.
      case ("entity", "Link"): continue
      case ("title", .string(let text)): title = text
      case ("summary", .string(let text)): summary = text
      case ("tags", .list(let values)):
        tags = values.compactMap { if case .string(let tag) = $0 { tag } else { nil } }
      case ("private", .bool(let flag)): isPrivate = flag
      case ("createdAt", .timestamp(let moment)): createdAt = moment
      case ("updatedAt", .timestamp(let moment)): updatedAt = moment
      default: break
      }
      if name == address, case .string(let text) = value { url = text }
      members.append((name, value))
    }
    self.members = members
  }

  /// Returns, as JSON, the members that would be lost by writing only `bookmark`; empty if there are none.
  private func rest(beyond bookmark: Bookmark) throws -> String {
    try ExportWriter.rest(of: members, beyond: bookmark.record(.none))
  }

  /// Returns the bookmark as a reader of the written form will see it, with comma-separated tags.
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

  /// The title, or the address of an untitled bookmark.
  private var label: String { title.oneLine.isEmpty ? url : title.oneLine }

  /// Formats the non-empty attributes, each preceded by a space.
  private static func markup(_ attributes: KeyValuePairs<String, String>) -> String {
    attributes.map { $1.isEmpty ? "" : " \($0)=\"\($1.escapedMarkup())\"" }.joined()
  }
}

// MARK: The formats

extension BookmarkForm {
  /// Formats a bookmark in Netscape's format, which every browser imports.
  ///
  /// - Parameter inFolder: Whether it is in a folder of a tag, which an import makes a tag again.
  func netscape(inFolder: Bool = false) throws -> String {
    func seconds(_ moment: Timestamp?) -> String {
      moment.map { $0.seconds > 0 ? String($0.seconds) : "" } ?? ""
    }
    var bookmark = bookmark(created: seconds(createdAt), updated: seconds(updatedAt))
    bookmark.isPrivate = isPrivate
    if inFolder { bookmark.tags = [] }
    let attributes = Self.markup([
      "HREF": url, "ADD_DATE": bookmark.created, "LAST_MODIFIED": bookmark.updated,
      "TAGS": tagList, "PRIVATE": isPrivate ? "1" : "", "DATA-ERRAND": try rest(beyond: bookmark),
    ])
    let note = summary.asParagraph
    return "    <DT><A\(attributes)>\(label.escapedMarkup())</A>\n"
      + (note.isEmpty ? "" : "    <DD>\(note.escapedMarkup(isAttribute: false))\n")
  }

  /// Formats an outline of OPML 2.0.
  func opml() throws -> String {
    var bookmark = bookmark(created: createdAt.flatMap(MailDate.text) ?? "")
    bookmark.tags = TagList.categories(tagList)
    let attributes = Self.markup([
      "text": label, "type": "link", "url": url, "created": bookmark.created,
      "category": tagList, "description": summary.asParagraph,
      "errand:rest": try rest(beyond: bookmark),
    ])
    return "    <outline\(attributes)/>\n"
  }

  /// Formats an item of a Markdown list with its note; tags are in a comment that buku reads, and other members in a
  /// second comment.
  func markdown() throws -> String {
    let isWhole =
      summary.utf8.allSatisfy { $0 != UInt8(ascii: "\r") } && Self.staysNote(summary)
    var bookmark = bookmark(created: "")
    bookmark.notes = isWhole ? [summary] : []
    bookmark.tags = tags.filter(Self.isListable)
    var text = "- [\(Self.escaped(label, "\\[]*_`<>"))](\(address))"
    if !bookmark.tags.isEmpty {
      text += " <!-- TAGS: \(bookmark.tags.joined(separator: ",")) -->"
    }
    text += "\n"
    // A comment ends at the first `-->`, and its content must not look like a link.
    let rest = try rest(beyond: bookmark).replacing(">", with: "\\u003E")
      .replacing("<", with: "\\u003C").replacing("](", with: "]\\u0028")
    if !rest.isEmpty { text += "  <!-- \(rest) -->\n" }
    let note = isWhole ? summary.asParagraph : ""
    guard !note.isEmpty else { return text }
    for line in note.split(separator: "\n", omittingEmptySubsequences: false) {
      text += line.isEmpty ? "\n" : "  \(line)\n"
    }
    return text
  }

  /// Returns whether a note is still read as a note below its bookmark.
  private static func staysNote(_ note: String) -> Bool {
    note.split(separator: "\n").allSatisfy { line in
      !line.hasPrefix("#") && !line.hasPrefix("```") && !line.hasPrefix("~~~")
        && !line.contains("<") && InlineLinks.links(in: String(line)).isEmpty
    }
  }

  /// Returns whether a tag is safe in a comma-separated list in a comment.
  private static func isListable(_ tag: String) -> Bool {
    !tag.isEmpty && tag == tag.trimmingBlanks && !tag.contains("--") && !tag.contains(",")
      && tag.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
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
    // Balanced parentheses need no escaping; buku knows no other form.
    var depth = 0
    for character in url where depth >= 0 {
      if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
    }
    let isPlain = depth == 0 && !url.contains { "<> \\".contains($0) }
    return isPlain ? url : "<\(Self.escaped(url, "<>\\"))>"
  }
}

extension String {
  /// Escapes the text for HTML and XML, dropping control characters.
  ///
  /// - Parameter isAttribute: Whether line breaks and tabs are kept as references.
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
