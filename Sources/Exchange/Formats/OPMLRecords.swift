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

  private mutating func start(_ tag: MarkupScanner.Tag) -> ImportRecord? {
    let title = [tag["title"], tag["text"]].compactMap { $0 }.first { !$0.isEmpty } ?? ""
    // Prefer the site of a feed, which is the page to open.
    let addresses = [tag["htmlurl"], tag["url"], tag["xmlurl"], tag["href"]].compactMap { $0 }
    let address = addresses.first { !$0.isEmpty }
    var bookmark = Bookmark(number: tag.line)
    bookmark.folders = open.compactMap { $0 }
    if !tag.isClosed {
      if open.count < Self.maxDepth {
        open.append(address == nil ? title : nil)
      } else {
        surplus += 1
      }
    }
    guard let address else { return nil }
    bookmark.url = address
    bookmark.title = title
    bookmark.notes = [tag["description"], tag["_note"]].compactMap { $0 }
    bookmark.created = tag["created"] ?? ""
    bookmark.tags = TagList.categories(tag["category"] ?? "")
    bookmark.rest = tag["errand"] ?? tag["errand:rest"] ?? ""
    return bookmark.record(folderTags)
  }
}
