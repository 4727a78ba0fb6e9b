import Engine
import ErrandKit
import Glibc
import Inbox
import Links

/// `errand browser-host`: answers the browser extension on standard input and output.
///
/// A message is its length in four bytes, in the machine's order, and JSON (native messaging of
/// Chromium and Firefox). It runs nothing: it puts shares into the inbox, takes them back while they
/// are there, and finds links if the person allows it.
enum BrowserHostCommand {
  static let command = Command(
    "browser-host", "answer the browser extension", usage: "",
    discussion: "The extension starts it; `errand browser install` says how to add it.",
    serves: []
  ) { invocation, arguments in
    var options = Errand.Options()
    options.catalog = arguments.last("catalog")
    options.store = arguments.last("store")
    let isOpen = invocation.settings.value(of: .browserSearch) == "on"
    let host = BrowserHost(try Errand.open(options), isOpen: isOpen)
    while let message = host.next() { try host.send(host.answer(to: message)) }
  }
}

/// A conversation with the extension.
final class BrowserHost {
  private let errand: Errand
  /// Whether the person lets the extension find links.
  private let isOpen: Bool
  private let input: Int32
  private let output: Int32

  /// The maximum size of a message in bytes.
  private static let limit = 1 << 20
  /// The maximum number of found links.
  private static let mostFound = 20

  init(_ errand: Errand, isOpen: Bool, input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
    (self.errand, self.isOpen, self.input, self.output) = (errand, isOpen, input, output)
  }

  // MARK: Messages

  /// Reads a message; nil at the end, after a damaged length or one over the limit.
  func next() -> JSONValue? {
    guard let head = bytes(4) else { return nil }
    let count = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard count <= Self.limit else {
      try? send(Self.refusal("the message is larger than 1 MiB"))
      return nil
    }
    guard let body = bytes(count) else { return nil }
    return (try? JSONValue(parsing: String(decoding: body, as: UTF8.self))) ?? .null
  }

  private func bytes(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let read = bytes.withUnsafeMutableBytes {
        Glibc.read(input, $0.baseAddress.map { $0 + filled }, count - filled)
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { return nil }
      filled += read
    }
    return bytes
  }

  /// Sends an answer.
  func send(_ value: JSONValue) throws {
    let body = Array(try value.text().utf8)
    let head = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> ($0 * 8)) }
    var rest = (head + body)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }

  private static func refusal(_ message: String) -> JSONValue {
    ["ok": false, "refused": true, "message": .string(message)]
  }

  /// Answers a message; a mistake is an answer, too.
  func answer(to message: JSONValue) -> JSONValue {
    do {
      if let share = message["share"] { return try save(share) }
      if let name = message["undo"]?.string { return try discard(name) }
      guard message["find"] != nil || message["known"] != nil else {
        return Self.refusal("unknown message")
      }
      guard isOpen else {
        return [
          "ok": false, "items": [],
          "message": "To find links here: errand settings set browserSearch on",
        ]
      }
      if let words = message["find"]?.string { return try find(words, message["limit"]?.int) }
      return try known(message["known"]?.string ?? "")
    } catch let error as ErrandError {
      let sentence = error.message.prefix(1).uppercased() + error.message.dropFirst() + "."
      return [
        "ok": false, "message": .string(sentence), "refused": .bool(error.code == "invalid-value"),
      ]
    } catch {
      return ["ok": false, "message": .string("\(error)")]
    }
  }

  // MARK: Saving

  /// Puts a share into the inbox; it is on the disk when this returns.
  private func save(_ share: JSONValue) throws -> JSONValue {
    var details = ShareDetails()
    details.tags = share["tags"]?.array?.compactMap(\.string) ?? []
    details.note = share["note"]?.string
    details.reading = share["unread"] == true ? "unread" : nil
    var items: [SharedItem] = []
    if let url = share["url"]?.string { items.append(.url(url)) }
    if let text = share["text"]?.string { items.append(.text(text)) }
    // A line that ends in its only address becomes a link with the rest as its title.
    for tab in share["items"]?.array ?? [] {
      guard let url = tab["url"]?.string else { return Self.refusal("an item has no address") }
      let title = tab["title"]?.string?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      items.append(.text([title, url].compactMap(\.self).joined(separator: " ")))
    }
    guard !items.isEmpty else { return Self.refusal("there is nothing to save") }
    let key = share["key"]?.string
    var names: [String] = []
    for (number, start) in stride(from: 0, to: items.count, by: ShareLimits.items).enumerated() {
      names.append(
        try errand.share(
          Array(items[start..<min(start + ShareLimits.items, items.count)]),
          title: share["title"]?.string, from: share["from"]?.string ?? "browser", for: nil,
          named: key.map { SHA256.hex(of: "browser \($0) \(number)") }, details))
    }
    return ["ok": true, "share": .string(names.joined(separator: " "))]
  }

  /// Removes a share that is still in the inbox.
  private func discard(_ names: String) throws -> JSONValue {
    let writer = try errand.writer(as: "browser")
    do {
      for name in names.split(separator: " ") { try writer.discard(share: String(name)) }
    } catch {
      guard error.code == "not-found" else { throw error }
      return ["ok": false, "message": "It is in your library already: undo it there."]
    }
    return ["ok": true]
  }

  // MARK: Finding

  private func find(_ words: String, _ limit: Int64?) throws -> JSONValue {
    let count = min(max(limit.flatMap { Int(exactly: $0) } ?? Self.mostFound, 1), Self.mostFound)
    let items = try errand.guestReader().find(
      "Link", matching: words.isEmpty ? nil : words, limit: count)
    return ["ok": true, "items": .array(items.map(Self.json))]
  }

  private func known(_ url: String) throws -> JSONValue {
    let reader = try errand.guestReader()
    do {
      return ["ok": true, "item": Self.json(try reader.item(url, of: "Link"))]
    } catch {
      guard ["not-found", "ambiguous"].contains(error.code) else { throw error }
      return ["ok": true, "item": .null]
    }
  }

  private static func json(_ item: ItemSnapshot) -> JSONValue {
    [
      "title": .string(item.title), "url": item["url"] ?? .null, "ref": .string(item.reference),
      "tags": item["tags"] ?? [],
    ]
  }
}
