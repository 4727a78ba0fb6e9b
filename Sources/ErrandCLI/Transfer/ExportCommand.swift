import Catalog
import Engine
import Exchange
import Items
import Source
import Store

/// `errand export [ENTITY…]`: writes items as JSON Lines.
enum ExportCommand {
  static let command = Command(
    "export", "write items as JSON Lines", usage: "[ENTITY…]",
    serves: [], reads: .always
  ) { invocation, arguments in
    let session = try invocation.session()
    let names = try arguments.words.map { try ItemWords(session).entity($0) }
    return try ExportCommand.run(
      entities: names.isEmpty ? nil : names, session: session, console: invocation.console)
  }

  /// Writes all items of the entities, those that others refer to first; the status to exit with.
  ///
  /// - Parameter entities: Their names; nil for all.
  static func run(entities: [String]?, session: Run, console: Console) throws -> Int32 {
    let context = ExchangeContext(session)
    let writer = ExportWriter(context)
    let store = try session.store()
    if entities == nil { try tellUndefined(in: store, session.library, console) }
    let entities = entities ?? session.library.entityNames
    for name in try ExportOrder(context).sorted(entities) {
      // An entity that was never used has no table, and none is made for it.
      guard try store.metadata("entity:" + name) != nil else { continue }
      _ = try session.store(for: name)
      let query = Query(name, sort: [SortKey("createdAt"), SortKey("id")])
      try store.forEach(query) { item in
        var line: [UInt8] = []
        try writer.write(item, to: &line)
        console.out(bytes: line)
        return true
      }
    }
    return ExitStatus.done
  }

  /// Warns of items that are left out, since only their definition tells how to write them.
  private static func tellUndefined(
    in store: EntityStore, _ library: Library, _ console: Console
  ) throws {
    let defined = Set(library.entityNames)
    let names = try store.entitiesWithItems().filter { !defined.contains($0) }
    if names.isEmpty { return }
    let listed = names.joined(separator: ", ")
    let advice = "give the folder of the definitions with --catalog DIR"
    console.err("errand: not exported, since not defined here: \(listed); \(advice)\n")
  }
}
