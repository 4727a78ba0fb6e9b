import Engine
import Store

/// `errand export [ENTITY…]`: writes items as JSON Lines.
enum ExportCommand {
  /// Writes all items of the entities, those that others refer to first; the status to exit with.
  static func run(entities: [String], session: Session, console: Console) throws -> Int32 {
    let writer = ExportWriter(clock: session.host.clock)
    let store = try session.store()
    for name in try ExportOrder(session).sorted(entities) {
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
}
