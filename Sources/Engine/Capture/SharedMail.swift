import ForeignText
package import Inbox
import Program

/// Converts mails to shares of their text and attachments.
package enum SharedMail {
  /// Returns the shares of a mail, titled with its subject: one, or more if it has more attachments
  /// than a share may have things; none if they exceed the limits.
  package static func newShares(_ bytes: [UInt8]) -> [NewShare] {
    let mail = Mail(bytes)
    var text = String(mail.text.drop { $0.isNewline })
    let title = mail.subject.flatMap { $0.isEmpty ? nil : $0 }
    var items: [NewShare.Item] = []
    if text.contains(where: { !$0.isWhitespace }) {
      // A title has a limit, and nothing of the subject is lost.
      if let title, title != cut(title) { text = title + "\n\n" + text }
      items.append(.text(text, isPlain: true))
    } else {
      // Attachments bring their own names; without a body, the subject becomes the text.
      if let title { items.append(.text(title, isPlain: false)) }
      // HTML without text, such as pictures only, is kept as a file.
      for case .html(let html) in mail.texts {
        items.append(.bytes(Array(html.utf8), name: "mail.html", mediaType: "text/html"))
      }
    }
    items += mail.attachments.map {
      .bytes($0.bytes, name: $0.name.map(cut), mediaType: $0.mediaType)
    }
    // Of a mail without any content, its header is kept.
    if items.isEmpty {
      let lines = [mail.sender, mail.date].compactMap { $0 }.joined(separator: "\n")
      items.append(.text(lines.isEmpty ? "mail" : lines, isPlain: true))
    }
    let shares = stride(from: 0, to: items.count, by: ShareLimits.items).map { start in
      NewShare(
        Array(items[start..<min(start + ShareLimits.items, items.count)]),
        from: cut(mail.sender ?? "mail"), title: start == 0 ? title.map(cut) : nil)
    }
    // A mail that exceeds the limits of a share stays one file.
    let areFit = shares.allSatisfy { (try? $0.expectWithinLimits()) != nil }
    return areFit ? shares : []
  }

  /// Returns the shares of a file with mails. Of several, one that exceeds the limits is a file in a
  /// share; a single one has no shares.
  package static func newShares(ofFile bytes: [UInt8]) -> [NewShare] {
    let mails = MailFile.mails(in: bytes)
    return mails.flatMap { mail in
      let shares = newShares(mail)
      guard shares.isEmpty, mails.count > 1 else { return shares }
      return [NewShare([.bytes(mail, name: "mail.eml", mediaType: "message/rfc822")])]
    }
  }

  /// A text within the limit of a name in a share.
  private static func cut(_ text: String) -> String {
    guard text.utf8.count > ShareLimits.name else { return text }
    var cut = text.unicodeScalars.prefix(ShareLimits.name)
    while cut.reduce(0, { $0 + UTF8.width($1) }) > ShareLimits.name - 3 {
      cut.removeLast(max(1, cut.count / 8))
    }
    return String(cut) + "…"
  }
}
