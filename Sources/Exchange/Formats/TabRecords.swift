import CEL
import ForeignText
import JSON

/// Reads the open tabs of browsers: sessions of Firefox and Chrome, and the collections of Session Buddy.
enum TabRecords {
  /// The lists in which tabs are, or others with a name of their own.
  private static let lists = [
    "sessions", "collections", "windows", "folders", "tabs", "links", "savedSessions",
  ]
  /// Maximum depth of windows and folders.
  private static let maxDepth = 32

  static func records(_ bytes: [UInt8], _ folderTags: FolderTags) -> [ImportRecord] {
    if bytes.starts(with: ChromeSession.mark) { return ChromeSession.records(bytes, folderTags) }
    guard case .map(let root)? = try? JSONParser().parse(bytes) else {
      return [ImportRecord(number: 1, content: .damage("the file is not valid JSON"))]
    }
    var found: [Bookmark] = []
    collect(root, [], depth: 0, into: &found)
    return records(found, folderTags)
  }

  fileprivate static func records(
    _ found: [Bookmark], _ folderTags: FolderTags
  ) -> [ImportRecord] {
    var found = found
    if !found.isEmpty {
      found[0].losses.append(
        "of tabs, the addresses, titles and dates are read; their pages before and their state are left out"
      )
    }
    return found.map { $0.record(folderTags) }
  }

  private static func collect(
    _ map: MapValue, _ folders: [String], depth: Int, into found: inout [Bookmark]
  ) {
    var fields = ForeignFields(map)
    let pages = fields.each("entries") { ($0.text("url"), $0.text("title")) }
    var bookmark = Bookmark(number: found.count + 1)
    bookmark.folders = folders
    let created = fields.date("lastAccessed", "created")
    if !created.isNull { bookmark.created = created.inJSON.text }
    if !pages.isEmpty {
      // The place of the page that is shown, counted from one.
      let place = Int(fields.text("index")) ?? pages.count
      let index = min(max(place, 1), pages.count) - 1
      (bookmark.url, bookmark.title) = pages[index]
    } else {
      bookmark.url = fields.text("url")
      bookmark.title = fields.text("title", "name")
    }
    // A page of the browser itself, such as a new tab, is none to keep.
    if !bookmark.url.isEmpty, !bookmark.url.hasPrefix("about:") { found.append(bookmark) }
    guard bookmark.url.isEmpty, depth < maxDepth else { return }
    let inner = bookmark.title.isEmpty ? folders : folders + [bookmark.title]
    for name in lists {
      guard case .list(let values)? = map[name] else { continue }
      for case .map(let list) in values { collect(list, inner, depth: depth + 1, into: &found) }
    }
  }
}

/// A session of Chrome and related browsers: a log of commands (`components/sessions`, `SNSS`).
private struct ChromeSession {
  static let mark = Array("SNSS".utf8)

  /// The pages of a tab by their place, and the place of the one that is shown.
  private struct Tab {
    var pages: [Int: (url: String, title: String)] = [:]
    var selected: Int?
  }

  private var bytes: ArraySlice<UInt8>

  static func records(_ bytes: [UInt8], _ folderTags: FolderTags) -> [ImportRecord] {
    var reader = ChromeSession(bytes: bytes.dropFirst(4))
    // Versions 2 and 4 are encrypted.
    guard let version = reader.number(), version == 1 || version == 3 else {
      return [ImportRecord(number: 1, content: .damage("the session is encrypted"))]
    }
    var order: [Int] = []
    var tabs: [Int: Tab] = [:]
    while let low = reader.bytes.popFirst(), let high = reader.bytes.popFirst() {
      let size = Int(low) | Int(high) << 8
      guard size > 0, reader.bytes.count >= size else { break }
      var command = ChromeSession(bytes: reader.bytes.prefix(size))
      reader.bytes = reader.bytes.dropFirst(size)
      // Of the files `Session_…` and `Tabs_…`.
      switch command.bytes.popFirst() {
      case 6?, 1?:
        guard let length = command.number(), length == command.bytes.count,
          let tab = command.number(), let place = command.number(),
          let url = command.text(unit: 1), let title = command.text(unit: 2)
        else { continue }
        if tabs[tab] == nil { order.append(tab) }
        tabs[tab, default: Tab()].pages[place] = (url, title)
      case 7?, 4?:
        guard let tab = command.number(), let place = command.number() else { continue }
        tabs[tab]?.selected = place
      case 16?: if let tab = command.number() { tabs[tab] = nil }
      default: continue
      }
    }
    var found: [Bookmark] = []
    for tab in order {
      guard let known = tabs.removeValue(forKey: tab) else { continue }
      let last = known.pages.max { $0.key < $1.key }?.value
      guard let page = known.selected.flatMap({ known.pages[$0] }) ?? last else { continue }
      var bookmark = Bookmark(number: found.count + 1)
      (bookmark.url, bookmark.title) = page
      found.append(bookmark)
    }
    return TabRecords.records(found, folderTags)
  }

  /// Takes a number of four bytes.
  private mutating func number() -> Int? {
    guard bytes.count >= 4 else { return nil }
    defer { bytes = bytes.dropFirst(4) }
    let value = bytes.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Int(Int32(bitPattern: value))
  }

  /// Takes a text after the number of its units, which is padded to four bytes.
  private mutating func text(unit: Int) -> String? {
    guard let count = number(), count >= 0, count * unit <= bytes.count else { return nil }
    let text = bytes.prefix(count * unit)
    bytes = bytes.dropFirst((count * unit + 3) / 4 * 4)
    if unit == 1 { return String(decoding: text, as: UTF8.self) }
    let units = text.indices.filter { ($0 - text.startIndex).isMultiple(of: 2) }
      .map { UInt16(text[$0]) | UInt16(text[$0 + 1]) << 8 }
    return String(decoding: units, as: UTF16.self)
  }
}
