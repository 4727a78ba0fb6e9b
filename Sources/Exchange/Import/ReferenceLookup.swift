import CEL
import Items
import Store

/// Finds the items that a line of an import refers to.
final class ReferenceLookup {
  private let store: (String) throws -> EntityStore
  /// The global ids of the items by their references where the line was written.
  private let globalIDs: MapValue
  /// Whether the line's own item can be found again to be completed.
  private let hasUID: Bool
  /// What was not found.
  private(set) var missing: [DraftReader.Missing] = []

  /// - Parameter store: gives the store with the table of an entity ready, when it may be used.
  init(
    _ store: @escaping (String) throws -> EntityStore, _ globalIDs: MapValue, hasUID: Bool
  ) {
    self.store = store
    self.globalIDs = globalIDs
    self.hasUID = hasUID
  }

  /// The item that a text or a number stands for; nil, and noted as missing, when there is none.
  ///
  /// - Parameter canBeLeftOut: whether the property may do without it.
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
      throw DraftReader.Problem(
        "`\(property)` must be a reference such as \(EntitySchema.kind(of: entity)):42")
    }
  }

  /// By reference, by global id, or by identity such as a URL.
  private func item(_ text: String, of entity: String, in store: EntityStore) throws -> Item? {
    if let (kind, id) = ItemReference.parse(text), kind == EntitySchema.kind(of: entity) {
      return try store.items.get(entity, id: id)
    }
    return try store.items.get(entity, uid: text) ?? store.items.get(entity, identity: text)
  }

  private func note(_ property: String, _ text: String, canWait: Bool) {
    missing.append(.init(property: property, text: text, canWait: canWait))
  }
}
