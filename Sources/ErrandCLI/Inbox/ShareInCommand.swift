import CEL
import ErrandKit
import Inbox
import Source

/// `errand share-in`: puts a share into the inbox, without the store.
enum ShareInCommand {
  static let name = "share-in"

  static let command = Command(
    name, "put texts, addresses and files into the inbox", usage: "[TEXT|URL|FILE…] [-]",
    discussion: """
      What is given becomes one share, which `errand inbox` or a worker takes in. A word is a file \
      when there is one and the word has a `/` or a `.`, when it is a file:// address, or when all \
      words are files; a folder that is written with a `/` stands for its files; it is an address when it begins with http:// or https://; all other words together are one text. `-` \
      is standard input: a text, the bytes of a file, or a mail, of which the text and the files in \
      it are shared with the subject as the title. The store is not opened, so it may be \
      locked or damaged.
      """,
    flags: [
      Flag("from", .value("APP"), "the application that it comes from"),
      Flag("title", .value("TEXT"), "what it is called there"),
      Flag("to", .value("NAME"), "the intent or shortcut that it is for"),
      Flag(
        "type", .value("TYPE"), "what it is: text, url, file, or a media type such as text/csv"),
      Flag("name", .value("NAME"), "the name of the file on standard input"),
      Flag("clipboard", .toggle, "share the text on the clipboard"),
    ],
    serves: []
  ) { invocation, arguments in
    let inbox = try invocation.inbox()
    let clipboard = Clipboard { [console = invocation.console] in console.err($0) }
    var draft = try SharedWords(arguments).draft { clipboard.read() }
    if let from = text("from", arguments) { draft.from = from }
    if let title = text("title", arguments) { draft.title = title }
    try draft.expectWithinLimits()
    draft.to = try text("to", arguments) ?? ShareSheet(invocation).choose(for: draft)
    let name = ShareName.make(at: SystemHost.now(), chance: .random(in: .min ... .max))
    try inbox.put(draft, named: name)
    invocation.say("Added to the inbox (\(ShareName.short(name))).")
    return ExitStatus.done
  }

  private static func text(_ flag: String, _ arguments: ParsedArguments) -> String? {
    arguments.last(flag).flatMap { $0.isEmpty ? nil : $0 }
  }
}
