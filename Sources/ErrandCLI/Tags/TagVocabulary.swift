import Catalog
import Engine
import Items
import Program
import Source
import Store
import YAML

/// The elements of list properties, such as tags, over one entity or all that have them.
final class TagVocabulary {
  /// The name of the property that tags are kept in.
  static let usualProperty = "tags"

  private let session: Run
  /// The entities and the property in each.
  private let places: [(entity: String, property: String)]
  /// Each with how many items have it.
  private(set) var tags: [ElementCount] = []

  /// The vocabulary of `ENTITY.PROPERTY`; of the tags of all entities when that is nil.
  ///
  /// - Throws: `UsageError` for a property that has none.
  init(_ session: Run, of place: String?) throws {
    self.session = session
    if let place {
      places = [try Self.place(place, session)]
    } else {
      places = try session.library.entityNames.filter { name in
        try Self.lists(of: name, session).contains(Self.usualProperty)
      }.map { ($0, Self.usualProperty) }
    }
    try read()
  }

  private func read() throws {
    var counts: [String: Int] = [:]
    for (entity, property) in places {
      let store = try session.store(for: entity)
      for element in try store.elements(of: property, in: entity) {
        counts[element.text, default: 0] += element.count
      }
    }
    tags = counts.map { ElementCount($0.key, count: $0.value) }
  }

  /// The list properties of an entity that have an index.
  private static func lists(of entity: String, _ session: Run) throws -> [String] {
    try session.library.entity(entity)?.properties.filter { property in
      if case .list = property.type.unwrapped { property.isIndexed } else { false }
    }.map(\.name.text) ?? []
  }

  private static func place(
    _ text: String, _ session: Run
  ) throws -> (entity: String, property: String) {
    let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw UsageError("--of is ENTITY.PROPERTY, and “\(text)” is not", help: "such as Link.tags")
    }
    let entity = try ItemWords(session).entity(parts[0])
    let lists = try lists(of: entity, session)
    guard lists.contains(parts[1]) else {
      throw UsageError(
        "\(entity) has no list \(parts[1]) with `index: true`",
        help: lists.isEmpty
          ? "it has no such list at all" : "it has \(lists.joined(separator: ", "))")
    }
    return (entity, parts[1])
  }

  /// Whether a tag, or one below it, is in use.
  func holds(_ tag: String) -> Bool { tags.contains { isWithin($0.text, tag) } }

  /// Whether a tag is another one or stands below it.
  func isWithin(_ tag: String, _ other: String) -> Bool {
    tag == other || tag.hasPrefix(other + "/")
  }

  /// How many items have a tag or one below it.
  func count(under tag: String) throws -> Int {
    try places.reduce(0) { sum, place in
      let store = try session.store(for: place.entity)
      return try sum + store.count(under: tag, of: place.property, in: place.entity)
    }
  }

  /// Expects that a tag is in use.
  ///
  /// - Throws: `not-found` with the nearest one.
  func expect(_ tag: String) throws {
    if holds(tag) { return }
    throw RunError(
      .notFound, "nothing has the tag “\(tag)”",
      help: Suggestion.help(for: tag, in: tags.map(\.text)) ?? "`errand tags` lists them")
  }

  /// Takes tags, and those below them, off all items; the number of items that were changed.
  func delete(_ old: [String]) throws -> Int {
    let deleted = tags.map(\.text).filter { tag in old.contains { isWithin(tag, $0) } }
    return try change(Dictionary(deleted.map { ($0, nil) }) { first, _ in first })
  }

  /// Replaces tags, and those below them, by another; the number of items that were changed.
  ///
  /// - Throws: `invalid-value`; nothing is changed then.
  func replace(_ old: [String], with new: String) throws -> Int {
    guard !new.isEmpty, new.trimmingSpaces == new else {
      throw UsageError("a tag can't be empty, or begin or end with a space")
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
    return try store.transaction {
      try places.reduce(0) { sum, place in
        try sum + store.replaceElements(replacements, of: place.property, in: place.entity)
      }
    }
  }
}
