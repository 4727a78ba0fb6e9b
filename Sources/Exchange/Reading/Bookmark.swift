import CEL
import ForeignText
import JSON

/// A bookmark of another program, on its way to be a link.
struct Bookmark {
  /// Where it stands in the file.
  var number: Int
  var url = ""
  var title = ""
  /// Notes, descriptions and excerpts, each a paragraph.
  var notes: [String] = []
  var tags: [String] = []
  /// The names of the folders that it lies in, the outermost first.
  var folders: [String] = []
  /// Dates as they were written.
  var created = ""
  var updated = ""
  /// What the reader did with it; nil where nothing was marked.
  var reading: Reading?
  var isFavourite = false
  /// Members of a link that the format has no place for, as an export of ours wrote them.
  var rest = ""
  /// What was left out of it by the reader.
  var losses: [String] = []

  /// The values of a link's `reading`.
  enum Reading: String {
    case unread, read, archived
  }

  init(number: Int) {
    self.number = number
  }

  /// How many bytes a tag may have; a longer one is a text that went astray.
  private static let maxTagBytes = 1000

  /// The bookmark as an item, or why it is none.
  func record(_ folderTags: FolderTags) -> ImportRecord {
    let address = Self.address(url)
    guard Self.isOfTheWeb(address) else {
      let name = title.isEmpty ? "" : " “\(Self.shortened(title.oneLine))”"
      let reason =
        address.isEmpty
        ? "a bookmark\(name) without an address"
        : "no page of the web: \(Self.shortened(address))\(name)"
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
    for (name, text) in [("createdAt", created), ("updatedAt", updated)] where !text.isEmpty {
      if let value = BookmarkDate.value(text) {
        members.append((name, Self.textual(value)))
      } else if text.trimmingBlanks != "0", text.contains(where: { $0 != " " }) {
        losses.append("“\(Self.shortened(text))” is not a date and was left out")
      }
    }
    var fields = MapValue(members)
    if !rest.isEmpty, case .map(let map)? = try? JSONParser().parse(Array(rest.utf8)) {
      for entry in map.entries { fields[entry.key] = entry.value }
    }
    return ImportRecord(number: number, content: .item(.map(fields)), losses: losses)
  }

  /// A moment as the text that an import reads.
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

  /// The address as a browser reads it: without blanks at its ends, without line breaks, and with
  /// other blanks encoded (the URL standard, “basic URL parser”).
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

  /// The beginning of a text, for a message.
  static func shortened(_ text: String) -> String {
    let head = text.prefix(60)
    return head.endIndex == text.endIndex ? text : head + "…"
  }
}

extension String {
  /// A byte as two digits after a mark.
  fileprivate init(_ byte: UInt8, radix: Int, padding mark: String) {
    self = mark + (byte < 16 ? "0" : "") + String(byte, radix: radix, uppercase: true)
  }
}
