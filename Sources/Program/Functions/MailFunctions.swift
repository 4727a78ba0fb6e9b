import CEL
package import ForeignText
import Links

/// Functions on mails and on the addresses in texts.
enum MailFunctions {
  /// A mail; absent fields are null.
  private static var mailType: CELType {
    let text = CELType.nullable(.string)
    let file = RecordType(
      "a file of a mail",
      [.init("name", text), .init("mediaType", .string), .init("bytes", .bytes)])
    return .record(
      RecordType(
        "a mail",
        [
          .init("subject", text), .init("from", text), .init("to", text),
          .init("date", .nullable(.timestamp)), .init("id", text), .init("text", .string),
          .init("urls", .list(.string)), .init("files", .list(.record(file))),
        ]))
  }

  /// Rows of the function table.
  static let table = [
    FunctionRow(in: "parseMail") { name, context in
      let local: @Sendable (CivilTime) -> Timestamp = { context.clock.moment(of: $0) }
      Function(name, .global, [.string], returns: .list(mailType)) { (value: Value) -> Value in
        mails(in: Array(value.text.utf8), local)
      }
      Function(name, .global, [.bytes], returns: .list(mailType)) { (value: Value) -> Value in
        guard case .bytes(let bytes) = value else { return .list([]) }
        return mails(in: bytes, local)
      }
    },
    FunctionRow("urls") {
      Function($0, .global, [.string], returns: .list(.string)) { (value: Value) -> Value in
        .list(TextLinks.urls(in: value.text).map { .string($0) })
      }
    },
  ]

  private static func mails(in bytes: [UInt8], _ local: (CivilTime) -> Timestamp) -> Value {
    .list(MailFile.mails(in: bytes).map { value(of: Mail($0), local) })
  }

  private static func value(of mail: Mail, _ local: (CivilTime) -> Timestamp) -> Value {
    func text(_ text: String?) -> Value { text.map { .string($0) } ?? .null }
    let date = mail.date.flatMap { ForeignDate($0) }?.moment(local: local)
    let body = mail.text
    let files = mail.attachments.map { file in
      Value.map(
        MapValue([
          ("name", text(file.name)), ("mediaType", .string(file.mediaType)),
          ("bytes", .bytes(file.bytes)),
        ]))
    }
    return .map(
      MapValue([
        ("subject", text(mail.subject)), ("from", text(mail.sender)),
        ("to", text(mail.receivers)), ("date", date.map { .timestamp($0) } ?? .null),
        ("id", text(mail.messageID)), ("text", .string(body)),
        ("urls", .list(TextLinks.urls(in: body).map { .string($0) })), ("files", .list(files)),
      ]))
  }
}

extension Mail {
  /// The texts as plain text, with the addresses of links.
  package var text: String {
    let texts = texts.map { part in
      switch part {
      case .plain(let text): text
      case .html(let html): HTMLText.text(of: html, as: .addressedText)
      }
    }
    return texts.joined(separator: "\n")
  }
}
