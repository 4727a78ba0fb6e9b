import CEL
import Glibc
import JSON

/// The person's own words about a share.
package struct ShareDetails: Hashable, Sendable {
  package var tags: [String] = []
  package var note: String?
  /// `unread` to put it on the reading list.
  package var reading: String?
  /// The sender, as the message says.
  package var sender: String?
  /// The conversation in which it was sent.
  package var conversation: String?
  /// A key of the program that shares it: of several shares with one key, one is imported.
  package var key: String?

  package init() {}

  /// The texts by their names in the header of a share.
  var texts: [(name: String, text: String?)] {
    [
      ("note", note), ("reading", reading), ("sender", sender),
      ("conversation", conversation), ("key", key),
    ]
  }
}

/// A share that is not in the inbox yet.
package struct NewShare {
  /// An item to share.
  package enum Item {
    /// Text; unless `isPlain`, a text that is a URL becomes a `url`.
    case text(String, isPlain: Bool)
    /// A URL.
    case url(String)
    /// Bytes in memory, with a file name if known.
    case bytes([UInt8], name: String?, mediaType: String?)
    /// An open file.
    case file(OpenFile, mediaType: String?)
  }

  /// The application that shares it.
  package var from: String?
  /// The application's title.
  package var title: String?
  /// The intent or shortcut that should handle it.
  package var to: String?
  package var items: [Item]
  package var details = ShareDetails()

  package init(_ items: [Item], from: String? = nil, title: String? = nil, to: String? = nil) {
    self.items = items
    self.from = from
    self.title = title
    self.to = to
  }

  /// Checks the limits of a share, before anything is copied.
  ///
  /// - Throws: `unfit`.
  package func expectWithinLimits() throws(InboxError) {
    func expect(
      _ fits: Bool, _ message: @autoclosure () -> String, help: String? = nil
    ) throws(InboxError) {
      if !fits { throw InboxError(.unfit, message(), help: help) }
    }
    try expect(!items.isEmpty, "there is nothing to share")
    try expect(
      items.count <= ShareLimits.items,
      "\(items.count) things are too many for one share: at most \(ShareLimits.items)",
      help: "share them in several calls")
    for item in items {
      try expect(
        item.size <= ShareLimits.itemBytes,
        "\(item.label) has \(item.size >> 20) MiB; the limit is \(ShareLimits.itemBytes >> 20) MiB")
    }
    let sum = items.reduce(0) { $0 + $1.size }
    try expect(
      sum <= ShareLimits.bytes,
      "together they have \(sum >> 20) MiB; the limit is \(ShareLimits.bytes >> 20) MiB for a share",
      help: "share them in several calls")
    try expect(
      details.tags.count <= ShareLimits.tags, "a share has at most \(ShareLimits.tags) tags")
    try expect(
      details.note.map { $0.utf8.count <= ShareLimits.textInHeader } ?? true,
      "the note is longer than \(ShareLimits.textInHeader >> 10) KiB")
    for text in [from, title, to, details.sender, details.conversation].compactMap({ $0 })
      + details.tags
    {
      try expect(
        text.utf8.count <= ShareLimits.name,
        "“\(text.prefix(40))…” is longer than \(ShareLimits.name) bytes")
    }
  }

  /// The header: the first line of the share's file, which describes the rest.
  func header() throws(InboxError) -> [UInt8] {
    var members: [(String, Value)] = [("share", .int(1))]
    for (name, text) in [("from", from), ("title", title), ("to", to)] + details.texts {
      if let text { members.append((name, .string(text))) }
    }
    if !details.tags.isEmpty { members.append(("tags", .list(details.tags.map(Value.string)))) }
    members.append(("items", .list(items.map { .map(MapValue($0.members)) })))
    do {
      let line = try JSONWriter(escapesInvisible: false).text(of: .map(MapValue(members)))
      return Array((line + "\n").utf8)
    } catch {
      throw InboxError(.unfit, "it cannot be encoded: \(error.description)")
    }
  }
}

extension NewShare.Item {
  /// The size in bytes.
  var size: Int {
    switch self {
    case .text(let text, _), .url(let text): text.utf8.count
    case .bytes(let bytes, _, _): bytes.count
    case .file(let file, _): file.size
    }
  }

  /// The name in messages.
  var label: String {
    switch self {
    case .text: "the text"
    case .url: "the address"
    case .bytes(_, let name, _): name.map { "“\($0)”" } ?? "the data"
    case .file(let file, _): file.path
    }
  }

  /// The bytes after the header; nil for a file, which is copied.
  var bytes: [UInt8]? {
    switch self {
    case .text(let text, _): isBehindHeader ? Array(text.utf8) : []
    case .url: []
    case .bytes(let bytes, _, _): bytes
    case .file: nil
    }
  }

  private var isBehindHeader: Bool {
    if case .text(let text, _) = self { text.utf8.count > ShareLimits.textInHeader } else { true }
  }

  /// The fields of the item in the header.
  fileprivate var members: [(String, Value)] {
    var texts: [(String, String?)] = []
    var hasSize = true
    switch self {
    case .url(let text): (texts, hasSize) = ([("url", text)], false)
    case .text(let text, let isPlain):
      if isPlain || isBehindHeader { texts.append(("kind", "text")) }
      if !isBehindHeader { texts.append(("text", text)) }
      hasSize = isBehindHeader
    case .bytes(_, let name, let mediaType): texts = [("name", name), ("mediaType", mediaType)]
    case .file(let file, let mediaType): texts = [("name", file.name), ("mediaType", mediaType)]
    }
    let members = texts.compactMap { name, text in text.map { (name, Value.string($0)) } }
    return members + (hasSize ? [("size", .int(Int64(size)))] : [])
  }
}

extension NewShare {
  /// The share as it will be read, for validation before writing it.
  package var preview: Share {
    Share(
      name: "", from: from, title: title, to: to, details: details, items: items.map(\.preview),
      time: Timestamp(microseconds: 0), receipt: "")
  }
}

extension NewShare.Item {
  fileprivate var preview: Share.Item {
    switch self {
    case .url(let text): return ShareReader.address(text)
    case .text(let text, let isPlain):
      return isPlain ? ShareReader.plain(text) : ShareReader.guessed(text)
    case .bytes(let bytes, let name, let mediaType):
      let head = Array(bytes.prefix(ContentSignature.headSize))
      return Share.Item(head: head, size: bytes.count, name: name, told: mediaType ?? "")
    case .file(let file, let mediaType):
      let head = [UInt8](unsafeUninitializedCapacity: ContentSignature.headSize) { buffer, count in
        count = max(0, pread(file.descriptor, buffer.baseAddress, buffer.count, 0))
      }
      return Share.Item(head: head, size: file.size, name: file.name, told: mediaType ?? "")
    }
  }
}
