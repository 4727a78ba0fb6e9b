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
    discussion: "Searches for WORDS; without them, lists the newest first.",
    flags: [
      Flag(
        "where", .value("EXPR"), "only items that match an expression: 'status == \"ready\"'"),
      Flag(
        "sort", .value("KEY"), "sort by a property; -KEY sorts largest first",
        isList: true),
      Flag("limit", short: "n", .value("N"), "maximum number of items"),
      Flag("first", .toggle, "only the first"),
      Flag("count", .toggle, "only the number of matches"),
      .exitStatus,
      Flag("after", .value("REF"), "continue after this item, the last of the previous page"),
      Flag("explain", .toggle, "show how the query runs: SQL, in-process filters and scores"),
    ],
    serves: [.json, .format, .events, .answers], reads: .always, flagHelp: searchHelp
  ) { invocation, arguments in
    let word = try arguments.words.first.expected(
      "missing entity", help: "for example: errand find links --limit 10")
    let run = try invocation.openRun()
    guard let entity = try ItemWords.entityIfNamed(word, in: run.catalog) else {
      let near = Suggestion.nearest(to: word, in: run.catalog.entityNames)
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
    // Programs get only items with all of the words; they could not tell partial matches apart.
    let isForPerson =
      invocation.mode.isPlain && invocation.console.stdoutIsTerminal && !arguments.isOn("quiet")
    search.isRelaxed = isForPerson && !arguments.isOn("exit-status") && !arguments.isOn("first")
    if arguments.isOn("explain") {
      let explanation = try run.explain(try run.query(search))
      return try invocation.write(explanation, of: search.entity)
    }
    if arguments.isOn("count") {
      let count = try run.count(search)
      try invocation.resultWriter.write(.int(Int64(count)))
      return invocation.note(found: count)
    }
    if arguments.isOn("first") {
      search.limit = 1
      let item = try run.find(search).first
      guard let item else { throw RunError(.notFound, "nothing found") }
      try invocation.resultWriter.write(.object(item))
    } else {
      let items = try run.find(search)
      try invocation.resultWriter.write(.list(items.map { .object($0) }))
      if search.isRelaxed, let sentence = try run.nearness(of: items, search) {
        invocation.say("\(sentence.harmless())")
      }
      if items.isEmpty, invocation.mode.isPlain { invocation.say("Nothing found.") }
      invocation.note(found: items.count)
    }
  }

  /// Returns a hint for a flag that may be a search field.
  @Sendable
  private static func searchHelp(_ flag: String) -> String? {
    flag == "tag" || flag == "tags" ? "write tag:VALUE among the words" : nil
  }
}
