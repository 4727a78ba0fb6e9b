import Catalog
package import Engine
package import Items
import Program
import Source
import Store
import YAML

/// The elements of list properties, such as tags, of one entity or of all.
package final class TagVocabulary {
  /// The name of the tags property.
  private static let defaultProperty = "tags"

  /// A list property of an entity.
  package typealias Place = (entity: String, property: String)

  private let run: Run
  private let places: [Place]
  /// The tags with their numbers of items.
  package let tags: [ElementCount]

  /// Reads the elements of a list property; for nil, the tags of all entities.
  ///
  /// - Throws: `usage` if the property is not an indexed list.
  package init(_ run: Run, of place: Place?) throws {
    self.run = run
    if let place {
      let lists = try Self.lists(of: place.entity, run)
      guard lists.contains(place.property) else {
        throw RunError.usage(
          "\(place.entity) has no list \(place.property) with `index: true`",
          help: lists.isEmpty
            ? "it has no such list at all" : "it has \(lists.joined(separator: ", "))")
      }
      places = [place]
    } else {
      places = try run.catalog.entityNames.filter { name in
        try Self.lists(of: name, run).contains(Self.defaultProperty)
      }.map { ($0, Self.defaultProperty) }
    }
    var counts: [String: Int] = [:]
    for (entity, property) in places {
      for element in try run.store(for: entity).items.elements(of: property, in: entity) {
        counts[element.text, default: 0] += element.count
      }
    }
    tags = counts.map { ElementCount($0.key, count: $0.value) }
  }

  /// The tags, most used first.
  package var mostUsed: [ElementCount] { tags.sorted { ($1.count, $0.text) < ($0.count, $1.text) } }

  /// The indexed list properties of an entity.
  private static func lists(of entity: String, _ run: Run) throws -> [String] {
    try run.catalog.entity(entity)?.properties.filter { property in
      if case .list = property.type.unwrapped { property.isIndexed } else { false }
    }.map(\.name.text) ?? []
  }

  /// Whether a tag or one of its descendants is in use.
  package func holds(_ tag: String) -> Bool { tags.contains { isWithin($0.text, tag) } }

  /// Whether `tag` equals `other` or is a descendant of it.
  package func isWithin(_ tag: String, _ other: String) -> Bool {
    tag == other || tag.hasPrefix(other + "/")
  }

  /// The number of items with a tag or one of its descendants.
  package func count(under tag: String) throws -> Int {
    try places.reduce(0) { sum, place in
      let store = try run.store(for: place.entity)
      return try sum + store.items.count(under: tag, of: place.property, in: place.entity)
    }
  }

  /// Removes tags and their descendants from all items; returns the number of changed items.
  package func delete(_ old: [String]) throws -> Int {
    let deleted = tags.map(\.text).filter { tag in old.contains { isWithin(tag, $0) } }
    return try change(Dictionary(deleted.map { ($0, nil) }) { first, _ in first })
  }

  /// Replaces tags and their descendants by another tag; returns the number of changed items.
  ///
  /// - Throws: `usage` if the new tag is invalid; then nothing changes.
  package func replace(_ old: [String], with new: String) throws -> Int {
    guard !new.isEmpty, new.trimmingSpaces == new else {
      throw RunError.usage("a tag cannot be empty, or begin or end with a space")
    }
    var replacements: [String: String?] = [:]
    for tag in tags.map(\.text) {
      guard let root = old.first(where: { isWithin(tag, $0) }) else { continue }
      replacements[tag] = new + tag.dropFirst(root.count)
    }
    return try change(replacements)
  }

  /// Replaces tags, or removes those with nil, in one change.
  private func change(_ replacements: [String: String?]) throws -> Int {
    let store = try run.store()
    return try store.transaction {
      try places.reduce(0) { sum, place in
        try sum + store.items.replaceElements(replacements, of: place.property, in: place.entity)
      }
    }
  }
}
