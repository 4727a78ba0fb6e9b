import Catalog
import Engine
import Items
import Program
import Source
import YAML

/// `errand create`: creates an item.
enum CreateCommand {
  static let command = Command(
    "create", "create an item", usage: "ENTITY NAME=VALUE…",
    flags: [
      Flag(
        "on-conflict", .value("fail|keep|merge|update|replace"),
        "what to do when an item of the same identity is there [default fail]")
    ],
    serves: [.json, .format, .events, .answers], flagHelp: ItemWords.fieldHelp
  ) { invocation, arguments in
    guard let word = arguments.words.first else {
      throw UsageError("missing entity", help: "for example: errand create Task title='Write'")
    }
    let session = try invocation.session()
    let entity = try ItemWords(session).entity(word)
    try expectFields(arguments.words.dropFirst(), of: entity, in: session.library)
    let policy = arguments.last("on-conflict") ?? "fail"
    guard let policy = ConflictPolicy(rawValue: policy) else {
      throw UsageError(
        "--on-conflict can't be `\(policy)`",
        help: "choose fail, keep, merge, update or replace")
    }
    let values = try session.properties(
      try ItemWords.fields(arguments.words.dropFirst()), of: entity)
    // A merge or an update may find what is missing in the item that is there.
    if policy == .fail || policy == .replace {
      try session.expectRequired(of: entity, in: values.map(\.name))
    }
    let item = try session.create(entity, values, onConflict: policy)
    try invocation.resultWriter.write(changed: item, item.isNew == true ? "Created" : "Updated")
    return ExitStatus.done
  }

  /// - Throws: `UsageError` for a word that isn't NAME=VALUE, with what it may have been meant for.
  private static func expectFields(
    _ words: ArraySlice<String>, of entity: String, in library: Library
  ) throws {
    guard let word = words.first(where: { !ItemWords.isField($0) }) else { return }
    let definition = try library.entity(entity)
    var help = "errand create \(entity) NAME=VALUE…"
    if let identity = definition?.identity?.text,
      definition?.property(identity)?.type.unwrapped == .url, word.contains("://")
    {
      help = "write \(identity)=\(word)" + (entity == "Link" ? ", or errand save \(word)" : "")
    } else if let index = words.firstIndex(of: word), definition?.property(word) != nil,
      index + 1 < words.endIndex
    {
      help = "write \(word)=\(words[index + 1].quotedForShell)"
    }
    throw UsageError("“\(word.shortened)” isn't of the form NAME=VALUE", help: help)
  }
}
