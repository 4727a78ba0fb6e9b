import CEL
import Engine
import Items
import Program
import Source

/// `errand update`: changes items.
enum UpdateCommand {
  static let command = Command(
    "update", "change items", usage: "REF… [NAME=VALUE…] | ENTITY WORDS… [NAME=VALUE…]",
    discussion: """
      A REF is a reference such as link:42, a URL, a number, or - for those that a pipe gives, one a
      line. An ENTITY with words to search for, or with --where, means all items that are found, once
      you agreed. It is one change for `errand undo`.
      """,
    flags: [
      Flag("add", .value("NAME=VALUE"), "add to a list, such as tags=swift", isList: true),
      Flag("remove", .value("NAME=VALUE"), "take out of a list", isList: true),
      ItemSelection.filterFlag,
    ],
    serves: [.json, .format, .events, .answers], flagHelp: ItemWords.fieldHelp
  ) { invocation, arguments in
    let words = arguments.words.filter { !ItemWords.isField($0) }
    if words.isEmpty, arguments.last("where") == nil {
      throw UsageError("missing item", help: "for example: errand update link:42 title='Swift'")
    }
    for word in words {
      guard let equals = word.firstIndex(of: "="),
        case var name = word[..<equals], name.popLast() == "+",
        ItemWords.isField(name + "=")
      else { continue }
      let value = String(word[word.index(after: equals)...]).quotedForShell
      throw UsageError(
        "“\(word.shortened)” isn't of the form NAME=VALUE",
        help: "write --add \(name)=\(value)")
    }
    let session = try invocation.session()
    let selection = try ItemSelection.of(
      words, filter: arguments.last("where"), changes: true, session)
    let fields = try ItemWords.fields(arguments.words.filter(ItemWords.isField)[...])
    let added = try arguments.pairs("add").map { (name: $0.key, text: $0.value) }
    let removed = try arguments.pairs("remove").map { (name: $0.key, text: $0.value) }
    if fields.isEmpty, added.isEmpty, removed.isEmpty {
      throw UsageError("nothing to change", help: "add NAME=VALUE, --add or --remove")
    }
    let entities = Set(selection.items.map(\.entity))
    guard let entity = entities.first else { return ExitStatus.done }
    guard entities.count == 1 else {
      throw UsageError(
        "the items are of several entities: \(entities.sorted().joined(separator: ", "))",
        help: "change those of one entity at a time")
    }
    let set = try session.properties(fields, of: entity)
    let add = try session.properties(added, of: entity)
    let remove = try session.properties(removed, of: entity)
    if selection.isSearched {
      try session.agree(
        to: "Change \(session.summary(of: selection.items))?", else: "Nothing changed.")
    }
    let changed = try session.update(selection.items, set: set, add: add, remove: remove)
    if selection.isSingle, let item = changed.first {
      try invocation.resultWriter.write(changed: item, "Updated")
    } else {
      try invocation.resultWriter.write(changed: changed, "Updated", session)
    }
    return ExitStatus.done
  }
}
