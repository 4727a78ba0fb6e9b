import CEL
import Items
import JSON

/// Writes an item with everything that another store needs to import it.
struct ExportWriter {
  private let json: ItemJSON

  /// Creates a writer that formats dates in the user's time zone.
  init(_ context: ExchangeContext) {
    json = ItemJSON(day: context.day)
  }

  /// Returns an item as a line of JSON.
  func line(of item: Item) throws -> String {
    try JSONWriter { _ in members(of: item) }.text(of: .object(item)) + "\n"
  }

  func members(of item: Item) -> [(String, Value)] {
    var members = json.members(of: item)
    let afterReference = members.firstIndex { $0.0 == "ref" }.map { $0 + 1 } ?? 0
    members.insert(("uid", item.field("uid") ?? .null), at: afterReference)
    let references = references(of: item)
    if !references.isEmpty {
      // Ids are local to a store; the uid identifies the item in every store.
      members.append((NewItemReader.referencesMember, .map(references)))
    }
    return members
  }

  /// Returns the uids of referenced items by their references.
  private func references(of item: Item) -> MapValue {
    var references = MapValue()
    for property in item.schema.properties where property.type.referredEntity != nil {
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
