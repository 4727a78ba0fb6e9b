import Inbox
import Program

/// A mail as what is shared of it: its text, and the files in it.
enum SharedMail {
  /// The share of a mail, with its subject as the title; nil where it does not fit in one.
  static func draft(_ bytes: [UInt8]) -> ShareDraft? {
    let mail = Mail(bytes)
    var items: [ShareDraft.Item] = []
    if let text = mail.text {
      let trimmed = text.split(separator: "\n", omittingEmptySubsequences: false)
        .drop { $0.allSatisfy(\.isWhitespace) }.joined(separator: "\n")
      if trimmed.contains(where: { !$0.isWhitespace }) {
        items.append(.text(trimmed, isPlain: true))
      }
    }
    if mail.text == nil, let html = mail.html {
      // What it says is taken, and the page itself where that says nothing, as of pictures.
      let text = HTMLText.text(of: html, as: .text)
      let isEmpty = text.allSatisfy(\.isWhitespace)
      items.append(
        isEmpty
          ? .bytes(Array(html.utf8), name: "mail.html", mediaType: "text/html")
          : .text(text, isPlain: true))
    }
    items += mail.attachments.map { .bytes($0.bytes, name: $0.name, mediaType: $0.mediaType) }
    if items.isEmpty, let subject = mail.subject { items = [.text(subject, isPlain: false)] }
    let draft = ShareDraft(items, from: mail.sender ?? "mail", title: mail.subject)
    // What is too much for a share stays one file.
    return (try? draft.expectWithinLimits()) == nil ? nil : draft
  }
}
