import CEL
import Catalog
import Engine
import Items
import Program
import Source

/// `errand update`: changes items.
enum UpdateCommand {
  static let command = Command(
    "update", "change items", usage: "REF… [NAME=VALUE…] | ENTITY WORDS… [NAME=VALUE…]",
    discussion: """
      A REF is a reference such as link:42, a URL, a number, or - to read references from a pipe.
      ENTITY with WORDS or --where means all items found, after you confirm. `errand undo` reverts
      all updates together.
      """,
    flags: [
      Flag("add", .value("NAME=VALUE"), "add to a list, such as tags=swift", isList: true),
      Flag("remove", .value("NAME=VALUE"), "remove from a list", isList: true),
      ItemSelection.filterFlag,
    ],
    serves: [.json, .format, .events, .answers], flagHelp: ItemWords.fieldHelp
  ) { invocation, arguments in
    let words = arguments.words.filter { !WordForm.isField($0) }
    if words.isEmpty, arguments.last("where") == nil {
      throw UsageError("missing item", help: "for example: errand update link:42 title='Swift'")
    }
    for word in words {
      guard let equals = word.firstIndex(of: "="),
        case var name = word[..<equals], name.popLast() == "+",
        WordForm.isField(name + "=")
      else { continue }
      let value = String(word[word.index(after: equals)...]).quotedForShell
      throw UsageError(
        "“\(word.shortened)” is not of the form NAME=VALUE",
        help: "write --add \(name)=\(value)")
    }
    let run = try invocation.openRun()
    try expectFields(arguments.words, in: run.catalog)
    let selection = try ItemSelection.of(
      words, filter: arguments.last("where"), changes: true, run)
    let fields = try ItemWords.fields(arguments.words.filter(WordForm.isField)[...])
    let added = try arguments.pairs("add").map { (name: $0.key, text: $0.value) }
    let removed = try arguments.pairs("remove").map { (name: $0.key, text: $0.value) }
    if fields.isEmpty, added.isEmpty, removed.isEmpty {
      throw UsageError("nothing to change", help: "add NAME=VALUE, --add or --remove")
    }
    let entities = Set(selection.items.map(\.entity))
    guard let entity = entities.first else { return }
    try UsageError.expect(
      entities.count == 1,
      "the items belong to several entities: \(entities.sorted().joined(separator: ", "))",
      help: "update one entity at a time")
    try expectWholeLists(fields, of: run.catalog.entity(entity))
    let set = try invocation.properties(fields, of: entity, run)
    let add = try invocation.properties(added, of: entity, run)
    let remove = try invocation.properties(removed, of: entity, run)
    if selection.isSearched {
      try run.agree(
        to: "Change \(run.summary(of: selection.items))?", else: "Nothing changed.")
    }
    let changed = try run.update(selection.items, set: set, add: add, remove: remove)
    try invocation.resultWriter.write(
      changed: changed, "Updated", isSingle: selection.isSingle && !changed.isEmpty)
  }

  /// Rejects `tags=+new`, which would replace the list by one value.
  private static func expectWholeLists(
    _ fields: [(name: String, text: String)], of definition: EntityDefinition?
  ) throws {
    for (name, text) in fields {
      guard case .list? = definition?.property(name)?.type.unwrapped,
        let flag = ["+": "add", "-": "remove"][text.prefix(1)], text.count > 1
      else { continue }
      let value = text.dropFirst()
      throw UsageError(
        "\(name)=\(text.shortened) would replace the whole list",
        help: "write --\(flag) \(name)=\(String(value).quotedForShell)")
    }
  }

  /// Rejects words after references that are not NAME=VALUE.
  private static func expectFields(_ words: [String], in catalog: DefinitionCatalog) throws {
    let words = words.map(WordForm.normal)
    let count = try words.indices.last { index in
      try words[...index].allSatisfy(WordForm.isName)
        || ItemWords.references(meantBy: words[...index], in: catalog) != nil
    }
    guard let count, case let rest = words[(count + 1)...],
      let wrong = rest.first(where: {
        !WordForm.isField($0) && (!WordForm.isName($0) || Int64($0) != nil)
      })
    else { return }
    let named = try ItemWords.references(meantBy: words[...count], in: catalog)
    let kind = ItemReference.parse(named?.last ?? words[0])?.kind
    let entity = catalog.entityNames.first { EntitySchema.kind(of: $0) == kind }
    let definition = try entity.flatMap { try catalog.entity($0) }
    throw UsageError(
      "“\(wrong.shortened)” is not of the form NAME=VALUE",
      help: ItemWords.fields(meantBy: rest, of: definition).map { "write \($0)" })
  }
}
