/// A parsed mail (RFC 5322, RFC 2045).
package struct Mail {
  /// A part that is a file.
  package struct Attachment {
    package let name: String?
    package let mediaType: String
    package let bytes: [UInt8]
  }

  /// A text part.
  package enum Text: Hashable, Sendable {
    case plain(String)
    case html(String)

    fileprivate var isPlain: Bool { if case .plain = self { true } else { false } }
  }

  /// The subject, if any.
  package internal(set) var subject: String?
  /// The sender as written in the mail, if any.
  package internal(set) var sender: String?
  /// The identifier that the sender's program gave it (`Message-ID`), without angle brackets.
  package internal(set) var messageID: String?
  /// The text parts; of alternatives, the plain one.
  package internal(set) var texts: [Text] = []
  /// The attached files in order.
  package internal(set) var attachments: [Attachment] = []

  /// Maximum nesting depth and number of parts.
  private static let maxDepth = 10
  private static let maxParts = 200

  /// Parses a mail leniently.
  package init(_ bytes: [UInt8]) {
    var message = MailPart(bytes[...])
    // Skip the separator line of a mailbox (RFC 4155).
    if bytes.starts(with: Array("From ".utf8)), let end = bytes.firstIndex(of: 0x0A) {
      message = MailPart(bytes[(end + 1)...])
    }
    subject = message.header("subject").map(MailText.decoded)
    sender = message.header("from").map(MailText.decoded)
    messageID = message.header("message-id").map {
      $0.filter { !$0.isWhitespace && $0 != "<" && $0 != ">" }
    }.flatMap { $0.isEmpty ? nil : $0 }
    var count = 0
    add(message, depth: 0, &count)
  }

  /// The name of the sender, or the address without one.
  package var senderName: String? {
    guard let sender else { return nil }
    let name = sender.prefix { $0 != "<" }.filter { $0 != "\"" }
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if !name.isEmpty { return name }
    let address = sender.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
    return address.isEmpty ? nil : String(address)
  }

  private mutating func add(_ part: MailPart, depth: Int, _ count: inout Int) {
    count += 1
    guard count <= Self.maxParts else { return }
    if part.type.hasPrefix("multipart/"), depth < Self.maxDepth,
      let boundary = part.parameter("boundary", of: "content-type")
    {
      let start = texts.count
      for inner in part.parts(boundary, limit: Self.maxParts - count) {
        add(inner, depth: depth + 1, &count)
      }
      // Alternatives are ordered by increasing richness (RFC 2046 §5.1.4).
      if part.type == "multipart/alternative", texts[start...].contains(where: \.isPlain) {
        texts = texts[..<start] + texts[start...].filter(\.isPlain)
      }
      return
    }
    let name =
      part.parameter("filename", of: "content-disposition")
      ?? part.parameter("name", of: "content-type")
    let isAttached =
      part.header("content-disposition")?.lowercased().hasPrefix("attachment") == true
    if !isAttached, name == nil {
      if part.type == "text/plain" || part.type == "text/html" {
        let content = part.text
        guard content.contains(where: { !$0.isWhitespace }) else { return }
        texts.append(part.type == "text/html" ? .html(content) : .plain(content))
        return
      }
    }
    let bytes = part.content
    if bytes.isEmpty { return }
    attachments.append(
      Attachment(name: name.map(MailText.decoded), mediaType: part.type, bytes: bytes))
  }
}
