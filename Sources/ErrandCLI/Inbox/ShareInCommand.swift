import CEL
import CLinux
import Catalog
import Engine
import ErrandKit
import Inbox
import Program
import Source

/// `errand share-in`: adds a share to the inbox without opening the store.
enum ShareInCommand {
  static let name = "share-in"

  static let command = Command(
    name, "add texts, URLs and files to the inbox", usage: "[TEXT|URL|FILE…] [-]",
    discussion: """
      Makes one share, which `errand inbox` or a worker imports. A word is a file if it exists and \
      the word contains a `/` or a `.`, if it is a file:// URL, or if all words are files; a folder \
      written with a `/` means its files. A word that begins with http:// or https:// is a URL; all \
      other words together are one text. `-` reads standard input: text, the bytes of a file, or a \
      mail, which is shared as text and attachments with the subject as title; each mail of a \
      mailbox (mbox) or of a folder of mails (Maildir) is a share of its own. The store is not \
      opened, so it may be locked or damaged. With `--shelf`, each word is a mail, a mailbox \
      (mbox), a folder of mails (Maildir) or a chat exported from WhatsApp or Telegram, whose links \
      go to the shelf with their senders.
      """,
    flags: [
      Flag("from", .value("APP"), "the application it comes from"),
      Flag("title", .value("TEXT"), "its title there"),
      Flag("tags", .value("TAGS"), "tags for it, separated by commas"),
      Flag("note", .value("TEXT"), "a note about it"),
      Flag("unread", .toggle, "put it on the reading list"),
      Flag("sender", .value("NAME"), "who sent it; it goes to the shelf"),
      Flag("conversation", .value("TEXT"), "the conversation in which somebody sent it"),
      Flag("shelf", .toggle, "put the links of mails and chats on the shelf"),
      Flag("to", .value("NAME"), "the intent or shortcut to handle it"),
      Flag("type", .value("TYPE"), "text, url, file, or a media type such as text/csv"),
      Flag("name", .value("FILENAME"), "a file name for standard input"),
      Flag("clipboard", .toggle, "share the text on the clipboard"),
    ],
    serves: []
  ) { invocation, arguments in
    // First of all, since a core file would hold the arguments, too.
    _ = errand_hide_memory()
    let inbox = try invocation.inbox()
    if arguments.isOn("shelf") { return try shelve(arguments.words, inbox, invocation) }
    let clipboard = Clipboard { [console = invocation.console] in console.err($0) }
    let words = SharedWords(arguments)
    var added: [String] = []
    func put(_ newShare: NewShare, asks: Bool) throws {
      var newShare = newShare
      if let from = text("from", arguments) { newShare.from = from }
      if let title = text("title", arguments) { newShare.title = title }
      newShare.details.tags = (text("tags", arguments) ?? "").split(separator: ",")
        .map { String($0).trimmingSpaces }.filter { !$0.isEmpty }
      newShare.details.note = text("note", arguments)
      newShare.details.reading = arguments.isOn("unread") ? "unread" : nil
      newShare.details.sender = text("sender", arguments)
      newShare.details.conversation = text("conversation", arguments)
      try newShare.expectWithinLimits()
      newShare.to = text("to", arguments)
      if newShare.to == nil, asks { newShare.to = try invocation.chooseHandler(of: newShare) }
      let name = ShareName.make(at: SystemHost.now(), chance: .random(in: .min ... .max))
      try inbox.put(newShare, named: name)
      added.append(name)
    }
    var leftOut: [Int] = []
    func add(mail: [UInt8]?) throws {
      var newShares = mail.map { SharedMail.newShares($0) } ?? []
      if newShares.isEmpty, let mail, mail.count <= ShareLimits.itemBytes {
        newShares = [NewShare([.bytes(mail, name: "mail.eml", mediaType: nil)])]
      }
      if newShares.isEmpty { leftOut.append(mail?.count ?? 0) }
      for newShare in newShares { try put(newShare, asks: newShares.count == 1 && words.isInput) }
    }
    if try !words.readMaildir(add) {
      let newShare = try words.newShare { clipboard.read() }
      let areMails = try arguments.last("type") == nil && newShare.readMails(add)
      if !areMails { try put(newShare, asks: true) }
    }
    try invocation.sealShares()
    if let first = added.first, added.count == 1 {
      invocation.say("Added to the inbox (\(ShareName.short(first))).")
    } else {
      invocation.say("Added \(added.count.counted("share")) to the inbox.")
    }
    if !leftOut.isEmpty {
      invocation.tell("left out \(leftOut.count.counted("mail")): larger than a share may be")
    }
    if let to = text("to", arguments) { noteUnknown(to, invocation) }
  }

  /// Tells that no handler has a name; the share waits for one.
  private static func noteUnknown(_ name: String, _ invocation: Invocation) {
    guard let names = try? invocation.catalog().actionNames, !names.contains(name) else { return }
    invocation.tell(
      "there is no intent or shortcut `\(name)`; the share waits in the inbox until there is"
        + (Suggestion.didYouMean(name, in: Array(names)).map { ", or: \($0)" } ?? ""))
  }

  /// Puts the messages with links of files into the inbox, one share each.
  private static func shelve(
    _ words: [String], _ inbox: InboxFolder, _ invocation: Invocation
  ) throws {
    try UsageError.expect(
      !words.isEmpty, "`--shelf` needs a mail, a mailbox or an exported chat",
      help: "errand share-in --shelf ~/Maildir")
    let progress = ProgressLine(console: invocation.console, label: "sharing")
    var count = 0
    var messages = SentMessages { share in
      try inbox.put(
        share, named: ShareName.make(at: SystemHost.now(), chance: .random(in: .min ... .max)))
      count += 1
      progress.update(doing: count.counted("message"))
    }
    defer { progress.clear() }
    for word in words { try messages.read(word) }
    progress.clear()
    invocation.say(
      "Added \(messages.linked.counted("message")) with links to the inbox; "
        + "\(messages.passedOver) without were passed over.")
  }

  private static func text(_ flag: String, _ arguments: Arguments) -> String? {
    arguments.last(flag).flatMap { $0.isEmpty ? nil : $0 }
  }
}
