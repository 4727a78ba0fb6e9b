import CEL
import ForeignText
import Pages

/// Reads the items of an RSS or Atom feed as bookmarks, as exported by buku and other services.
struct FeedRecords: RecordReader {
  private var scanner: MarkupScanner
  private var builder = FeedBuilder(
    url: "", dates: PageDate { $0.timestamp() }, lineLimit: 1 << 20)
  private let folderTags: FolderTags
  private var ready: ArraySlice<Feed.Item> = []
  private var isAtEnd = false
  private(set) var leftovers = Leftovers()
  private var isInItem = false

  init(_ window: ByteWindow, _ folderTags: FolderTags) {
    scanner = MarkupScanner(window, .xml)
    self.folderTags = folderTags
  }

  mutating func next() -> ImportRecord? {
    while true {
      if let item = ready.popFirst() { return bookmark(item).record(folderTags) }
      if isAtEnd { return nil }
      let next = scanner.next()
      account(for: next)
      if let token = next, builder.take(token) {
        ready = builder.removeItems()[...]
      } else {
        isAtEnd = true
        let isCutOff = builder.endItem()
        ready = builder.removeItems()[...]
        if isCutOff {
          return ImportRecord(
            number: scanner.window.line, content: .damage("the file ends within an item"))
        }
      }
    }
  }

  /// Elements of an item that become properties of a bookmark, or whose content does.
  private static let taken: Set<String> = [
    "title", "link", "description", "summary", "content", "encoded", "pubdate", "published",
    "updated", "date", "issued", "created", "modified", "category", "subject", "tag",
  ]

  /// Notes the elements of an item that become no property; those within its text are markup.
  private mutating func account(for token: MarkupScanner.Token?) {
    switch token {
    case .start(let tag):
      let name = tag.name.lowercased()
      if name == "item" || name == "entry" {
        isInItem = true
      } else if isInItem, !tag.isClosed || !tag.attributes.isEmpty {
        let local = name.split(separator: ":").last.map(String.init) ?? name
        if textOf != nil { return }
        if Self.taken.contains(local) {
          textOf = tag.isClosed ? nil : tag.name
        } else if !PassedOver.feed.contains(local) {
          leftovers.note(.element(tag.name), line: tag.line)
        }
      }
    case .end(let name):
      if name == textOf { textOf = nil }
      if ["item", "entry"].contains(name.lowercased()) { (isInItem, textOf) = (false, nil) }
    default: break
    }
  }

  /// The element of an item whose text is read.
  private var textOf: String?

  private func bookmark(_ item: Feed.Item) -> Bookmark {
    var bookmark = Bookmark(number: scanner.window.line)
    bookmark.url = item.url ?? ""
    bookmark.title = item.title ?? ""
    bookmark.notes = [item.summary ?? item.contentText ?? ""]
    bookmark.tags = item.tags
    bookmark.created = item.writtenDate ?? ""
    return bookmark
  }
}
