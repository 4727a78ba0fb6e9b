import CEL
import Catalog
import Items
import Program
import Store
import YAML

/// An item that words of a sentence may mean.
package struct SpokenItem: Sendable {
  package let reference: String
  package let entity: String
  package let title: String
  /// The words by which people name it: of its title, tags and site.
  package let names: String
  /// Its Boolean properties.
  package let states: [String: Bool]
  /// The property with its title; nil if it has none.
  package let titleProperty: String?

  package init(
    reference: String, entity: String = "", title: String, names: String,
    states: [String: Bool] = [:], titleProperty: String? = "title"
  ) {
    self.reference = reference
    self.entity = entity
    self.title = title
    self.names = names
    self.states = states
    self.titleProperty = titleProperty
  }
}

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

  /// The items of an entity with some words as reference, identity or title; empty for none.
  package func spokenItems(named words: String, of entity: String) -> [SpokenItem] {
    let text = words.trimmingSpaces
    guard !text.isEmpty, let definition = try? workspace.entity(entity).definition,
      let store = try? workspace.store(for: entity)
    else { return [] }
    if let found = try? store.items.get(entity, identity: text), let item = spoken(found) {
      return [item]
    }
    if ItemReference.parse(text) != nil,
      let found = try? ItemResolver(run: self).item(reference: text),
      found.entity == entity, let item = spoken(found)
    {
      return [item]
    }
    guard let title = TitleProperty.name(of: definition) else { return [] }
    let found = try? store.items.find(entity, property: title, sameAs: text, limit: 20)
    return (found ?? []).compactMap(spoken)
  }

  /// The items of an entity that a search for words finds, best first, and then its newest ones.
  ///
  /// - Parameter newest: The number of newest items, which are found whatever their words are.
  package func spokenItems(
    near words: [String], of entity: String, newest: Int
  ) -> (found: [SpokenItem], isNear: Bool) {
    guard let store = try? workspace.store(for: entity) else { return ([], true) }
    let text = words.joined(separator: " ")
    let hits = (try? store.items.find(Query(entity, match: text, limit: 20))) ?? []
    var found = hits.compactMap(spoken)
    let order = [SortKey("createdAt", descending: true)]
    if newest > 0, let others = try? store.items.find(Query(entity, sort: order, limit: newest)) {
      let known = Set(found.map(\.reference))
      found += others.compactMap(spoken).filter { !known.contains($0.reference) }
    }
    return (found, hits.first?.isNear ?? true)
  }

  /// The item with a reference such as `link:42`; nil if there is none.
  package func spokenItem(_ reference: String) -> SpokenItem? {
    (try? ItemResolver(run: self).item(reference: reference)).flatMap(spoken)
  }

  /// All items that have a tag; for nil, those that are done.
  ///
  /// - Throws: what the store throws.
  package func spokenItems(tagged tag: String?) throws -> [SpokenItem] {
    let property = tag == nil ? "done" : "tags"
    return try catalog.entityNames.flatMap { entity -> [SpokenItem] in
      let definition = try workspace.entity(entity).definition
      guard definition.properties.contains(where: { $0.name.text == property }) else { return [] }
      var search = Search(entity: entity)
      if let tag { search.match = "tag:\"\(tag)\"" } else { search.filter = "self.done == true" }
      return try find(search).compactMap(spoken)
    }
  }

  private func spoken(_ item: Item) -> SpokenItem? {
    guard let reference = item.reference?.description else { return nil }
    var names = [renderer.title(of: item)]
    var states: [String: Bool] = [:]
    for property in item.schema.properties.map(\.name) {
      guard let value = item.field(property) else { continue }
      if case .bool(let isOn) = value { states[property] = isOn }
      if property == "url", case .string(let url) = value {
        names.append(url.split(separator: "/").dropFirst().first.map(String.init) ?? url)
      }
      if property == "tags", case .list(let tags) = value {
        for case .string(let tag) in tags { names.append(tag) }
      }
    }
    return SpokenItem(
      reference: reference, entity: item.entity, title: names[0],
      names: names.joined(separator: " "), states: states,
      titleProperty: (try? workspace.entity(item.entity).definition).flatMap(TitleProperty.name))
  }
}
