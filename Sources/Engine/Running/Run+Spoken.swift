import Items
import Program
import Store

extension Run {
  /// The title of the newest item of an entity; nil if there is none.
  package func newestTitle(of entity: String) -> String? {
    guard let store = try? workspace.store(for: entity),
      let item = try? store.items.find(
        Query(entity, sort: [SortKey("createdAt", descending: true)], limit: 1)
      ).first
    else { return nil }
    return renderer.title(of: item)
  }

  /// Whether some item of an entity has a title, an identity or a text with some words, as a
  /// reference in words is looked up.
  package func hasItem(_ words: String, of entity: String) -> Bool {
    let text = words.trimmingSpaces
    guard !text.isEmpty, let definition = try? workspace.entity(entity).definition,
      let store = try? workspace.store(for: entity)
    else { return false }
    if let found = try? store.items.get(entity, identity: text), found.reference != nil {
      return true
    }
    if let title = TitleProperty.name(of: definition),
      let found = try? store.items.find(entity, property: title, sameAs: text, limit: 1),
      !found.isEmpty
    {
      return true
    }
    let found = try? store.items.find(Query(entity, match: text, limit: 1))
    return found?.first.map { !$0.isNear } ?? false
  }
}
