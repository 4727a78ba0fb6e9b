import ForeignText
package import Inbox
import Program

/// A mail as what is shared of it: its text, and the files in it.
package enum SharedMail {
  /// The share of a mail, with its subject as the title; nil where it does not fit in one.
  package static func draft(_ bytes: [UInt8]) -> ShareDraft? {
    let mail = Mail(bytes)
    let text = mail.texts.map(text(of:)).joined(separator: "\n")
    var items: [ShareDraft.Item] = []
    if text.contains(where: { !$0.isWhitespace }) {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let trimmed = lines.drop { $0.allSatisfy(\.isWhitespace) }.joined(separator: "\n")
      items.append(.text(trimmed, isPlain: true))
    } else {
      // Files have names of their own, so a subject without a text is the text.
      if let subject = mail.subject, !subject.isEmpty {
        items.append(.text(subject, isPlain: false))
      }
      // Pages that say nothing, as of pictures, are kept as they are.
      for case .html(let html) in mail.texts {
        items.append(.bytes(Array(html.utf8), name: "mail.html", mediaType: "text/html"))
      }
    }
    items += mail.attachments.map { .bytes($0.bytes, name: $0.name, mediaType: $0.mediaType) }
    let draft = ShareDraft(items, from: mail.sender ?? "mail", title: mail.subject)
    // What is too much for a share stays one file.
    return (try? draft.expectWithinLimits()) == nil ? nil : draft
  }

  /// What a part says, with the addresses of its links.
  private static func text(of part: Mail.Text) -> String {
    switch part {
    case .plain(let text): text
    case .html(let html): HTMLText.text(of: html, as: .addressedText)
    }
  }
}
