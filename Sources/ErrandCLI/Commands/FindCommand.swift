import CEL
import Catalog
import Engine
import Items
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
        "during", .value("RANGE"), "only what takes place then: 'this week'; series are expanded"),
      Flag(
        "sort", .value("KEY"), "sort by a property; -KEY or KEY,desc sorts largest first",
        isList: true),
      Flag("limit", short: "n", .value("N"), "maximum number of items"),
      Flag("first", .toggle, "only the first"),
      Flag("count", .toggle, "only the number of matches"),
      .exitStatus,
      Flag("offset", .value("N"), "leave out the first N"),
      Flag("after", .value("REF"), "continue after this item, the last of the previous page"),
      Flag("explain", .toggle, "show how the query runs: SQL, in-process filters and scores"),
    ],
    serves: [.json, .format, .events, .answers], reads: .always
  ) { invocation, arguments in
    let word = try arguments.words.first.expected(
      "missing entity", help: "for example: errand find links --limit 10")
    let run = try invocation.openRun()
    guard let entity = try ItemWords.entityIfNamed(word, in: run.catalog) else {
      let names = run.catalog.entityNames
      let near = Suggestion.nearest(
        to: word, in: names + names.map { EntitySchema.kind(of: $0) + "s" })
      let words = arguments.words.map(\.quotedForShell).joined(separator: " ")
      throw UsageError(
        "unknown entity `\(word)`",
        help: WordForm.isName(word)
          ? "to show an item: errand get \(word)"
          : FamiliarWords.help(word, after: "find") ?? near.map { "did you mean `\($0)`?" }
            ?? "to search links: errand search \(words)")
    }
    var search = Run.Search(entity: entity)
    let words = arguments.words.dropFirst().joined(separator: " ")
    search.match = words.isEmpty ? nil : words
    search.filter = arguments.last("where")
    search.filterLabel = "--where"
    search.during = arguments.last("during")
    try FieldWord.expectExpression(search.filter, of: run.catalog.entity(entity), run)
    try ItemWords.expectWhole(search.filter, arguments.words.dropFirst())
    search.sort = sortKeys(arguments.all("sort"))
    if let last = arguments.words.dropFirst().last, let key = search.sort.last,
      SortKey.directions[last.lowercased()] != nil
    {
      throw UsageError(
        "“\(last)” is a word to search for here, not the direction of --sort",
        help: "write --sort '\(key) \(last)'")
    }
    for split in arguments.splits where ["limit", "offset"].contains(split.flag.name) {
      guard let word = split.words.first, Int(word) != nil else { continue }
      throw UsageError(
        "--\(split.flag.name) takes one number, and “\(word)” follows it",
        help: "write --limit N --offset N, or words to search for before the flags")
    }
    let offset = try arguments.wholeNumber("offset") ?? 0
    search.limit = try arguments.wholeNumber("limit", atLeast: 1).map {
      $0.addingReportingOverflow(offset)
    }
    .map { $0.overflow ? .max : $0.partialValue }
    search.after = arguments.last("after")
    // Programs only get items with all words, since they could not recognize partial matches.
    let isForPerson =
      invocation.mode.isPlain && invocation.console.stdoutIsTerminal && !arguments.isOn("quiet")
    if isForPerson, !arguments.isOn("exit-status"), !arguments.isOn("first") {
      search.closeMatches = .ifFew
    }
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
      search.limit = offset.addingReportingOverflow(1).partialValue
      let item = try run.find(search).dropFirst(offset).first
      guard let item else {
        throw RunError(
          .notFound, "nothing found",
          help: arguments.words.dropFirst().last.flatMap { Int($0) }
            .map { "for the first \($0) items: --limit \($0)" })
      }
      try invocation.resultWriter.write(.object(item))
    } else {
      let items = Array(try run.find(search).dropFirst(offset))
      try invocation.resultWriter.write(.list(items.map { .object($0) }))
      if search.closeMatches != .never, let sentence = try run.nearness(of: items, search) {
        invocation.say("\(sentence.harmless())")
      }
      if items.isEmpty {
        if invocation.mode.isPlain { invocation.say("Nothing found.") }
        if let help = help(forNothingBy: Array(arguments.words.dropFirst()), of: word, run) {
          invocation.tell(help, isForAll: true)
        }
      }
      invocation.note(found: items.count)
    }
  }

  /// The keys of `--sort`, where a direction may follow a comma.
  private static func sortKeys(_ values: [String]) -> [String] {
    var keys: [String] = []
    for part in values.flatMap({ $0.split { ", ".contains($0) } }) {
      if SortKey.directions[part.lowercased()] != nil, let last = keys.popLast() {
        keys.append("\(last) \(part)")
      } else {
        keys.append(String(part))
      }
    }
    return keys
  }

  /// Advice for search words that found nothing and look like a condition, a flag, or a field
  /// without a word; nil for other words.
  static func help(forNothingBy words: [String], of entity: String, _ run: Run) -> String? {
    let find = "errand find \(entity) "
    let rest = words.first == "where" ? Array(words.dropFirst()) : words
    if let field = words.first(where: { $0.hasSuffix(":") && $0.count > 1 }) {
      return "“\(field)” needs a word directly after it: \(field)WORD"
    }
    let definition = try? ItemWords.entityIfNamed(entity, in: run.catalog)
      .flatMap { try run.catalog.entity($0) }
    if let definition {
      if let help = rest.lazy.compactMap({ FieldWord($0, of: definition, run)?.help(find) })
        .first
      {
        return help
      }
      if let word = words.last, words.count == 1, definition.property(word) != nil {
        return "“\(word)” is a word to search for here; --json prints all properties, and "
          + "--format '{{ self.\(word) }}' only this one"
      }
    }
    let text = words.joined(separator: " ").split(separator: " ")
    if text.contains("AND") || text.contains("NOT") {
      let plain = text.joined(separator: " ").replacing("NOT ", with: "-").replacing(
        "AND ", with: "")
      return "all words must be there, and - leaves one out: \(find)-- \(plain.quotedForShell)"
    }
    switch (words.first, words.count) {
    case ("where", 2...): return "to filter: \(find)--where '\(rest.joined(separator: " "))'"
    case ("sort", 2...), ("order", 2...): return "to sort: \(find)--sort \(words.last ?? "KEY")"
    case ("limit", 2): return "for fewer items: \(find)--limit \(words[1])"
    default: return nil
    }
  }
}
