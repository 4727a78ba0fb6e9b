import ForeignText

/// Reads bookmark files in HTML: Netscape's format, written by all browsers, and the lists of Pocket and Instapaper.
struct HTMLRecords: RecordReader {
  private var scanner: MarkupScanner
  private let folderTags: FolderTags
  /// The open folders, outermost first; built-in folders have empty names.
  private var folders: [String] = []
  /// The number of open folders beyond `maxDepth`.
  private var surplus = 0
  /// The name of the folder whose list comes next.
  private var nextFolder: String?
  private var bookmark: Bookmark?
  private var ready: [ImportRecord] = []
  private var collected = Collected.nothing
  private var text = ""
  /// The state that the section heading gives its links; nil if the heading is a folder name.
  private var sectionState: String?
  /// The heading of a list that may follow.
  private var section: String?
  private var isAtEnd = false
  private(set) var leftovers = Leftovers()
  /// The open element whose text is passed over, such as the title of the page.
  private var passedOver: String?
  /// Whether it is Netscape's format, in which `<DT>` begins a bookmark.
  private var hasTerms = false
  /// Whether any element of a bookmark file was found.
  private var isUnderstood = false
  /// The open link in a note: its address and the offset of its text.
  private var noteLink: (address: String, start: Int)?
  /// The number of folders around Safari's Reading List while it is open.
  private var readingListDepth: Int?
  private var isReadingListNext = false

  /// The element whose text is being collected.
  private enum Collected {
    case nothing
    case folder(isOfBrowser: Bool)
    case title, note, section, folderNote
  }

  /// Maximum number of open folders; deeper ones are ignored.
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
                "the file ends with \(count) unclosed \(count == 1 ? "list" : "lists")")))
        } else if !isUnderstood, ready.isEmpty {
          ready.append(.nothingUnderstood(scanner.window.line))
        }
        break
      }
      switch token {
      case .text(let piece):
        if isCollecting {
          text += piece
        } else if passedOver == nil, piece.contains(where: { !$0.isWhitespace }) {
          leftovers.note(.text, line: scanner.window.line)
        }
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
    if isInNote, isPartOfNote(tag) { return beginInNote(tag) }
    switch tag.name {
    case "dt", "li", "hr":
      isUnderstood = isUnderstood || tag.name != "hr"
      hasTerms = hasTerms || tag.name == "dt"
      finishBookmark()
    case "h1":
      finishBookmark()
      begin(.section)
    case "h3", "h2", "h4":
      finishBookmark()
      // Browsers mark their built-in folders this way; their names do not become tags.
      let isOfBrowser = ["personal_toolbar_folder", "unfiled_bookmarks_folder"].contains {
        tag[$0] != nil
      }
      isReadingListNext = tag["id"] == SafariRecords.readingList
      leftovers.account(
        for: tag.attributes, of: tag.name, passingOver: PassedOver.folder, line: tag.line,
        take: { _, _ in false })
      begin(.folder(isOfBrowser: isOfBrowser || isReadingListNext))
    case "dl":
      finishBookmark()
      hasTerms = true
      isUnderstood = true
      if isReadingListNext { readingListDepth = folders.count }
      isReadingListNext = false
      if folders.count < Self.maxDepth {
        folders.append(nextFolder ?? "")
      } else {
        surplus += 1
      }
      nextFolder = nil
    case "a":
      isUnderstood = true
      finishBookmark()
      startBookmark(tag)
    case "dd":
      take()
      begin(bookmark == nil ? .folderNote : .note)
    case "ul", "ol":
      finishBookmark()
      // In Netscape's format the heading is the title of the page.
      if let section { beginSection(section) }
      section = nil
    case "title", "script", "style": passedOver = tag.isClosed ? nil : tag.name
    case _ where Self.frame.contains(tag.name): break
    default: leftovers.note(.element(tag.name), line: tag.line)
    }
  }

  /// Elements of a page around its bookmarks, and of text.
  private static let frame: Set<String> = [
    "html", "head", "body", "meta", "link", "base", "p", "br", "div", "span", "b", "i", "em",
    "strong", "font", "center", "nav", "main", "header", "footer", "section", "article", "hr",
  ]

  private var isInNote: Bool {
    switch collected {
    case .note, .folderNote: true
    default: false
    }
  }

  /// Returns whether a tag is markup of a note: bookmarks and folders begin with `<DT>` or have a creation date.
  private func isPartOfNote(_ tag: MarkupScanner.Tag) -> Bool {
    switch tag.name {
    case "dt", "dl", "dd": false
    case "a": tag["add_date"] == nil && tag["private"] == nil && tag["tags"] == nil
    case "h1", "h2", "h3", "h4": hasTerms && tag.attributes.isEmpty
    case "li", "ul", "ol", "hr": hasTerms
    default: true
    }
  }

  private mutating func beginInNote(_ tag: MarkupScanner.Tag) {
    switch tag.name {
    case "a": noteLink = tag["href"].map { ($0, text.utf8.count) }
    case "li": text += "\n- "
    case "img": leftovers.note(.element("img"), line: tag.line)
    default: if HTMLElement.isBlock(tag.name) { text += "\n" }
    }
  }

  private mutating func endInNote(_ name: String) {
    if name == "a", let link = noteLink {
      noteLink = nil
      let words = String(decoding: text.utf8.dropFirst(link.start), as: UTF8.self)
      if !words.contains(link.address) { text += " <\(link.address)>" }
    }
    if HTMLElement.gap(name) == 2 { text += "\n" }
  }

  private mutating func end(_ name: String) {
    if isInNote, name != "dd", name != "dl" { return endInNote(name) }
    if name == passedOver { passedOver = nil }
    switch name {
    case "a": if case .title = collected { take() }
    case "h1", "h2", "h3", "h4": take()
    case "dl":
      finishBookmark()
      if surplus > 0 { surplus -= 1 } else { _ = folders.popLast() }
      if let depth = readingListDepth, folders.count <= depth { readingListDepth = nil }
    case "dd": take()
    case "ul", "ol", "li": if !hasTerms { finishBookmark() }
    default: break
    }
  }

  // MARK: Bookmarks

  private mutating func startBookmark(_ tag: MarkupScanner.Tag) {
    var bookmark = Bookmark(number: tag.line)
    leftovers.account(
      for: tag.attributes, of: tag.name, passingOver: PassedOver.bookmark, line: tag.line
    ) { name, value in
      switch name {
      case "href": bookmark.url = value
      case "add_date", "time_added": bookmark.created = value
      case "last_modified": bookmark.updated = value
      case "tags", "labels": bookmark.takeTags(TagList.tags(value, .commas))
      case "description": bookmark.notes.append(value)
      case "private": return bookmark.take(value, as: .isPrivate)
      case "feedurl":
        guard tag["href"]?.isEmpty ?? true else { return false }
        bookmark.url = value
      case "toread": return bookmark.take(value, as: .unread)
      case "starred", "favorite": return bookmark.take(value, as: .favourite)
      case "data-errand": bookmark.rest = value
      default: return false
      }
      return true
    }
    if tag.isBroken {
      bookmark.losses.append("a quote is never closed; the rest of it was left out")
    }
    bookmark.folders = folders
    if readingListDepth != nil { bookmark.reading = .unread }
    if let sectionState { _ = bookmark.take(sectionState, as: .state) }
    self.bookmark = bookmark
    if tag.isBroken { finishBookmark() } else { begin(.title) }
  }

  private mutating func begin(_ collected: Collected) {
    take()
    self.collected = collected
    text = ""
  }

  /// Stores the collected text.
  private mutating func take() {
    switch collected {
    case .nothing: return
    case .title: bookmark?.title = text
    case .note: bookmark?.takeNote(text)
    case .folderNote:
      if text.contains(where: { !$0.isWhitespace }) {
        leftovers.note(.folderNote(nextFolder ?? ""), line: scanner.window.line)
      }
    case .folder(let isOfBrowser): nextFolder = isOfBrowser ? "" : text
    case .section: section = text.oneLine
    }
    collected = .nothing
    text = ""
  }

  /// Applies a heading over a list, as in files of Pocket and Instapaper.
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
