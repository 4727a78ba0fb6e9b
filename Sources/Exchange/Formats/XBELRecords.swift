import ForeignText

/// Reads XBEL bookmarks, as written by Konqueror, Floccus and buku.
struct XBELRecords: RecordReader {
  private var scanner: MarkupScanner
  private let folderTags: FolderTags
  /// The names of the open folders.
  private var folders: [String] = []
  private var bookmark: Bookmark?
  private var text = ""
  private var isAtEnd = false
  private(set) var leftovers = Leftovers()

  private static let maxDepth = 1000

  init(_ window: ByteWindow, _ folderTags: FolderTags) {
    scanner = MarkupScanner(window, .bookmarks)
    self.folderTags = folderTags
  }

  mutating func next() -> ImportRecord? {
    while !isAtEnd {
      guard let token = scanner.next() else {
        isAtEnd = true
        return bookmark == nil && folders.isEmpty ? nil : damage("the file ends early")
      }
      switch token {
      case .text(let piece): if text.utf8.count < 8 << 20 { text += piece }
      case .start(let tag): if let record = start(tag) { return record }
      case .end(let name): if let record = end(name) { return record }
      case .cutOff:
        isAtEnd = true
        return damage("the file ends in the middle of a tag")
      }
    }
    return nil
  }

  private func damage(_ reason: String) -> ImportRecord {
    ImportRecord(number: scanner.window.line, content: .damage(reason))
  }

  private mutating func start(_ tag: MarkupScanner.Tag) -> ImportRecord? {
    noteText()
    switch tag.name {
    case "folder": if !tag.isClosed, folders.count < Self.maxDepth { folders.append("") }
    case "bookmark":
      var bookmark = Bookmark(number: tag.line)
      leftovers.account(
        for: tag.attributes, of: tag.name, passingOver: PassedOver.xbel, line: tag.line
      ) { name, value in
        switch name {
        case "href": bookmark.url = value
        case "added": bookmark.created = value
        case "modified": bookmark.updated = value
        case "tags": bookmark.tags = TagList.tags(value, .commas)
        default: return false
        }
        return true
      }
      bookmark.folders = folders
      if tag.isClosed { return bookmark.record(folderTags) }
      self.bookmark = bookmark
    case "xbel", "title", "desc", "info", "metadata", "separator", "alias": break
    default: leftovers.note(.element(tag.name), line: tag.line)
    }
    return nil
  }

  /// Notes text that belongs to no bookmark.
  private mutating func noteText() {
    if text.contains(where: { !$0.isWhitespace }) {
      leftovers.note(.text, line: scanner.window.line)
    }
    text = ""
  }

  private mutating func end(_ name: String) -> ImportRecord? {
    switch name {
    case "title":
      if bookmark != nil {
        bookmark?.title = text
      } else if let last = folders.indices.last {
        folders[last] = text
      }
      text = ""
    case "desc":
      if bookmark != nil {
        bookmark?.notes.append(text)
      } else if text.contains(where: { !$0.isWhitespace }) {
        leftovers.note(.folderNote(folders.last ?? ""), line: scanner.window.line)
      }
      text = ""
    case "folder": _ = folders.popLast()
    case "bookmark":
      noteText()
      defer { bookmark = nil }
      return bookmark?.record(folderTags)
    default: noteText()
    }
    return nil
  }
}
