import CEL
import Catalog
import Engine
import Program
import Source
import Store

/// `errand find`: finds items of an entity.
enum FindCommand {
  static let command = Command(
    "find", "find items of an entity", usage: "ENTITY [WORDS…]",
    discussion: "WORDS are searched for; without them the newest come first.",
    flags: [
      Flag(
        "where", .value("EXPR"), "only items for which an expression holds: 'status == \"ready\"'"),
      Flag(
        "sort", .value("KEY"), "order by a property, `-` before it for the largest first",
        isList: true),
      Flag("limit", short: "n", .value("N"), "how many at most"),
      Flag("first", .toggle, "only the first"),
      Flag("count", .toggle, "only the number of matches"),
      .exitStatus,
      Flag("after", .value("REF"), "go on after the last item of the page before"),
      Flag("explain", .toggle, "show how it runs: what in SQL, what in process, and each score"),
    ],
    serves: [.json, .format, .events, .answers], reads: .always, flagHelp: searchHelp
  ) { invocation, arguments in
    guard let word = arguments.words.first else {
      throw UsageError("missing entity", help: "for example: errand find links --limit 10")
    }
    let session = try invocation.session()
    guard let entity = try ItemWords(session).entityIfNamed(word) else {
      let near = Suggestion.nearest(to: word, in: session.library.entityNames)
      let words = arguments.words.map(\.quotedForShell).joined(separator: " ")
      throw UsageError(
        "unknown entity `\(word)`",
        help: near.map { "did you mean `\($0)`?" } ?? "to search links: errand search \(words)")
    }
    var search = Run.Search(entity: entity)
    let words = arguments.words.dropFirst().joined(separator: " ")
    search.match = words.isEmpty ? nil : words
    search.filter = arguments.last("where")
    search.filterLabel = "--where"
    search.sort = arguments.all("sort").flatMap { $0.split(separator: ",").map(String.init) }
    search.limit = try arguments.wholeNumber("limit")
    search.after = arguments.last("after")
    // A program could not tell items that have only some of the words from those that have all.
    let isForPerson =
      invocation.mode.isPlain && invocation.console.stdoutIsTerminal && !arguments.isOn("quiet")
    search.isRelaxed = isForPerson && !arguments.isOn("exit-status") && !arguments.isOn("first")
    if arguments.isOn("explain") {
      let explanation = try session.explain(try session.query(search))
      try ExplanationWriter(invocation).write(explanation, of: search.entity)
      return ExitStatus.done
    }
    if arguments.isOn("count") {
      let count = try session.count(search)
      try invocation.resultWriter.write(.int(Int64(count)))
      return arguments.status(ofFound: count)
    }
    if arguments.isOn("first") {
      search.limit = 1
      let item = try session.find(search).first
      guard let item else { throw RunError(.notFound, "nothing found") }
      try invocation.resultWriter.write(.object(item))
    } else {
      let items = try session.find(search)
      try invocation.resultWriter.write(.list(items.map { .object($0) }))
      if search.isRelaxed, let sentence = try session.nearness(of: items, search) {
        invocation.say("\(sentence.harmless())")
      }
      if items.isEmpty, invocation.mode.isPlain { invocation.say("Nothing found.") }
      return arguments.status(ofFound: items.count)
    }
    return ExitStatus.done
  }

  /// Advice about a flag that may be a field of a search.
  @Sendable
  private static func searchHelp(_ flag: String) -> String? {
    flag == "tag" || flag == "tags" ? "write tag:VALUE among the words" : nil
  }
}
