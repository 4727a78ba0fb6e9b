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
  let leftovers = Leftovers()

  init(_ window: ByteWindow, _ folderTags: FolderTags) {
    scanner = MarkupScanner(window, .xml)
    self.folderTags = folderTags
  }

  mutating func next() -> ImportRecord? {
    while true {
      if let item = ready.popFirst() { return bookmark(item).record(folderTags) }
      if isAtEnd { return nil }
      if let token = scanner.next(), builder.take(token) {
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
