import Catalog
package import Engine
package import Items
import Program
import Source
import Store
import YAML

/// The elements of list properties, such as tags, over one entity or all that have them.
package final class TagVocabulary {
  /// The name of the property that tags are kept in.
  private static let defaultProperty = "tags"

  /// A list property of an entity.
  package typealias Place = (entity: String, property: String)

  private let session: Run
  private let places: [Place]
  /// Each with how many items have it.
  package let tags: [ElementCount]

  /// The vocabulary of a list property; of the tags of all entities for nil.
  ///
  /// - Throws: `usage` for a property that has none.
  package init(_ session: Run, of place: Place?) throws {
    self.session = session
    if let place {
      let lists = try Self.lists(of: place.entity, session)
      guard lists.contains(place.property) else {
        throw RunError.usage(
          "\(place.entity) has no list \(place.property) with `index: true`",
          help: lists.isEmpty
            ? "it has no such list at all" : "it has \(lists.joined(separator: ", "))")
      }
      places = [place]
    } else {
      places = try session.library.entityNames.filter { name in
        try Self.lists(of: name, session).contains(Self.defaultProperty)
      }.map { ($0, Self.defaultProperty) }
    }
    var counts: [String: Int] = [:]
    for (entity, property) in places {
      for element in try session.store(for: entity).items.elements(of: property, in: entity) {
        counts[element.text, default: 0] += element.count
      }
    }
    tags = counts.map { ElementCount($0.key, count: $0.value) }
  }

  /// The tags, the most used first.
  package var mostUsed: [ElementCount] {
    tags.sorted { ($1.count, $0.text) < ($0.count, $1.text) }
  }

  /// The list properties of an entity that have an index.
  private static func lists(of entity: String, _ session: Run) throws -> [String] {
    try session.library.entity(entity)?.properties.filter { property in
      if case .list = property.type.unwrapped { property.isIndexed } else { false }
    }.map(\.name.text) ?? []
  }

  /// Whether a tag, or one below it, is in use.
  package func holds(_ tag: String) -> Bool { tags.contains { isWithin($0.text, tag) } }

  /// Whether a tag is another one or stands below it.
  package func isWithin(_ tag: String, _ other: String) -> Bool {
    tag == other || tag.hasPrefix(other + "/")
  }

  /// The number of items that have a tag or one below it.
  package func count(under tag: String) throws -> Int {
    try places.reduce(0) { sum, place in
      let store = try session.store(for: place.entity)
      return try sum + store.items.count(under: tag, of: place.property, in: place.entity)
    }
  }

  /// Takes tags, and those below them, off all items; the number of items that were changed.
  package func delete(_ old: [String]) throws -> Int {
    let deleted = tags.map(\.text).filter { tag in old.contains { isWithin(tag, $0) } }
    return try change(Dictionary(deleted.map { ($0, nil) }) { first, _ in first })
  }

  /// Replaces tags, and those below them, by another; the number of items that were changed.
  ///
  /// - Throws: `usage` for a tag that can't be; nothing is changed then.
  package func replace(_ old: [String], with new: String) throws -> Int {
    guard !new.isEmpty, new.trimmingSpaces == new else {
      throw RunError.usage("a tag can't be empty, or begin or end with a space")
    }
    var replacements: [String: String?] = [:]
    for tag in tags.map(\.text) {
      guard let root = old.first(where: { isWithin(tag, $0) }) else { continue }
      replacements[tag] = new + tag.dropFirst(root.count)
    }
    return try change(replacements)
  }

  /// Replaces tags, or takes those off that get none, in one change.
  private func change(_ replacements: [String: String?]) throws -> Int {
    let store = try session.store()
    return try store.database.transaction {
      try places.reduce(0) { sum, place in
        try sum + store.items.replaceElements(replacements, of: place.property, in: place.entity)
      }
    }
  }
}
