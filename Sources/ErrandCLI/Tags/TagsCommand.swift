import Engine
import Items
import Program
import Source

/// `errand tags`: shows tags with how many items have them, renames and merges them.
enum TagsCommand {
  static let command = Command(
    "tags", "show tags with how many items have them, rename and merge them",
    usage: "[rename OLD NEW | merge TAG… into TAG]",
    discussion: """
      Without --of these are the tags of all entities that have some. What is renamed or merged takes
      the tags below it along, such as lang/swift with lang, and is one change for `errand undo`.
      """,
    flags: [
      Flag("tree", .toggle, "as a tree, where `a/b` stands below `a`"),
      Flag("of", .value("ENTITY.PROPERTY"), "of another list property with `index`"),
      Flag("limit", short: "n", .value("N"), "how many tags at most"),
    ],
    serves: [.json, .format, .events], reads: .never
  ) { invocation, arguments in
    invocation.onlyReads = { arguments.words.isEmpty }
    let session = try invocation.session()
    let vocabulary = try TagVocabulary(session, of: arguments.last("of"))
    switch arguments.words.first {
    case nil:
      let limit = try arguments.wholeNumber("limit")
      let list = TagListing(invocation, vocabulary)
      if arguments.isOn("tree") { try list.writeTree() } else { try list.write(limit: limit) }
    case "rename": try rename(arguments.words, vocabulary, invocation)
    case "merge": try merge(arguments.words, vocabulary, invocation)
    case let word?:
      throw UsageError(
        "`tags` takes rename or merge, and “\(word)” is neither",
        help: Suggestion.help(for: word, in: ["rename", "merge"])
          ?? "`errand find links tag:\(word)` finds what has a tag")
    }
    return ExitStatus.done
  }

  private static func rename(
    _ words: [String], _ vocabulary: TagVocabulary, _ invocation: Invocation
  ) throws {
    guard words.count == 3 else {
      throw UsageError("`tags rename` takes two tags", help: "errand tags rename OLD NEW")
    }
    let (old, new) = (words[1], words[2])
    guard old != new else { throw UsageError("“\(old)” is called so already") }
    try vocabulary.expect(old)
    // A tag may move below itself, and change its capitals.
    if vocabulary.holds(new), !vocabulary.isWithin(new, old) {
      throw RunError(
        .conflict, "“\(new)” is a tag already",
        help: "errand tags merge \(old.quotedForShell) into \(new.quotedForShell)")
    }
    let count = try vocabulary.replace([old], with: new)
    invocation.say("Renamed \(old) to \(new) in \(TagListing.items(count)).")
  }

  private static func merge(
    _ words: [String], _ vocabulary: TagVocabulary, _ invocation: Invocation
  ) throws {
    guard words.count >= 4, words[words.count - 2] == "into", let new = words.last else {
      throw UsageError(
        "`tags merge` takes tags, `into` and a tag",
        help: "errand tags merge js ecmascript into javascript")
    }
    let old = words[1..<words.count - 2].filter { $0 != new }
    guard !old.isEmpty else { throw UsageError("“\(new)” can't be merged into itself") }
    for tag in old { try vocabulary.expect(tag) }
    let count = try vocabulary.replace(old, with: new)
    invocation.say(
      "Merged \(old.joined(separator: ", ")) into \(new) in \(TagListing.items(count)).")
  }
}

extension ParsedArguments {
  /// A flag's whole number from 0; nil when it is not given.
  ///
  /// - Throws: `UsageError` for anything else.
  func wholeNumber(_ name: String) throws(UsageError) -> Int? {
    guard let text = last(name) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw UsageError("--\(name) is a whole number from 0, and “\(text)” is not")
    }
    return number
  }
}
