import CEL
import Engine
import ErrandKit
import Items
import Program
import Source
import Store

/// `errand tags`: shows tags with their counts; renames, merges, deletes and colours them.
struct TagsCommand {
  static let command = Command(
    "tags", "show tags and their counts; suggest, rename, merge, delete and colour them",
    usage: """
      [suggest ITEM | suggest ADDRESS [WORDS…] | rename TAG NEW | merge TAG… into TAG | \
      delete TAG… | colour TAG COLOUR]
      """,
    discussion: """
      `suggest` shows tags that may suit an item, or a link that is not in the library, most
      likely first: those of the links that share its rare words or its site. `suggest -` reads
      links from standard input, each a line of JSON with url, title and summary, and prints a
      JSON list of tags for each.

      Without --of, covers the tags of all entities. Renaming, merging or deleting a tag includes
      the tags below it, such as lang/swift for lang. Items are never deleted, and `errand undo`
      reverts everything together. The page shows the colour of a tag: teal, amber, violet, red,
      green, blue, or none.
      """,
    flags: [
      Flag("tree", .toggle, "show a tree, with `a/b` below `a`"),
      Flag("of", .value("ENTITY.PROPERTY"), "count another indexed list property"),
      Flag("limit", short: "n", .value("N"), "maximum number of tags"),
    ],
    serves: [.json, .format, .events], reads: .withoutWords
  ) { invocation, arguments in
    let run = try invocation.openRun()
    let place = try arguments.last("of").map { try Self.place($0, run) }
    let vocabulary = try TagVocabulary(run, of: place)
    try TagsCommand(invocation: invocation, run: run, vocabulary: vocabulary).run(arguments)
  }

  private let invocation: Invocation
  private let run: Run
  private let vocabulary: TagVocabulary

  private static func place(_ text: String, _ run: Run) throws -> TagVocabulary.Place {
    let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
    try UsageError.expect(
      parts.count == 2, "--of must be ENTITY.PROPERTY, not “\(text)”", help: "such as Link.tags")
    return (try ItemWords.entity(parts[0], in: run.catalog), parts[1])
  }

  private func run(_ arguments: Arguments) throws {
    let words = Array(arguments.words.dropFirst())
    switch arguments.words.first {
    case nil where arguments.isOn("tree"):
      _ = try arguments.wholeNumber("limit", atLeast: 1)
      try writeTree()
    case nil: try write(limit: arguments.wholeNumber("limit", atLeast: 1))
    case "suggest": try suggest(words, limit: arguments.wholeNumber("limit", atLeast: 1) ?? 5)
    case "rename": try rename(words)
    case "merge": try merge(words)
    case "colour", "color": try colour(words)
    case "delete", "rm":
      try UsageError.expect(
        !words.isEmpty, "`tags delete` needs a tag", help: "errand tags delete TAG")
      let count = try vocabulary.delete(words)
      invocation.say("Removed \(words.joined(separator: ", ")) from \(count.counted("item")).")
    case let word?:
      throw UsageError(
        "unknown subcommand “\(word)”",
        help: FamiliarWords.help(word, after: "tags")
          ?? (NounAndVerb.isListing(word) ? "`errand tags` shows the list" : nil)
          ?? Suggestion.nearest(to: word, in: ["suggest", "rename", "merge", "delete", "colour"])
          .map { "did you mean `errand tags \($0)`?" }
          ?? "`errand find links tag:\(word)` finds what has a tag")
    }
  }

  // MARK: Listing

  /// Writes the tags, most used first.
  private func write(limit: Int?) throws {
    let report = Report<ElementCount>(
      columns: ["tag": \.text, "items": { String($0.count) }],
      value: { .record(["tag": $0.text, "items": $0.count]) }, empty: "No tags.",
      form: .tableOrLines { "\($0.text)\t\($0.count)" })
    let tags = vocabulary.mostUsed
    try report.write(Array(tags.prefix(limit ?? tags.count)), to: invocation)
  }

  /// Writes the tags as a tree; a tag's count includes those below it.
  private func writeTree() throws {
    let roots = TagNode.forest(vocabulary.tags.map(\.text))
    guard invocation.mode.isPlain else {
      return try invocation.resultWriter.write(.list(try roots.map(value)))
    }
    if roots.isEmpty, invocation.console.stdoutIsTerminal { return invocation.say("No tags.") }
    let lines = try roots.flatMap { try branch($0, depth: 0) }
    let width = lines.map(\.text.displayWidth).max() ?? 0
    let digits = lines.map(\.count.count).max() ?? 0
    for (text, count) in lines {
      let padding = String(repeating: " ", count: digits - count.count)
      invocation.console.out("\(text.padded(to: width))  \(padding)\(count)\n")
    }
  }

  private func branch(_ node: TagNode, depth: Int) throws -> [(text: String, count: String)] {
    let text = String(repeating: "  ", count: depth) + node.name.harmless()
    return try [(text, String(vocabulary.count(under: node.tag)))]
      + node.children.flatMap { try branch($0, depth: depth + 1) }
  }

  private func value(of node: TagNode) throws -> Value {
    .record([
      "name": node.name, "tag": node.tag, "items": try vocabulary.count(under: node.tag),
      "children": try node.children.map(value),
    ])
  }

  // MARK: Suggesting

  private func suggest(_ words: [String], limit: Int) throws {
    guard let word = words.first else {
      throw UsageError(
        "`tags suggest` needs an item or an address", help: "errand tags suggest link:42")
    }
    let suggestions = TagSuggestions(run)
    if words == ["-"] { return try suggestForLines(suggestions, limit: limit) }
    let found: [LikenessSearch.TagSuggestion]
    if let item = try? run.item(words.joined(separator: " "), of: nil) {
      found = try suggestions.tags(for: item, limit: limit)
    } else if word.contains("://") {
      let texts = Array(words.dropFirst())
      found = try suggestions.tags(for: word, texts, limit: limit)
    } else {
      found = try suggestions.tags(
        for: try run.item(words.joined(separator: " "), of: nil), limit: limit)
    }
    let report = Report<LikenessSearch.TagSuggestion>(
      columns: ["tag": \.tag, "share": { "\(Int(($0.share * 100).rounded())) %" }],
      value: { .record(["tag": $0.tag, "share": $0.share]) },
      empty: "No tags: nothing here is like it.", form: .tableOrLines { $0.tag })
    try report.write(found, to: invocation)
  }

  /// Writes a JSON list of tags for each line of standard input.
  private func suggestForLines(_ suggestions: TagSuggestions, limit: Int) throws {
    var number = 0
    while let line = readLine() {
      number += 1
      guard let link = try? JSONValue(parsing: line), link["url"] ?? link["title"] != nil else {
        throw RunError(
          .invalidValue, "line \(number) is not a JSON object with `url` or `title`",
          help: #"such as {"url": "https://swift.org", "title": "Swift"}"#)
      }
      let texts = ["title", "summary"].compactMap { link[$0]?.string }
      let tags = try suggestions.tags(for: link["url"]?.string, texts, limit: limit)
      invocation.console.result(try JSONValue.array(tags.map { .string($0.tag) }).text() + "\n")
    }
  }

  // MARK: Changing

  private func rename(_ words: [String]) throws {
    try UsageError.expect(
      words.count == 2, "`tags rename` takes two tags", help: "errand tags rename OLD NEW")
    let count = try vocabulary.rename(words[0], to: words[1])
    var colours = TagColours(in: invocation.places?.data)
    try colours.carry(from: [words[0]], to: words[1])
    invocation.say("Renamed \(words[0]) to \(words[1]) in \(count.counted("item")).")
  }

  private func merge(_ words: [String]) throws {
    guard words.count >= 3, words[words.count - 2] == "into", let new = words.last else {
      throw UsageError("`tags merge` needs tags, `into` and a tag", help: Self.mergeExample(words))
    }
    let old = words.dropLast(2).filter { $0 != new }
    let count = try vocabulary.merge(old, into: new)
    var colours = TagColours(in: invocation.places?.data)
    try colours.carry(from: old, to: new)
    invocation.say("Merged \(old.joined(separator: ", ")) into \(new) in \(count.counted("item")).")
  }

  private func colour(_ words: [String]) throws {
    let names = TagColours.names.joined(separator: ", ")
    try UsageError.expect(
      words.count == 2, "`tags colour` takes a tag and a colour",
      help: "errand tags colour TAG COLOUR, one of \(names), or none")
    try UsageError.expect(
      words[1] == "none" || TagColours.names.contains(words[1]),
      "“\(words[1])” is not a colour for tags",
      help: Suggestion.help(for: words[1], in: TagColours.names) ?? "use \(names), or none")
    var colours = TagColours(in: invocation.places?.data)
    try colours.set(words[1] == "none" ? nil : words[1], of: words[0])
    invocation.say("\(words[0]) is \(words[1] == "none" ? "without a colour" : words[1]).")
  }

  /// Suggests the command meant by words without `into`.
  private static func mergeExample(_ words: [String]) -> String {
    guard words.count >= 2, !words.contains("into"), let new = words.last else {
      return "for example: errand tags merge js ecmascript into javascript"
    }
    let old = words.dropLast().map(\.quotedForShell).joined(separator: " ")
    return "write: errand tags merge \(old) into \(new.quotedForShell)"
  }
}

extension Arguments {
  /// Parses a flag's whole number; nil if not given.
  ///
  /// - Throws: `UsageError` for a smaller one than `least`, and for any other value.
  func wholeNumber(_ name: String, atLeast least: Int = 0) throws(UsageError) -> Int? {
    guard let text = last(name) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw UsageError(
        "--\(name) must be a whole number, \(least) or more, not “\(text)”",
        help: ["all", "none", "max", "unlimited", "inf"].contains(text.lowercased())
          ? "leave it out for all" : "write a number, such as --\(name) 20, or leave it out")
    }
    try UsageError.expect(
      number >= least, "--\(name) must be \(least) or more, not \(number)", help: "leave it out")
    return number
  }
}
