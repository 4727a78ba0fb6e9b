import ForeignText

/// Bookmark files in HTML: Netscape's format as all browsers write it, and the lists of Pocket and
/// Instapaper.
struct HTMLRecords: RecordReader {
  private var scanner: MarkupScanner
  private let folderTags: FolderTags
  /// The folders that are open, the outermost first; empty names are those of the browser itself.
  private var folders: [String] = []
  /// How many folders are open beyond those that are told apart.
  private var surplus = 0
  /// The name of the folder whose list is about to begin.
  private var nextFolder: String?
  private var bookmark: Bookmark?
  private var ready: [ImportRecord] = []
  private var collected = Collected.nothing
  private var text = ""
  /// What the heading of the list above says of its links; nil when it is the name of a folder.
  private var sectionState: String?
  /// The heading of the list that may follow.
  private var section: String?
  private var isAtEnd = false
  /// Whether it is Netscape's format, in which `<DT>` begins a bookmark.
  private var hasTerms = false

  private enum Collected {
    case nothing
    case folder(isOfBrowser: Bool)
    case title, note, section
  }

  /// How many folders may be open; deeper ones are not told apart.
  private static let maxDepth = 1000

  init(_ window: ByteWindow, _ folderTags: FolderTags) {
    scanner = MarkupScanner(window, .bookmarks)
    self.folderTags = folderTags
  }

  mutating func next() -> ImportRecord? {
    while ready.isEmpty, !isAtEnd {
      guard let token = scanner.next(wantsText: isCollecting) else {
        isAtEnd = true
        finishBookmark()
        if !folders.isEmpty {
          let count = folders.count + surplus
          ready.append(
            ImportRecord(
              number: scanner.window.line,
              content: .damage(
                "the file ends before \(count) of its lists \(count == 1 ? "does" : "do")")))
        }
        break
      }
      switch token {
      case .text(let piece): text += piece
      case .start(let tag): start(tag)
      case .end(let name): end(name)
      case .cutOff:
        isAtEnd = true
        finishBookmark()
        ready.append(
          ImportRecord(
            number: scanner.window.line, content: .damage("the file ends in the middle of a tag")))
      }
    }
    return ready.isEmpty ? nil : ready.removeFirst()
  }

  private var isCollecting: Bool { if case .nothing = collected { false } else { true } }

  // MARK: Tags

  private mutating func start(_ tag: MarkupScanner.Tag) {
    switch tag.name {
    case "dt", "li", "hr":
      hasTerms = hasTerms || tag.name == "dt"
      finishBookmark()
    case "h1":
      finishBookmark()
      begin(.section)
    case "h3", "h2", "h4":
      finishBookmark()
      // Only the folders that every browser has are marked so; their names are not the person's.
      let isOfBrowser = ["personal_toolbar_folder", "unfiled_bookmarks_folder"].contains {
        tag[$0] != nil
      }
      begin(.folder(isOfBrowser: isOfBrowser))
    case "dl":
      finishBookmark()
      hasTerms = true
      if folders.count < Self.maxDepth {
        folders.append(nextFolder ?? "")
      } else {
        surplus += 1
      }
      nextFolder = nil
    case "a":
      if case .note = collected { return }
      finishBookmark()
      startBookmark(tag)
    case "dd":
      take()
      if bookmark != nil { begin(.note) }
    case "ul", "ol":
      finishBookmark()
      // Over Netscape's lists a heading is the title of the page.
      if let section { beginSection(section) }
      section = nil
    case "br", "p", "div":
      if case .note = collected { text += "\n" }
    default: break
    }
  }

  private mutating func end(_ name: String) {
    switch name {
    case "a": if case .title = collected { take() }
    case "h1", "h2", "h3", "h4": take()
    case "dl":
      finishBookmark()
      if surplus > 0 { surplus -= 1 } else { _ = folders.popLast() }
    case "dd": take()
    case "ul", "ol", "li": if !hasTerms { finishBookmark() }
    default: break
    }
  }

  // MARK: Bookmarks

  private mutating func startBookmark(_ tag: MarkupScanner.Tag) {
    var bookmark = Bookmark(number: tag.line)
    for (name, value) in tag.attributes {
      switch name {
      case "href": bookmark.url = value
      case "add_date", "time_added": bookmark.created = value
      case "last_modified": bookmark.updated = value
      case "tags", "labels": bookmark.tags += TagList.tags(value, .commas)
      case "toread": bookmark.take(value, as: .unread)
      case "starred", "favorite": bookmark.take(value, as: .favourite)
      case "data-errand": bookmark.rest = value
      default: break
      }
    }
    if tag.isBroken {
      bookmark.losses.append("a quote is never closed; the rest of it was left out")
    }
    bookmark.folders = folders
    if let sectionState { bookmark.take(sectionState, as: .state) }
    self.bookmark = bookmark
    if tag.isBroken { finishBookmark() } else { begin(.title) }
  }

  private mutating func begin(_ collected: Collected) {
    take()
    self.collected = collected
    text = ""
  }

  /// Puts the text that was collected where it belongs.
  private mutating func take() {
    switch collected {
    case .nothing: return
    case .title: bookmark?.title = text
    case .note: bookmark?.notes.append(text)
    case .folder(let isOfBrowser): nextFolder = isOfBrowser ? "" : text
    case .section: section = text.oneLine
    }
    collected = .nothing
    text = ""
  }

  /// A heading over a list, as Pocket and Instapaper write it.
  private mutating func beginSection(_ name: String) {
    switch name.lowercased() {
    case "read archive", "archive", "archived": sectionState = "archived"
    case "unread", "starred": sectionState = name
    default: sectionState = nil
    }
    folders = sectionState == nil ? [name] : []
  }

  private mutating func finishBookmark() {
    take()
    guard let bookmark else { return }
    self.bookmark = nil
    ready.append(bookmark.record(folderTags))
  }
}
