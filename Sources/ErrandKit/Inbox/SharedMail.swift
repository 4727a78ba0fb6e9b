import ForeignText
package import Inbox
import Program

/// Converts mails to shares of their text and attachments.
package enum SharedMail {
  /// Returns a share of a mail, titled with its subject; nil if it exceeds the limits.
  package static func newShare(_ bytes: [UInt8]) -> NewShare? {
    let mail = Mail(bytes)
    let text = mail.texts.map(text(of:)).joined(separator: "\n")
    var items: [NewShare.Item] = []
    if text.contains(where: { !$0.isWhitespace }) {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let trimmed = lines.drop { $0.allSatisfy(\.isWhitespace) }.joined(separator: "\n")
      items.append(.text(trimmed, isPlain: true))
    } else {
      // Attachments bring their own names; without a body, the subject becomes the text.
      if let subject = mail.subject, !subject.isEmpty {
        items.append(.text(subject, isPlain: false))
      }
      // HTML without text, such as pictures only, is kept as a file.
      for case .html(let html) in mail.texts {
        items.append(.bytes(Array(html.utf8), name: "mail.html", mediaType: "text/html"))
      }
    }
    items += mail.attachments.map { .bytes($0.bytes, name: $0.name, mediaType: $0.mediaType) }
    let newShare = NewShare(items, from: mail.sender ?? "mail", title: mail.subject)
    // A mail that exceeds the limits of a share stays one file.
    return (try? newShare.expectWithinLimits()) == nil ? nil : newShare
  }

  /// The text of a part, including link URLs.
  private static func text(of part: Mail.Text) -> String {
    switch part {
    case .plain(let text): text
    case .html(let html): HTMLText.text(of: html, as: .addressedText)
    }
  }
}
