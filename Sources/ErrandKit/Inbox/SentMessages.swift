import CEL
import ForeignText
import Glibc
package import Inbox
import JSON
import Links
import POSIX
import Program

/// The links that others sent, from a mail, a mailbox (mbox), a folder of mails (Maildir), or a chat
/// exported from WhatsApp or Telegram. Nothing but the links, the sender, the subject and the name of
/// the conversation is taken.
package struct SentMessages {
  /// The numbers of messages with links, and of those without, which are passed over.
  package private(set) var linked = 0
  package private(set) var passedOver = 0
  /// Receives a share for each message with links.
  private let put: (NewShare) throws -> Void

  /// The most links of a message that are taken.
  private static let maxLinks = 50
  /// The maximum size of a message in bytes; a larger one is passed over.
  fileprivate static let maxMessage = 64 << 20
  /// The maximum size of an exported chat in bytes.
  private static let maxChat = 512 << 20

  package init(_ put: @escaping (NewShare) throws -> Void) { self.put = put }

  /// Reads a file or a Maildir; `-` is standard input.
  ///
  /// - Throws: `InboxError` for an unreadable file or an unknown format; errors of `put`.
  package mutating func read(_ path: String) throws {
    if let folders = Self.maildir(path) {
      for folder in folders {
        for name in Folder.visibleNames(in: folder).sorted() {
          guard let bytes = try? FileReader.bytes(of: folder + "/" + name, limit: Self.maxMessage)
          else {
            passedOver += 1
            continue
          }
          try add(mail: bytes)
        }
      }
      return
    }
    let file =
      path == "-"
      ? Descriptor(adopting: dup(0), path: "standard input")
      : try InboxError.wordingSystem { () throws(SystemError) in try Descriptor(input: path) }
    var lines = LineReader(file)
    guard let first = try lines.peek() else {
      throw InboxError(.unfit, "\(file.path) is empty")
    }
    if first.starts(with: Array("From ".utf8)) { return try addMailbox(&lines) }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    if first.first == UInt8(ascii: "{") {
      return try addTelegram(lines.rest(limit: Self.maxChat), name)
    }
    if ChatLine(first) != nil { return try addChat(&lines, Self.conversation(ofFile: name)) }
    let bytes = try lines.rest(limit: Self.maxMessage)
    guard ContentSignature.isMail(bytes) else {
      throw InboxError(
        .unfit, "\(file.path) is not a mail, a mailbox or an exported chat",
        help: "WhatsApp exports a .txt file, Telegram result.json")
    }
    try add(mail: bytes)
  }

  /// The folders with the mails of a Maildir; nil for another path.
  private static func maildir(_ path: String) -> [String]? {
    let folders = [path + "/new", path + "/cur"].filter {
      (stat.at($0)?.st_mode ?? 0) & S_IFMT == S_IFDIR
    }
    return folders.isEmpty ? nil : folders
  }

  // MARK: Mails

  /// The mails of a mailbox: a line `From ` begins each, and mails quote theirs (RFC 4155).
  private mutating func addMailbox(_ lines: inout LineReader) throws {
    let separator = Array("From ".utf8)
    var mail: [UInt8] = []
    var isAfterBlank = true
    while let line = try lines.next() {
      if isAfterBlank, line.starts(with: separator) {
        if !mail.isEmpty { try add(mail: mail) }
        mail = []
      } else if mail.count <= Self.maxMessage {
        let isQuoted =
          line.first == UInt8(ascii: ">")
          && line.drop { $0 == UInt8(ascii: ">") }.starts(with: separator)
        mail += isQuoted ? line.dropFirst() : line[...]
      }
      isAfterBlank = line.count <= 2 && line.allSatisfy { $0 == 0x0A || $0 == 0x0D }
    }
    if !mail.isEmpty { try add(mail: mail) }
  }

  private mutating func add(mail bytes: [UInt8]) throws {
    guard bytes.count <= Self.maxMessage else {
      passedOver += 1
      return
    }
    let mail = Mail(bytes)
    let text = mail.texts.map { part in
      switch part {
      case .plain(let text): text
      case .html(let html): HTMLText.text(of: html, as: .addressedText)
      }
    }.joined(separator: "\n")
    try add(
      text, sender: mail.senderName,
      conversation: mail.subject.map(Self.conversation(ofSubject:)), from: "mail",
      key: mail.messageID.map { "mail \($0)" })
  }

  /// A subject without `Re:`, `Fwd:` and their like in other languages.
  static func conversation(ofSubject subject: String) -> String {
    let marks: Set = ["re", "aw", "fw", "fwd", "wg", "sv", "vs", "rif", "tr", "antw", "rép", "res"]
    var rest = subject.trimmed[...]
    while let colon = rest.firstIndex(of: ":"),
      marks.contains(
        rest[..<colon].prefix { $0 != "[" && $0 != "(" }.lowercased().trimmed)
    {
      rest = rest[rest.index(after: colon)...].drop(while: \.isWhitespace)
    }
    return String(rest)
  }

  // MARK: Chats

  /// The messages of a chat that WhatsApp exported: lines `day, time - name: text`, and lines that go on.
  private mutating func addChat(_ lines: inout LineReader, _ conversation: String) throws {
    var message: ChatLine?
    while let bytes = try lines.next() {
      if let next = ChatLine(bytes) {
        try add(message, conversation)
        message = next
      } else if (message?.text.utf8.count ?? 0) < 1 << 20 {
        message?.text += "\n" + String(decoding: bytes, as: UTF8.self)
      }
    }
    try add(message, conversation)
  }

  private mutating func add(_ message: ChatLine?, _ conversation: String) throws {
    guard let message else { return }
    try add(
      message.text, sender: message.sender, conversation: conversation,
      from: "WhatsApp", key: "chat \(conversation) \(message.time) \(message.sender ?? "")")
  }

  /// The name of a chat from that of its file, such as `WhatsApp Chat with Mara.txt`.
  private static func conversation(ofFile name: String) -> String {
    var name = name
    if name.lowercased().hasSuffix(".txt") { name.removeLast(4) }
    for beginning in ["WhatsApp Chat with ", "WhatsApp Chat - ", "WhatsApp-Chat mit "]
    where name.hasPrefix(beginning) { return String(name.dropFirst(beginning.count)) }
    return name
  }

  /// The messages of a chat that Telegram exported as JSON.
  private mutating func addTelegram(_ bytes: [UInt8], _ name: String) throws {
    guard case .map(let chat)? = try? JSONParser().parse(bytes),
      case .list(let messages)? = chat["messages"]
    else {
      throw InboxError(.unfit, "\(name) is not an exported chat: it has no list `messages`")
    }
    let conversation = chat["name"]?.plainText ?? name
    for case .map(let message) in messages {
      var text = ""
      switch message["text"] {
      case .string(let plain)?: text = plain
      case .list(let parts)?:
        for part in parts {
          switch part {
          case .string(let plain): text += plain
          case .map(let part):
            text += (part["href"]?.plainText ?? part["text"]?.plainText ?? "") + " "
          default: break
          }
        }
      default: break
      }
      let id = message["id"].map { $0.text } ?? ""
      try add(
        text, sender: message["from"]?.plainText, conversation: conversation,
        from: "Telegram", key: id.isEmpty ? nil : "telegram \(conversation) \(id)")
    }
  }

  // MARK: Links

  private mutating func add(
    _ text: String, sender: String?, conversation: String?, from: String,
    key: String?
  ) throws {
    let links = Self.links(in: text)
    guard !links.isEmpty else {
      passedOver += 1
      return
    }
    var share = NewShare(
      [links.count == 1 ? .url(links[0]) : .text(links.joined(separator: "\n"), isPlain: true)],
      from: from)
    share.details.sender = sender.map { Self.cut($0) }
    share.details.conversation = Self.cut(conversation ?? "")
    share.details.key = key.map { Self.cut($0) }
    try put(share)
    linked += 1
  }

  /// A text within the limits of a share.
  private static func cut(_ text: String) -> String {
    var cut = String(text.prefix(300))
    while cut.utf8.count > 1000 { cut.removeLast() }
    return cut
  }

  /// The web addresses in a text, each once, without the punctuation of their sentence.
  static func links(in text: String) -> [String] {
    let bytes = Array(text.utf8)
    var links: [String] = []
    var position = 0
    while position + 3 < bytes.count, links.count < maxLinks {
      defer { position += 1 }
      guard bytes[position] == UInt8(ascii: ":"), bytes[position + 1] == UInt8(ascii: "/"),
        bytes[position + 2] == UInt8(ascii: "/"), position >= 4
      else { continue }
      let before = String(decoding: bytes[max(0, position - 5)..<position], as: UTF8.self)
        .lowercased()
      guard before.hasSuffix("http") || before.hasSuffix("https") else { continue }
      let start = position - (before.hasSuffix("https") ? 5 : 4)
      var end = position + 3
      while end < bytes.count, bytes[end] > 0x20, !Array("<>\"`{}|\\^".utf8).contains(bytes[end]) {
        end += 1
      }
      var link = String(decoding: bytes[start..<end], as: UTF8.self)
      while let last = link.last {
        let isOpen =
          last == ")" && link.count(where: { $0 == "(" }) >= link.count(where: { $0 == ")" })
        guard ".,;:!?'*])_~”’»…".contains(last), !isOpen else { break }
        link.removeLast()
      }
      position = end
      if let url = try? WebURL(link), !links.contains(url.text) { links.append(url.text) }
    }
    return links
  }
}

/// The first line of a message in a chat that WhatsApp exported, as in
/// `[12.11.26, 10:11:12] Mara: text` or `11/12/26, 10:11 AM - Mara: text`.
struct ChatLine {
  var time: String
  /// The sender; nil for a notice of the program.
  var sender: String?
  var text: String

  init?(_ bytes: some Collection<UInt8>) {
    var line = String(decoding: bytes.prefix(4096 + bytes.count), as: UTF8.self)
      .filter { $0 != "\u{200E}" && $0 != "\u{202F}" && $0 != "\u{FEFF}" }
    while line.last?.isNewline == true { line.removeLast() }
    let isInBrackets = line.hasPrefix("[")
    if isInBrackets { line.removeFirst() }
    guard let first = line.first, first.isNumber,
      let end = line.firstRange(of: isInBrackets ? "] " : " - ")
    else { return nil }
    let stamp = line[..<end.lowerBound]
    let digits = stamp.count(where: \.isNumber)
    guard (6...14).contains(digits), stamp.contains(":") || stamp.contains("."), stamp.count < 40,
      stamp.contains(",") || stamp.contains(" ")
    else { return nil }
    time = String(stamp)
    let rest = line[end.upperBound...]
    if let colon = rest.firstRange(of: ": ") {
      sender = String(rest[..<colon.lowerBound])
      text = String(rest[colon.upperBound...])
    } else {
      text = String(rest)
    }
  }
}

/// Reads lines with their ends, in pieces of 1 MiB.
private struct LineReader {
  private let file: Descriptor
  private var buffer: [UInt8] = []
  private var position = 0
  private var isOver = false

  init(_ file: Descriptor) { self.file = file }

  /// The next line, which stays; nil at the end.
  mutating func peek() throws -> ArraySlice<UInt8>? {
    var searched = position
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) { return buffer[position...end] }
      if isOver { return position < buffer.count ? buffer[position...] : nil }
      try expect(atMost: SentMessages.maxMessage)
      searched = buffer.count - position
      try fill()
    }
  }

  mutating func next() throws -> [UInt8]? {
    guard let line = try peek() else { return nil }
    position = line.endIndex
    return Array(line)
  }

  /// All that is left.
  ///
  /// - Throws: `unfit` beyond a size.
  mutating func rest(limit: Int) throws -> [UInt8] {
    while !isOver {
      try expect(atMost: limit)
      try fill()
    }
    return Array(buffer[position...])
  }

  private func expect(atMost limit: Int) throws {
    guard buffer.count - position <= limit else {
      throw InboxError(.unfit, "\(file.path) is larger than \(limit >> 20) MiB")
    }
  }

  private mutating func fill() throws {
    buffer.removeFirst(position)
    position = 0
    let count = 1 << 20
    let piece = try [UInt8](unsafeUninitializedCapacity: count) { piece, filled in
      filled = Glibc.read(file.number, piece.baseAddress, count)
      if filled < 0 {
        filled = 0
        throw InboxError(.io, "\(file.path): \(String(cString: strerror(errno)))")
      }
    }
    if piece.isEmpty { isOver = true }
    buffer += piece
  }
}

extension InboxError {
  /// Runs `body`, and words an error of the system.
  fileprivate static func wordingSystem<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(InboxError) -> Result {
    do { return try body() } catch {
      throw InboxError(.unfit, "\(error.path): \(error.reason)", help: error.inputHelp)
    }
  }
}

extension Value {
  /// The text of a string; nil for other values.
  fileprivate var plainText: String? {
    if case .string(let text) = self { text } else { nil }
  }
}
