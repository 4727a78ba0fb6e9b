import CEL
import Items
import Store

/// Resolves the references of a line.
final class ReferenceLookup {
  private let store: (String) throws -> Database
  /// The uids of the items by their references in the exporting store.
  private let globalIDs: MapValue
  /// Whether the line's own item has a uid, so that it can be completed later.
  private let hasUID: Bool
  /// The unresolved references.
  private(set) var missing: [NewItemReader.Missing] = []

  /// - Parameter store: Opens the store with the table of an entity prepared.
  init(
    _ store: @escaping (String) throws -> Database, _ globalIDs: MapValue, hasUID: Bool
  ) {
    self.store = store
    self.globalIDs = globalIDs
    self.hasUID = hasUID
  }

  /// Returns the item that a text or number refers to; if there is none, records it as missing and returns nil.
  ///
  /// - Parameter canBeLeftOut: Whether the property is optional.
  func item(
    _ value: Value, of entity: String, for property: String, canBeLeftOut: Bool
  ) throws -> Item? {
    let store = try self.store(entity)
    switch value {
    case .int(let id):
      if let item = try store.items.get(entity, id: id) { return item }
      note(property, String(id), canWait: false)
      return nil
    case .string(let text):
      if case .string(let uid)? = globalIDs[text] {
        if let item = try store.items.get(entity, uid: uid) { return item }
        note(property, text, canWait: canBeLeftOut && hasUID)
        return nil
      }
      if let item = try item(text, of: entity, in: store) { return item }
      note(property, text, canWait: false)
      return nil
    default:
      throw NewItemReader.Problem(
        "`\(property)` must be a reference such as \(EntitySchema.kind(of: entity)):42")
    }
  }

  /// Looks up an item by reference, by uid, or by identity such as a URL.
  private func item(_ text: String, of entity: String, in store: Database) throws -> Item? {
    if let (kind, key) = ItemReference.parse(text), kind == EntitySchema.kind(of: entity) {
      return try store.items.get(entity, key)
    }
    return try store.items.get(entity, uid: text) ?? store.items.get(entity, identity: text)
  }

  private func note(_ property: String, _ text: String, canWait: Bool) {
    missing.append(.init(property: property, text: text, canWait: canWait))
  }
}
