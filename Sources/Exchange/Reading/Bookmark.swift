import CEL
import ForeignText
import JSON

/// A bookmark read from another program's file, to be imported as a link.
struct Bookmark {
  /// Its line or record number in the file.
  var number: Int
  var url = ""
  var title = ""
  /// Notes, descriptions and excerpts; each becomes a paragraph.
  var notes: [String] = []
  var tags: [String] = []
  /// The names of its folders, outermost first.
  var folders: [String] = []
  /// The dates as written.
  var created = ""
  var updated = ""
  /// The reading state; nil if none is given.
  var reading: Reading?
  var isFavourite = false
  /// Whether it is private.
  var isPrivate = false
  /// Whether it has an address as Pocket names it, so that its states are numbers.
  var isOfPocket = false
  /// JSON of the members that the format cannot hold, from our own export.
  var rest = ""
  /// The parts that the reader dropped.
  var losses: [String] = []

  /// The values of a link's `reading`.
  enum Reading: String {
    case unread, read, archived
  }

  init(number: Int) {
    self.number = number
  }

  /// Maximum size of a tag in bytes; a longer one is misplaced text.
  private static let maxTagBytes = 1000

  /// Returns the bookmark as an item, or the reason why it is skipped.
  func record(_ folderTags: FolderTags) -> ImportRecord {
    let address = Self.address(url)
    guard Self.isOfTheWeb(address) else {
      if Self.isOfNote(address), let note = note(folderTags) { return note }
      let name = title.isEmpty ? "" : " “\(Self.shortened(title.oneLine))”"
      let reason =
        address.isEmpty
        ? "a bookmark\(name) without an address"
        : "not a web page: \(Self.shortened(address))\(name)"
      return ImportRecord(number: number, content: .skipped(reason))
    }
    var losses = losses
    var members: [(String, Value)] = [("url", .string(address))]
    let title = title.oneLine
    if !title.isEmpty, title != address { members.append(("title", .string(title))) }
    var paragraphs: [String] = []
    for note in notes.map(\.asParagraph) where !note.isEmpty {
      if !paragraphs.contains(note) { paragraphs.append(note) }
    }
    if !paragraphs.isEmpty {
      members.append(("summary", .string(paragraphs.joined(separator: "\n\n"))))
    }
    let tags = allTags(folderTags, &losses)
    if !tags.isEmpty { members.append(("tags", .list(tags.map(Value.string)))) }
    if let reading { members.append(("reading", .string(reading.rawValue))) }
    if isFavourite { members.append(("favourite", true)) }
    if isPrivate { members.append(("private", true)) }
    members += dates(&losses)
    var fields = MapValue(members)
    if !rest.isEmpty, case .map(let map)? = try? JSONParser().parse(Array(rest.utf8)) {
      for entry in map.entries { fields[entry.key] = entry.value }
    }
    return ImportRecord(number: number, content: .item(.map(fields)), losses: losses)
  }

  /// Returns a note that a service stores among its bookmarks, with a relative address; nil if it is empty.
  private func note(_ folderTags: FolderTags) -> ImportRecord? {
    let paragraphs = ([title.oneLine] + notes.map(\.asParagraph)).filter { !$0.isEmpty }
    if paragraphs.isEmpty { return nil }
    var losses = losses
    var members: [(String, Value)] = [
      ("entity", "Note"), ("text", .string(paragraphs.joined(separator: "\n\n"))),
    ]
    let tags = allTags(folderTags, &losses)
    if !tags.isEmpty { members.append(("tags", .list(tags.map(Value.string)))) }
    members += dates(&losses)
    let marks = [reading?.rawValue, isFavourite ? "favourite" : nil, isPrivate ? "private" : nil]
    for mark in marks.compactMap({ $0 }) { losses.append("a note cannot be \(mark)") }
    return ImportRecord(number: number, content: .item(.map(MapValue(members))), losses: losses)
  }

  /// Returns the members for the dates.
  private func dates(_ losses: inout [String]) -> [(String, Value)] {
    var members: [(String, Value)] = []
    for (name, text) in [("createdAt", created), ("updatedAt", updated)] where !text.isEmpty {
      if let value = BookmarkDate.value(text) {
        members.append((name, Self.textual(value)))
      } else if text.trimmingBlanks != "0", text.contains(where: { $0 != " " }) {
        losses.append("“\(Self.shortened(text))” is not a date and was left out")
      }
    }
    return members
  }

  /// Returns a timestamp as text, for JSON.
  private static func textual(_ value: Value) -> Value {
    if case .timestamp(let moment) = value { .string(moment.jsonText) } else { value }
  }

  private func allTags(_ folderTags: FolderTags, _ losses: inout [String]) -> [String] {
    var result: [String] = []
    for tag in tags.map(\.oneLine) + folderTags.tags(of: folders.map(\.oneLine)) {
      if tag.isEmpty || result.contains(tag) { continue }
      if tag.utf8.count > Self.maxTagBytes {
        losses.append("a tag of \(tag.utf8.count) bytes was left out: “\(Self.shortened(tag))”")
      } else {
        result.append(tag)
      }
    }
    return result
  }

  // MARK: Addresses

  /// Normalizes an address like a browser: trims it, removes line breaks and percent-encodes other blanks (URL
  /// Standard, “basic URL parser”).
  private static func address(_ text: String) -> String {
    let text = text.trimmingBlanks
    guard text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return text }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x09, 0x0A, 0x0D: continue
      case 0...0x20, 0x7F: bytes += String(byte, radix: 16, padding: "%").utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns whether an address is a relative one, which Shaarli gives its notes.
  private static func isOfNote(_ address: String) -> Bool {
    ["?", "/?", "./?", "/shaare/", "./shaare/"].contains { address.hasPrefix($0) }
  }

  private static func isOfTheWeb(_ address: String) -> Bool {
    for scheme in ["http://", "https://"] as [StaticString] {
      let isEqual = scheme.withUTF8Buffer { wanted in
        address.utf8.count > wanted.count
          && zip(address.utf8, wanted).allSatisfy { $0.loweredASCII == $1 }
      }
      if isEqual { return true }
    }
    return false
  }

  /// Returns the beginning of a text, for a message.
  static func shortened(_ text: String) -> String {
    let head = text.prefix(60)
    return head.endIndex == text.endIndex ? text : head + "…"
  }
}

extension String {
  /// Formats a byte as two digits after a mark.
  fileprivate init(_ byte: UInt8, radix: Int, padding mark: String) {
    self = mark + (byte < 16 ? "0" : "") + String(byte, radix: radix, uppercase: true)
  }
}
