import CEL
import ForeignText

/// Reads a file that is one link: `.url` of Windows, `.desktop` of Linux, `.webloc` of macOS.
enum LinkFileRecords {
  /// - Parameter name: The name of the file, by default the title.
  static func records(_ bytes: [UInt8], name: String, _ folderTags: FolderTags) -> [ImportRecord] {
    var fields = ForeignFields(Self.fields(of: bytes))
    var bookmark = Bookmark(number: 1)
    bookmark.url = fields.text("url")
    bookmark.title = fields.text("name")
    if bookmark.title.isEmpty {
      let file = name.split(separator: "/").last ?? ""
      bookmark.title = String(file.lastIndex(of: ".").map { file[..<$0] } ?? file)
    }
    bookmark.notes = [fields.text("comment")]
    // What a desktop needs to show it.
    fields.pass("type", "version", "encoding", "icon", "iconfile", "iconindex")
    bookmark.losses = fields.losses()
    return [bookmark.record(folderTags)]
  }

  private static func fields(of bytes: [UInt8]) -> MapValue {
    if case .map(let map)? = (try? PropertyList.value(of: bytes))?.value {
      return MapValue(map.entries.map { ($0.key.text.lowercased(), $0.value) })
    }
    var fields = MapValue()
    for line in String(foreign: bytes).split(whereSeparator: \.isNewline) {
      guard line.first != "#", line.first != ";", line.first != "[",
        let mark = line.firstIndex(of: "=")
      else { continue }
      let name = String(line[..<mark]).trimmingBlanks.lowercased()
      if fields[name] == nil {
        fields[name] = .string(String(line[line.index(after: mark)...]).trimmingBlanks)
      }
    }
    return fields
  }
}

/// Reads the bookmarks of Delicious, and of Pinboard, in XML: an element `post` each.
struct PostRecords: RecordReader {
  private var scanner: MarkupScanner
  private let folderTags: FolderTags
  private(set) var leftovers = Leftovers()

  init(_ window: ByteWindow, _ folderTags: FolderTags) {
    scanner = MarkupScanner(window, .bookmarks)
    self.folderTags = folderTags
  }

  mutating func next() -> ImportRecord? {
    while let token = scanner.next(wantsText: false) {
      switch token {
      case .start(let tag) where tag.name == "post":
        var bookmark = Bookmark(number: tag.line)
        leftovers.account(
          for: tag.attributes, of: tag.name, passingOver: PassedOver.fields, line: tag.line
        ) { name, value in
          let field = name == "description" ? .title : BookmarkField(name)
          return field.map { bookmark.take(value, as: $0, tagSeparator: .spaces) } ?? false
        }
        return bookmark.record(folderTags)
      case .cutOff:
        let reason = "the file ends in the middle of a tag"
        return ImportRecord(number: scanner.window.line, content: .damage(reason))
      case .text(let text) where text.contains(where: { !$0.isWhitespace }):
        leftovers.note(.text, line: scanner.window.line)
      case .start(let tag) where tag.name != "posts":
        leftovers.note(.element(tag.name), line: tag.line)
      default: continue
      }
    }
    return nil
  }
}
