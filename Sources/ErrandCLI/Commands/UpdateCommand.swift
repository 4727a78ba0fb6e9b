import Engine
import Items

/// `errand update`: changes an item.
enum UpdateCommand {
  static let command = Command(
    "update", "change an item", usage: "REF [NAME=VALUE…]",
    flags: [
      Flag("add", .value("NAME=VALUE"), "add to a list, such as tags=swift"),
      Flag("remove", .value("NAME=VALUE"), "take out of a list"),
    ],
    serves: [.json, .format, .events, .answers]
  ) { invocation, arguments in
    guard let word = arguments.words.first else {
      throw UsageError("there is no item", help: "errand update link:42 title='Swift'")
    }
    let session = try invocation.session()
    let item = try ItemWords(session).items([word])[0]
    let set = try session.properties(
      try ItemWords.fields(arguments.words.dropFirst()), of: item.entity)
    let add = try session.properties(
      try arguments.pairs("add").map { ($0.key, $0.value) }, of: item.entity)
    let remove = try session.properties(
      try arguments.pairs("remove").map { ($0.key, $0.value) }, of: item.entity)
    if set.isEmpty, add.isEmpty, remove.isEmpty {
      throw UsageError("there is nothing to change", help: "give NAME=VALUE, --add or --remove")
    }
    let changed = try session.update(item, set: set, add: add, remove: remove)
    try invocation.resultWriter.write(changed: changed, "Updated")
    return ExitStatus.done
  }
}
