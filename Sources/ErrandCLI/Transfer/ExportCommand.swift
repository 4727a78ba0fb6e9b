import Catalog
import Engine
import ErrandKit
import Exchange
import Items
import Source
import Store

/// `errand export [ENTITY…]`: writes items as JSON Lines or in the formats of other programs.
enum ExportCommand {
  static let command = Command(
    "export", "write items for another store or another program", usage: "[ENTITY…]",
    flags: [
      Flag(
        "to", .value(ExportFormat.allCases.map(\.rawValue).joined(separator: "|")),
        "the format; netscape is what browsers read [default jsonl]")
    ],
    serves: [], reads: .always
  ) { invocation, arguments in
    let word = arguments.last("to") ?? ExportFormat.jsonl.rawValue
    guard let format = ExportFormat(rawValue: word) else {
      throw UsageError(
        "--to can't be `\(word)`",
        help: Suggestion.help(for: word, in: ExportFormat.allCases.map(\.rawValue)))
    }
    let session = try invocation.session()
    let names = try arguments.words.map { try ItemWords(session).entity($0) }
    return try ExportCommand.run(
      format, entities: names.isEmpty ? nil : names, session: session, console: invocation.console)
  }

  /// Writes all items of the entities, those that others refer to first; the status to exit with.
  ///
  /// - Parameter entities: Their names; nil for all.
  static func run(
    _ format: ExportFormat, entities named: [String]?, session: Run, console: Console
  ) throws -> Int32 {
    let context = ExchangeContext(session)
    let store = try session.store()
    if named == nil { try tellUndefined(in: store, session.library, console) }
    let wanted = try ExportOrder(context).sorted(named ?? session.library.entityNames)
    let entities = try format.holdable(wanted, context)
    if let named, let left = named.first(where: { !entities.contains($0) }) {
      throw RunError(ExchangeError.noAddress(entity: left))
    }
    let writer = try format.writer(context, entities: entities)
    console.result(writer.beginning)
    for name in wanted {
      // An entity that was never used has no table, and none is made for it.
      guard try store.database.metadata("entity:" + name) != nil else { continue }
      _ = try session.store(for: name)
      guard entities.contains(name) else {
        if try !store.items.find(Query(name, limit: 1)).isEmpty {
          console.err("errand: not exported, since they have no address: \(name)\n")
        }
        continue
      }
      let query = Query(name, sort: [SortKey("createdAt"), SortKey("id")])
      try store.items.forEach(query) { item in
        console.result(try writer.text(item))
        return true
      }
    }
    console.result(writer.ending)
    return ExitStatus.done
  }

  /// Warns of items that are left out, since only their definition tells how to write them.
  private static func tellUndefined(
    in store: EntityStore, _ library: Library, _ console: Console
  ) throws {
    let defined = Set(library.entityNames)
    let names = try store.database.entitiesWithItems().filter { !defined.contains($0) }
    if names.isEmpty { return }
    let listed = names.joined(separator: ", ")
    let advice = "give the folder of the definitions with --catalog DIR"
    console.err("errand: not exported, since not defined here: \(listed); \(advice)\n")
  }
}
