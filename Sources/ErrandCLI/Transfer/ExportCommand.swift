import CEL
import Engine
import JSON
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

/// Writes an item with all that another store needs to take it in.
struct ExportWriter {
  private let json: ItemJSON

  init(clock: LocalClock) {
    json = ItemJSON(clock: clock)
  }

  /// Appends an item as a line.
  func write(_ item: Item, to line: inout [UInt8]) throws {
    try JSONWriter { _ in members(of: item) }.write(.object(item), to: &line)
    line.append(UInt8(ascii: "\n"))
  }

  private func members(of item: Item) -> [(String, Value)] {
    var members = json.members(of: item)
    let afterReference = members.firstIndex { $0.0 == "ref" }.map { $0 + 1 } ?? 0
    members.insert(("uid", item.field("uid") ?? .null), at: afterReference)
    let references = references(of: item)
    if !references.isEmpty {
      // A number means another item elsewhere; the global id is the same everywhere.
      members.append((DraftReader.referencesMember, .map(references)))
    }
    return members
  }

  /// The global ids of the items that it refers to, by their references.
  private func references(of item: Item) -> MapValue {
    var references = MapValue()
    for property in item.schema.properties where property.type.refersToItems {
      collect(item.field(property.name) ?? .null, into: &references)
    }
    return references
  }

  private func collect(_ value: Value, into references: inout MapValue) {
    switch value {
    case .object(let object):
      guard let item = object as? Item, let reference = item.reference, let uid = item.uid else {
        return
      }
      references[reference.description] = .string(uid)
    case .list(let values): for value in values { collect(value, into: &references) }
    case .map(let map): for entry in map.entries { collect(entry.value, into: &references) }
    default: break
    }
  }
}
