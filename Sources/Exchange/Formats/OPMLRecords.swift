import ForeignText

/// Reads OPML outlines, as written by feed readers and outliners.
struct OPMLRecords: RecordReader {
  private var scanner: MarkupScanner
  private let folderTags: FolderTags
  /// The names of the open outlines; nil for those that are bookmarks.
  private var open: [String?] = []
  /// The number of open outlines beyond `maxDepth`.
  private var surplus = 0
  private var isAtEnd = false
  private(set) var leftovers = Leftovers()
  /// Whether the scanner is in the head of the file.
  private var isInHead = false

  private static let maxDepth = 1000

  init(_ window: ByteWindow, _ folderTags: FolderTags) {
    scanner = MarkupScanner(window, .bookmarks)
    self.folderTags = folderTags
  }

  mutating func next() -> ImportRecord? {
    while !isAtEnd, let token = scanner.next(wantsText: false) {
      switch token {
      case .start(let tag) where tag.name == "outline":
        if let record = start(tag) { return record }
      case .start(let tag):
        if tag.name == "head" { isInHead = true }
        if tag.name == "body" { isInHead = false }
        if !Self.frame.contains(tag.name), !isInHead {
          leftovers.note(.element(tag.name), line: tag.line)
        }
      case .text:
        if !isInHead { leftovers.note(.text, line: scanner.window.line) }
      case .end("head"): isInHead = false
      case .end("outline"):
        if surplus > 0 { surplus -= 1 } else { _ = open.popLast() }
      case .cutOff:
        isAtEnd = true
        return ImportRecord(
          number: scanner.window.line, content: .damage("the file ends in the middle of a tag"))
      default: break
      }
    }
    if !isAtEnd, !open.isEmpty {
      isAtEnd = true
      return ImportRecord(
        number: scanner.window.line,
        content: .damage("the file ends with \(open.count + surplus) unclosed outlines"))
    }
    return nil
  }

  /// The elements around the outlines.
  private static let frame: Set<String> = ["opml", "head", "body"]

  private mutating func start(_ tag: MarkupScanner.Tag) -> ImportRecord? {
    // Prefer the site of a feed, which is the page to open.
    let addresses = [tag["htmlurl"], tag["url"], tag["xmlurl"], tag["href"]].compactMap { $0 }
    let address = addresses.first { !$0.isEmpty }
    var bookmark = Bookmark(number: tag.line)
    bookmark.title = [tag["title"], tag["text"]].compactMap { $0 }.first { !$0.isEmpty } ?? ""
    bookmark.url = address ?? ""
    bookmark.folders = open.compactMap { $0 }
    leftovers.account(
      for: tag.attributes, of: tag.name, passingOver: PassedOver.outline, line: tag.line
    ) { name, value in
      switch name {
      case "title", "text": return value == bookmark.title
      case "htmlurl", "url", "href", "xmlurl": return value == address
      case "errand", "errand:rest":
        bookmark.rest = value
        return address != nil
      case _ where address == nil: return false
      case "description", "_note": bookmark.notes.append(value)
      case "created": bookmark.created = value
      case "category": bookmark.tags = TagList.categories(value)
      default: return false
      }
      return true
    }
    if !tag.isClosed {
      if open.count < Self.maxDepth {
        open.append(address == nil ? bookmark.title : nil)
      } else {
        surplus += 1
      }
    } else if address == nil, !bookmark.title.isEmpty {
      leftovers.note(.text, line: tag.line)
    }
    return address == nil ? nil : bookmark.record(folderTags)
  }
}
