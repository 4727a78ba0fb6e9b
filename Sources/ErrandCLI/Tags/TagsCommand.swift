import CEL
import Engine
import ErrandKit
import Items
import Program
import Source

/// `errand tags`: shows tags with how many items have them, renames and merges them.
enum TagsCommand {
  static let command = Command(
    "tags", "show tags and their counts; rename, merge and delete them",
    usage: "[rename OLD NEW | merge TAG… into TAG | delete TAG…]",
    discussion: """
      Without --of these are the tags of all entities that have some. A tag that is renamed, merged
      or deleted takes the tags below it along, such as lang/swift with lang. The items stay, and it
      is one change for `errand undo`.
      """,
    flags: [
      Flag("tree", .toggle, "as a tree, where `a/b` stands below `a`"),
      Flag("of", .value("ENTITY.PROPERTY"), "of another list property with `index`"),
      Flag("limit", short: "n", .value("N"), "how many tags at most"),
    ],
    serves: [.json, .format, .events], reads: .withoutWords
  ) { invocation, arguments in
    let session = try invocation.session()
    let place = try arguments.last("of").map { try Self.place($0, session) }
    let vocabulary = try TagVocabulary(session, of: place)
    switch arguments.words.first {
    case nil:
      let limit = try arguments.wholeNumber("limit")
      let list = TagListing(invocation, vocabulary)
      if arguments.isOn("tree") { try list.writeTree() } else { try list.write(limit: limit) }
    case "rename": try rename(arguments.words, vocabulary, invocation)
    case "merge": try merge(arguments.words, vocabulary, invocation)
    case "delete", "rm": try delete(arguments.words, vocabulary, invocation)
    case let word?:
      throw UsageError(
        "unknown subcommand “\(word)”",
        help: Suggestion.nearest(to: word, in: ["rename", "merge", "delete"])
          .map { "did you mean `errand tags \($0)`?" }
          ?? "`errand find links tag:\(word)` finds what has a tag")
    }
    return ExitStatus.done
  }

  private static func place(_ text: String, _ session: Run) throws -> TagVocabulary.Place {
    let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw UsageError("--of is ENTITY.PROPERTY, and “\(text)” is not", help: "such as Link.tags")
    }
    return (try ItemWords(session).entity(parts[0]), parts[1])
  }

  /// - Throws: `not-found` with the nearest tag where none of them is in use.
  private static func expect(_ tag: String, in vocabulary: TagVocabulary) throws {
    if vocabulary.holds(tag) { return }
    throw RunError(
      .notFound, "nothing has the tag “\(tag)”",
      help: Suggestion.help(for: tag, in: vocabulary.tags.map(\.text))
        ?? "`errand tags` lists them")
  }

  private static func rename(
    _ words: [String], _ vocabulary: TagVocabulary, _ invocation: Invocation
  ) throws {
    guard words.count == 3 else {
      throw UsageError("`tags rename` takes two tags", help: "errand tags rename OLD NEW")
    }
    let (old, new) = (words[1], words[2])
    guard old != new else { throw UsageError("both tags are “\(old)”") }
    try expect(old, in: vocabulary)
    // A tag may move below itself, and change its capitals.
    if vocabulary.holds(new), !vocabulary.isWithin(new, old) {
      throw RunError(
        .conflict, "“\(new)” is a tag already",
        help: "errand tags merge \(old.quotedForShell) into \(new.quotedForShell)")
    }
    let count = try vocabulary.replace([old], with: new)
    invocation.say("Renamed \(old) to \(new) in \(count.counted("item")).")
  }

  private static func delete(
    _ words: [String], _ vocabulary: TagVocabulary, _ invocation: Invocation
  ) throws {
    let tags = Array(words.dropFirst())
    guard !tags.isEmpty else {
      throw UsageError("`tags delete` needs a tag", help: "errand tags delete TAG")
    }
    for tag in tags { try expect(tag, in: vocabulary) }
    let count = try vocabulary.delete(tags)
    invocation.say(
      "Removed \(tags.joined(separator: ", ")) from \(count.counted("item")).")
  }

  /// The command that words without `into` may have been meant for.
  private static func mergeExample(_ words: [String]) -> String {
    guard words.count >= 3, !words.contains("into"), let new = words.last else {
      return "for example: errand tags merge js ecmascript into javascript"
    }
    let old = words[1..<words.count - 1].map(\.quotedForShell).joined(separator: " ")
    return "write: errand tags merge \(old) into \(new.quotedForShell)"
  }

  private static func merge(
    _ words: [String], _ vocabulary: TagVocabulary, _ invocation: Invocation
  ) throws {
    guard words.count >= 4, words[words.count - 2] == "into", let new = words.last else {
      throw UsageError(
        "`tags merge` needs tags, `into` and a tag",
        help: Self.mergeExample(words))
    }
    let old = words[1..<words.count - 2].filter { $0 != new }
    guard !old.isEmpty else { throw UsageError("“\(new)” can't be merged into itself") }
    for tag in old { try expect(tag, in: vocabulary) }
    let count = try vocabulary.replace(old, with: new)
    invocation.say(
      "Merged \(old.joined(separator: ", ")) into \(new) in \(count.counted("item")).")
  }
}

extension ParsedArguments {
  /// A flag's whole number from 0; nil when it is not given.
  ///
  /// - Throws: `UsageError` for anything else.
  func wholeNumber(_ name: String) throws(UsageError) -> Int? {
    guard let text = last(name) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw UsageError("--\(name) must be a whole number, 0 or more, not “\(text)”")
    }
    return number
  }
}
