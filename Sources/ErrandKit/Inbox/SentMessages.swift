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
  /// The maximum size of an exported chat in bytes.
  private static let maxChat = 512 << 20

  package init(_ put: @escaping (NewShare) throws -> Void) { self.put = put }

  /// Reads a file or a Maildir; `-` is standard input.
  ///
  /// - Throws: `InboxError` for an unreadable file or an unknown format; errors of `put`.
  package mutating func read(_ path: String) throws {
    var source = try MailSource(path)
    // A file that begins as a mailbox is one, even without the fields that programs write.
    let isNamed = try source.lines.peek()?.starts(with: Array("From ".utf8)) == true
    if try source.read(isNamed: isNamed, { try add(mail: $0) }) { return }
    let file = source.lines.file
    guard let first = try source.lines.peek() else {
      throw InboxError(.unfit, "\(file.path) is empty")
    }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    if first.first == UInt8(ascii: "{") {
      return try addTelegram(source.lines.rest(limit: Self.maxChat), name)
    }
    if ChatLine(first) != nil { return try addChat(&source.lines, Self.conversation(ofFile: name)) }
    throw InboxError(
      .unfit, "\(file.path) is not a mail, a mailbox or an exported chat",
      help: "WhatsApp exports a .txt file, Telegram result.json")
  }

  // MARK: Mails

  private mutating func add(mail bytes: [UInt8]?) throws {
    guard let bytes else {
      passedOver += 1
      return
    }
    let mail = Mail(bytes)
    try add(
      mail.text, sender: mail.senderName,
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
    let links = TextLinks.urls(in: text, limit: Self.maxLinks)
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

extension Value {
  /// The text of a string; nil for other values.
  fileprivate var plainText: String? {
    if case .string(let text) = self { text } else { nil }
  }
}
