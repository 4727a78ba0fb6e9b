/// A parsed mail (RFC 5322, RFC 2045 to 2049).
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

    var isPlain: Bool { if case .plain = self { true } else { false } }
  }

  /// The fields of the header.
  private let header: MailHeader
  /// The text parts; of alternatives, the plain one. A forwarded mail begins with its fields.
  package internal(set) var texts: [Text] = []
  /// The attached files in order, also of forwarded mails.
  package internal(set) var attachments: [Attachment] = []

  /// Parses a mail leniently, also the first one of a mailbox.
  ///
  /// - Complexity: O(bytes).
  package init(_ bytes: [UInt8]) { self.init(MailFile.first(bytes[...]).bytes, depth: 0) }

  init(_ bytes: ArraySlice<UInt8>, depth: Int) {
    var reader = MailPartReader(bytes, depth: depth)
    header = reader.readMail()
    (texts, attachments) = (reader.texts, reader.attachments)
  }

  /// The subject, if any.
  package var subject: String? { header.text("subject") }
  /// The sender as written in the mail, if any.
  package var sender: String? { header.text("from") ?? header.text("sender") }
  /// The receivers as written in the mail, if any.
  package var receivers: String? { header.text("to") }
  /// The date as written in the mail, if any.
  package var date: String? { header.text("date") }

  /// The identifier that the sender's program gave it (`Message-ID`), without angle brackets.
  package var messageID: String? {
    header.raw("message-id").map { $0.filter { !$0.isWhitespace && $0 != "<" && $0 != ">" } }
      .flatMap { $0.isEmpty ? nil : $0 }
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
}
