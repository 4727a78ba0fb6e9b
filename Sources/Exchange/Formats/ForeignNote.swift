import CEL
import Calendars
import ForeignText
import Links

/// A note read from another program's file, with its link and its files.
struct ForeignNote {
  /// Its line or record number in the file.
  var number: Int
  /// The identifier that its program gives it; nil if its content identifies it when it is imported again.
  var key: String?
  var title = ""
  var paragraphs: [String] = []
  var tags: [String] = []
  /// The address and title of the page that it is about.
  var url = ""
  var pageTitle = ""
  var isPinned = false
  var created = Value.null
  var updated = Value.null
  var losses: [String] = []
  /// The records of its files.
  private var files: [ImportRecord] = []

  init(number: Int) { self.number = number }

  /// Adds a file beside the one that is read.
  mutating func take(_ path: String, _ mediaType: String, _ beside: ForeignFiles) {
    guard !path.isEmpty else { return }
    if let bytes = beside.bytes(of: path) {
      keep(bytes, path.split(separator: "/").last.map(String.init) ?? path, mediaType)
    } else {
      losses.append("its file “\(Bookmark.shortened(path))” is not there")
    }
  }

  /// Adds a file.
  mutating func keep(_ bytes: [UInt8], _ name: String, _ mediaType: String) {
    let hash = SHA256.hash(bytes).hexadecimal
    var members: [(String, Value)] = [
      ("entity", "File"), ("hash", .string(hash)), ("path", .string(".files/" + hash)),
      ("name", .string(name.oneLine)), ("size", .int(Int64(bytes.count))),
      ("source", .string(title.isEmpty ? "note" : title.oneLine)),
    ]
    if !mediaType.isEmpty { members.append(("mediaType", .string(mediaType))) }
    files.append(
      ImportRecord(number: number, content: .item(.map(MapValue(members))), bytes: bytes))
    paragraphs.append("[\(name.oneLine)]")
  }

  /// Returns the note as an item, after its link and its files.
  func records() -> [ImportRecord] {
    var losses = losses
    let text = ([title.oneLine] + paragraphs.map(\.asParagraph)).filter { !$0.isEmpty }
    guard !text.isEmpty else {
      return [ImportRecord(number: number, content: .skipped("an empty note"))]
    }
    var page: ImportRecord?
    if !url.isEmpty {
      var bookmark = Bookmark(number: number)
      bookmark.url = url
      bookmark.title = pageTitle
      page = bookmark.record(.none)
    }
    var members: [(String, Value)] = [
      ("entity", "Note"), ("text", .string(text.joined(separator: "\n\n"))),
    ]
    if let key { members.append(("uid", .string(CalendarObject.globalID(of: key)))) }
    let tags = TagList.values(tags)
    if !tags.isEmpty { members.append(("tags", .list(tags))) }
    if isPinned { members.append(("pinned", true)) }
    for (name, value) in [("createdAt", created), ("updatedAt", updated)] where !value.isNull {
      members.append((name, value.inJSON))
    }
    if case .item(.map(let link))? = page?.content, let address = link["url"] {
      members.append(("link", address))
    } else if page != nil {
      page = nil
      losses.append("its address “\(Bookmark.shortened(url))” is not one of the web")
    }
    let note = ImportRecord(
      number: number, content: .item(.map(MapValue(members))), losses: losses)
    return [page].compactMap { $0 } + files + [note]
  }
}

/// The files beside the one that is imported.
package struct ForeignFiles: Sendable {
  /// Returns the bytes of a file by its path from the folder of the imported one; nil if there is none.
  private let read: @Sendable (_ path: String) -> [UInt8]?

  package init(_ read: @escaping @Sendable (_ path: String) -> [UInt8]? = { _ in nil }) {
    self.read = read
  }

  func bytes(of path: String) -> [UInt8]? {
    // Nothing outside of the folder.
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.contains("..") || path.hasPrefix("/") ? nil : read(path)
  }
}
