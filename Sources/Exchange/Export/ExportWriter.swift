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

  /// Returns the members that an import needs: without ids of the store and values that are the default.
  func givenMembers(of item: Item) -> [(String, Value)] {
    members(of: item).filter { name, value in
      guard !["id", "ref", "isNew"].contains(name) else { return false }
      guard let property = item.schema.properties.first(where: { $0.name == name }) else {
        return true
      }
      return value != property.defaultValue ?? .null
    }
  }

  /// Returns, as JSON, the members that a record read from a written form would lack; empty if there are none.
  static func rest(of members: [(String, Value)], beyond record: ImportRecord) throws -> String {
    var known = MapValue()
    if case .item(.map(let map)) = record.content { known = map }
    var missing = MapValue()
    for (name, value) in members where known[name] != value.inJSON { missing[name] = value.inJSON }
    for entry in known.entries {
      guard case .string(let name) = entry.key else { continue }
      // A member derived by the reader, such as a title taken from the address.
      if !members.contains(where: { $0.0 == name }) { missing[name] = .null }
    }
    return missing.isEmpty ? "" : try JSONWriter().text(of: .map(missing))
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
