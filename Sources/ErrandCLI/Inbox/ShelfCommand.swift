import CEL
import ErrandKit
import Source

/// `errand shelf`: links that others shared, to keep or to dismiss.
enum ShelfCommand {
  static let command = Command(
    "shelf", "list links that others shared with you; keep or dismiss them",
    usage: "[keep REF… | dismiss REF… | forget CONVERSATION]",
    discussion: """
      A share with a sender or a conversation puts its links here. `keep` saves them in the \
      library, `forget` dismisses all that is left of a conversation.
      """,
    flags: [Flag("conversation", .value("NAME"), "only of this conversation")],
    serves: [.json, .format, .events]
  ) { invocation, arguments in
    var options = Errand.Options()
    options.store = arguments.last("store")
    options.catalog = arguments.last("catalog")
    let errand = try Errand.open(options)
    let words = Array(arguments.words.dropFirst())
    switch (arguments.words.first, words.isEmpty) {
    case (nil, _): try list(arguments.last("conversation"), errand, invocation)
    case ("keep"?, false):
      for word in words { try run("keep-shared", on: word, with: errand, in: invocation) }
    case ("dismiss"?, false):
      for word in words { try run("dismiss-shared", on: word, with: errand, in: invocation) }
    case ("forget"?, false):
      let references = try found(words.joined(separator: " "), errand).map(\.reference)
      _ = try errand.writer(as: "shelf").update(references, set: ["state": "dismissed"])
      invocation.say("Dismissed \(references.count.counted("shared link")).")
    default:
      throw UsageError(
        "`shelf` takes `keep REF…`, `dismiss REF…` or `forget CONVERSATION`",
        help: "`errand shelf` shows the references")
    }
  }

  /// The new links, those of one conversation together, newest conversation first.
  private static func found(_ conversation: String?, _ errand: Errand) throws -> [ItemSnapshot] {
    let items = try errand.reader().find("Shared", where: "self.state == 'new'")
    var order: [String: Int] = [:]
    for item in items {
      let name = item["conversation"]?.string ?? ""
      if order[name] == nil { order[name] = order.count }
    }
    let wanted = items.filter { conversation == nil || $0["conversation"]?.string == conversation }
    if wanted.isEmpty, let conversation {
      throw UsageError(
        "nothing of “\(conversation)” is on the shelf",
        help: Suggestion.help(for: conversation, in: Array(order.keys)))
    }
    func rank(_ item: ItemSnapshot) -> (Int, Int64) {
      (order[item["conversation"]?.string ?? ""] ?? 0, item.id)
    }
    return wanted.sorted { rank($0) < rank($1) }
  }

  private static func list(
    _ conversation: String?, _ errand: Errand, _ invocation: Invocation
  ) throws {
    let items = try found(conversation, errand)
    guard invocation.mode.isPlain else {
      return try invocation.resultWriter.write(.list(items.map { $0.fields.value }))
    }
    let width = items.map(\.reference.count).max() ?? 0
    let titles = items.map(\.title.count).max() ?? 0
    var current: String?
    for item in items {
      let name = item["conversation"]?.string ?? ""
      if name != current {
        current = name
        invocation.console.out("\(name.isEmpty ? "Without a conversation" : name)\n")
      }
      let reference = item.reference.padded(to: width)
      invocation.console.out(
        "  \(reference)  \(item.title.padded(to: titles))  \(item["from"]?.string ?? "")\n")
    }
  }

  private static func run(
    _ name: String, on reference: String, with errand: Errand, in invocation: Invocation
  ) throws {
    let handle = try errand.start(name, ["shared": .string(reference)])
    _ = try handle.result { event in
      if event.name == "say", let text = event.fields["text"]?.string { invocation.say("\(text)") }
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
