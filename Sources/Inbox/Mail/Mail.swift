/// A mail, taken apart (RFC 5322, RFC 2045).
package struct Mail {
  /// A part that is a file.
  package struct Attachment {
    package let name: String?
    package let mediaType: String
    package let bytes: [UInt8]
  }

  /// The subject; nil without one.
  package internal(set) var subject: String?
  /// Who sent it, as the mail says it; nil where it does not.
  package internal(set) var sender: String?
  /// Its text; nil where it has none.
  package internal(set) var text: String?
  /// Its text as HTML, where it has no plain one.
  package internal(set) var html: String?
  /// The files in it, in their order.
  package internal(set) var attachments: [Attachment] = []

  /// How deep parts may stand in one another, and how many there may be.
  private static let maxDepth = 10
  private static let maxParts = 200

  /// Takes a mail apart; what is not as it should be is taken as it stands.
  package init(_ bytes: [UInt8]) {
    var message = MailPart(bytes[...])
    // Mailboxes have a line before each (RFC 4155).
    if bytes.starts(with: Array("From ".utf8)), let end = bytes.firstIndex(of: 0x0A) {
      message = MailPart(bytes[(end + 1)...])
    }
    subject = message.header("subject").map(MailText.decoded)
    sender = message.header("from").map(MailText.decoded)
    var count = 0
    add(message, depth: 0, &count)
  }

  private mutating func add(_ part: MailPart, depth: Int, _ count: inout Int) {
    count += 1
    guard count <= Self.maxParts else { return }
    if part.type.hasPrefix("multipart/"), depth < Self.maxDepth,
      let boundary = part.parameter("boundary", of: "content-type")
    {
      for inner in part.parts(boundary) { add(inner, depth: depth + 1, &count) }
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
        if part.type == "text/html" {
          html = html.map { $0 + "\n" + content } ?? content
        } else {
          text = text.map { $0 + "\n" + content } ?? content
        }
        return
      }
    }
    let bytes = part.content
    if bytes.isEmpty { return }
    attachments.append(
      Attachment(name: name.map(MailText.decoded), mediaType: part.type, bytes: bytes))
  }
}
