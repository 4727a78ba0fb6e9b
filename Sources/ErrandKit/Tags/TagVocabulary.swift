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

  // MARK: Changing

  /// Removes tags and their descendants from all items; returns the number of changed items.
  ///
  /// - Throws: `not-found` for an unused tag.
  package func delete(_ old: [String]) throws -> Int {
    try expect(old)
    let deleted = tags.map(\.text).filter { tag in old.contains { isWithin(tag, $0) } }
    return try change(Dictionary(deleted.map { ($0, nil) }) { first, _ in first })
  }

  /// Renames a tag and its descendants; returns the number of changed items.
  ///
  /// - Throws: `not-found` for an unused tag, `conflict` if the new one is in use, `usage` if it is
  ///   invalid; then nothing changes.
  package func rename(_ old: String, to new: String) throws -> Int {
    guard old != new else { throw RunError.usage("both tags are “\(old)”") }
    try expect([old])
    // A tag may move below itself or change its case.
    if holds(new), !isWithin(new, old) {
      throw RunError(
        .conflict, "the tag “\(new)” already exists",
        help: "errand tags merge \(old.quotedForShell) into \(new.quotedForShell)")
    }
    return try replace([old], with: new)
  }

  /// Replaces tags and their descendants by another tag, which may be in use; returns the number of
  /// changed items.
  ///
  /// - Throws: `not-found` for an unused tag, `usage` if none is left or the other one is invalid.
  package func merge(_ tags: [String], into new: String) throws -> Int {
    let old = tags.filter { $0 != new }
    guard !old.isEmpty else { throw RunError.usage("“\(new)” cannot be merged into itself") }
    try expect(old)
    return try replace(old, with: new)
  }

  /// Checks that all tags are in use.
  ///
  /// - Throws: `not-found` for an unused tag, with the nearest one in use.
  private func expect(_ tags: [String]) throws {
    guard let missing = tags.first(where: { !holds($0) }) else { return }
    throw RunError(
      .notFound, "nothing has the tag “\(missing)”",
      help: Suggestion.help(for: missing, in: self.tags.map(\.text)) ?? "`errand tags` lists them")
  }

  /// Replaces tags and their descendants by another tag; returns the number of changed items.
  private func replace(_ old: [String], with new: String) throws -> Int {
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
