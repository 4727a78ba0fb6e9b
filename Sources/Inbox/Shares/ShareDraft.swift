import CEL
import Glibc
import JSON

/// What is to be shared, before it lies in the inbox.
package struct ShareDraft {
  /// One thing of it.
  package enum Item {
    /// A text; whether it is an address is found out unless `isPlain`.
    case text(String, isPlain: Bool)
    /// An address.
    case url(String)
    /// Bytes that are in memory, with the name of a file where they have one.
    case bytes([UInt8], name: String?, mediaType: String?)
    /// An open file.
    case file(OpenFile, mediaType: String?)
  }

  /// The application that it comes from.
  package var from: String?
  /// What the application calls it.
  package var title: String?
  /// The intent or shortcut that it is for.
  package var to: String?
  package var items: [Item]

  package init(_ items: [Item], from: String? = nil, title: String? = nil, to: String? = nil) {
    self.items = items
    self.from = from
    self.title = title
    self.to = to
  }

  /// Refuses what is more than a share may hold, before any of it is copied.
  ///
  /// - Throws: `unfit`.
  package func expectWithinLimits() throws(InboxError) {
    if items.isEmpty { throw InboxError(.unfit, "there is nothing to share") }
    guard items.count <= ShareLimits.items else {
      throw InboxError(
        .unfit, "\(items.count) things are too many for one share: at most \(ShareLimits.items)",
        help: "share them in several calls")
    }
    var sum = 0
    for item in items {
      guard item.size <= ShareLimits.itemBytes else {
        throw InboxError(
          .unfit,
          "\(item.label) has \(item.size >> 20) MiB: at most \(ShareLimits.itemBytes >> 20) MiB fit"
        )
      }
      sum += item.size
    }
    guard sum <= ShareLimits.bytes else {
      throw InboxError(
        .unfit,
        "together they have \(sum >> 20) MiB: at most \(ShareLimits.bytes >> 20) MiB fit in a share",
        help: "share them in several calls")
    }
    for text in [from, title, to].compactMap({ $0 }) where text.utf8.count > ShareLimits.name {
      throw InboxError(.unfit, "“\(text.prefix(40))…” is longer than \(ShareLimits.name) bytes")
    }
  }

  /// The first line of the share's file, which tells what follows it.
  func header() throws(InboxError) -> [UInt8] {
    var members: [(String, Value)] = [("share", .int(1))]
    for (name, text) in [("from", from), ("title", title), ("to", to)] {
      if let text { members.append((name, .string(text))) }
    }
    members.append(("items", .list(items.map { .map(MapValue($0.members)) })))
    do {
      let line = try JSONWriter(escapesInvisible: false).text(of: .map(MapValue(members)))
      return Array((line + "\n").utf8)
    } catch {
      throw InboxError(.unfit, "it can't be written down: \(error.description)")
    }
  }
}

extension ShareDraft.Item {
  /// How many bytes it has.
  var size: Int {
    switch self {
    case .text(let text, _), .url(let text): text.utf8.count
    case .bytes(let bytes, _, _): bytes.count
    case .file(let file, _): file.size
    }
  }

  /// What messages call it.
  var label: String {
    switch self {
    case .text: "the text"
    case .url: "the address"
    case .bytes(_, let name, _): name.map { "“\($0)”" } ?? "what is shared"
    case .file(let file, _): file.path
    }
  }

  /// The bytes that stand behind the first line; nil for a file, which is copied.
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

  /// What the first line says of it.
  fileprivate var members: [(String, Value)] {
    var members: [(String, Value)] = []
    func add(_ name: String, _ text: String?) {
      if let text { members.append((name, .string(text))) }
    }
    switch self {
    case .url(let text): add("url", text)
    case .text(let text, let isPlain):
      if isPlain || isBehindHeader { add("kind", "text") }
      if isBehindHeader {
        members.append(("size", .int(Int64(text.utf8.count))))
      } else {
        add("text", text)
      }
    case .bytes(let bytes, let name, let mediaType):
      add("name", name)
      add("mediaType", mediaType)
      members.append(("size", .int(Int64(bytes.count))))
    case .file(let file, let mediaType):
      add("name", file.name)
      add("mediaType", mediaType)
      members.append(("size", .int(Int64(file.size))))
    }
    return members
  }
}
