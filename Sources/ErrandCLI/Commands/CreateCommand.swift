import Engine
import Items

/// `errand create`: creates an item.
enum CreateCommand {
  static let command = Command(
    "create", "create an item", usage: "ENTITY NAME=VALUE…",
    flags: [
      Flag(
        "on-conflict", .value("fail|keep|merge|update|replace"),
        "what to do when an item of the same identity is there [default fail]")
    ],
    serves: [.json, .format, .events, .answers]
  ) { invocation, arguments in
    guard let word = arguments.words.first else {
      throw UsageError("there is no entity", help: "errand create Task title='Write'")
    }
    let session = try invocation.session()
    let entity = try ItemWords(session).entity(word)
    let policy = arguments.last("on-conflict") ?? "fail"
    guard let policy = ConflictPolicy(rawValue: policy) else {
      throw UsageError(
        "--on-conflict can't be `\(policy)`", help: "it is fail, keep, merge, update or replace")
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
}
