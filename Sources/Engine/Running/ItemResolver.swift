import CEL
import Catalog
import Items
import Links
import Program
import Source
import Store
import YAML

/// Finds the item that a text stands for (language §4).
struct ItemResolver {
  private let run: Run
  /// Keys that answer a question about which item is meant.
  private let keys: [String]

  init(_ run: Run, keys: [String] = []) {
    self.run = run
    self.keys = keys
  }

  /// How many hits a person is asked to choose from.
  private static let choiceLimit = 20

  /// The item of an entity: by reference, identity, signed link, exact title, then words.
  ///
  /// - Throws: `not-found`, `ambiguous`, `denied`, `invalid-value`.
  func item(_ text: String, of entity: String, named name: String) throws -> Item {
    let definition = try run.workspace.entity(entity).definition
    let store = try run.store(for: entity)
    var text = text.trimmingSpaces
    if text.contains("://"), let url = try? WebURL(pasted: text) { text = url.text }
    if text.isEmpty {
      throw RunError(.invalidValue, "`\(name)`: missing \(definition.displayName)")
    }
    if let item = try byReference(text, definition, store) { return item }
    if let item = try RunError.translating({ try store.items.get(entity, identity: text) }) {
      return item
    }
    if let item = try byWrappedLink(text, definition, store) { return item }
    let isURL = (try? WebURL(text)) != nil
    if isURL, identityIsURL(definition) {
      throw RunError(
        .notFound, "no \(definition.displayName) has the URL \(text.shortened)",
        remedy: entity == "Link" ? .save(url: text.shortened) : nil)
    }
    var hits = try hits(text, of: definition, titledIn: store)
    if hits.isEmpty { hits = try self.hits(text, of: definition, in: store) }
    switch hits.count {
    case 0:
      throw RunError(
        .notFound, "no \(definition.displayName) matches “\(text.shortened)”",
        remedy: .list(entity: entity))
    case 1: return hits[0]
    default:
      return try choose(
        among: hits, text, one: definition.displayName, many: definition.displayNamePlural,
        named: name)
    }
  }

  /// The item of any entity that words find: by its exact title, then by its texts.
  ///
  /// - Throws: `not-found`, `ambiguous`.
  func item(foundBy text: String) throws -> Item {
    let text = text.trimmingSpaces
    let names = run.library.entityNames
    var titled: [Item] = []
    var found: [Item] = []
    for entity in names.filter({ $0 == "Link" }) + names.filter({ $0 != "Link" }) {
      let definition = try run.workspace.entity(entity).definition
      let store = try run.store(for: entity)
      titled += try hits(text, of: definition, titledIn: store)
      if titled.isEmpty { found += try hits(text, of: definition, in: store) }
    }
    let hits = titled.isEmpty ? found : titled
    if hits.count > 1 {
      return try choose(among: hits, text, one: "item", many: "items", named: "item")
    }
    guard let hit = hits.first else {
      let kinds = names.map(EntitySchema.kind(of:))
      let kind = String(text.prefix { !$0.isNumber })
      let number = text.dropFirst(kind.count)
      throw RunError(
        .notFound, "nothing matches “\(text.shortened)”",
        remedy: kinds.contains(kind) && ItemReference.parseID(number) != nil
          ? .advice("did you mean \(kind):\(number)?") : .list(entity: "links", words: "links"))
    }
    return hit
  }

  /// The items with a title, whatever its capitals.
  private func hits(
    _ text: String, of definition: EntityDefinition, titledIn store: EntityStore
  ) throws -> [Item] {
    guard let title = TitleProperty.name(of: definition) else { return [] }
    return try RunError.translating {
      try store.items.find(
        definition.name.text, property: title, sameAs: text, limit: Self.choiceLimit)
    }
  }

  /// The items in which words are found, the best first.
  private func hits(
    _ text: String, of definition: EntityDefinition, in store: EntityStore
  ) throws -> [Item] {
    try RunError.translating {
      try store.items.find(Query(definition.name.text, match: text, limit: Self.choiceLimit))
    }
  }

  /// The item that a reference such as `link:42` names, whatever its entity.
  ///
  /// - Throws: `not-found`, `invalid-value` when the text is no reference.
  func item(reference text: String) throws -> Item {
    guard let colon = text.firstIndex(of: ":"), Int64(text[text.index(after: colon)...]) != nil
    else {
      throw RunError(
        .invalidValue, "“\(text.shortened)” isn't a reference",
        help: "a reference looks like link:42")
    }
    let prefix = String(text[..<colon])
    let names = run.library.entityNames
    guard let entity = names.first(where: { EntitySchema.kind(of: $0) == prefix }) else {
      throw RunError(
        .notFound, "unknown entity `\(prefix)`",
        help: Suggestion.help(for: prefix, in: names.map(EntitySchema.kind(of:))))
    }
    return try item(text, of: entity, named: "ref")
  }

  private func byReference(
    _ text: String, _ definition: EntityDefinition, _ store: EntityStore
  ) throws -> Item? {
    let entity = definition.name.text
    if let id = Int64(text), id > 0 {
      return try RunError.translating { try store.items.get(entity, id: id) }
    }
    guard let colon = text.firstIndex(of: ":"),
      let id = Int64(text[text.index(after: colon)...])
    else { return nil }
    let prefix = String(text[..<colon])
    if prefix == EntitySchema.kind(of: entity) {
      if let item = try RunError.translating({ try store.items.get(entity, id: id) }) {
        return item
      }
      throw RunError(.notFound, "there is no \(text)")
    }
    let others = run.library.entityNames.filter { EntitySchema.kind(of: $0) == prefix }
    if let other = others.first {
      let otherName = try run.workspace.entity(other).definition.displayName
      throw RunError(
        .invalidValue,
        "\(text) is \(Self.withArticle(otherName)), not \(Self.withArticle(definition.displayName))",
        remedy: .list(entity: entity))
    }
    return nil
  }

  private static func withArticle(_ noun: String) -> String {
    (noun.first.map { "aeiou".contains($0) } ?? false ? "an " : "a ") + noun
  }

  private func identityIsURL(_ definition: EntityDefinition) -> Bool {
    guard let identity = definition.identity else { return false }
    return definition.property(identity.text)?.type.unwrapped == .url
  }

  /// The link in a signed link: the stored one of its URL, else one that is not saved.
  private func byWrappedLink(
    _ text: String, _ definition: EntityDefinition, _ store: EntityStore
  ) throws -> Item? {
    guard identityIsURL(definition), let identity = definition.identity,
      LinkSigner.isWrapped(text, base: run.host.linkBase)
    else { return nil }
    let link = try LinkSigning(run).unwrap(text)
    let entity = definition.name.text
    if let item = try RunError.translating({ try store.items.get(entity, identity: link.url) }) {
      return item
    }
    var values: [(String, Value)] = [(identity.text, .string(link.url))]
    if let title = link.title, definition.property("title") != nil {
      values.append(("title", .string(title)))
    }
    return try RunError.translating { try store.items.makeUnsavedItem(entity, values) }
  }

  private func choose(
    among hits: [Item], _ text: String, one: String, many: String, named name: String
  ) throws -> Item {
    let renderer = run.renderer
    let cards = hits.map { renderer.card(of: $0) }
    let asker = run.asker
    guard asker.canAnswer(keys) else {
      let listed = cards.prefix(10).map { "\($0.reference ?? "") \($0.title)" }
      throw RunError(
        .ambiguous,
        "“\(text.shortened)” matches "
          + (hits.count >= Self.choiceLimit ? "\(hits.count) or more" : String(hits.count))
          + " \(many)",
        remedy: .choose(listed))
    }
    let chosen = try asker.choose(
      cards.map {
        Question.Choice(title: $0.title, subtitle: $0.subtitle, reference: $0.reference)
      },
      prompt: "Which \(one) do you mean?",
      keys: keys + [name],
      many: false)
    return hits[chosen.first ?? 0]
  }
}

/// The property that an item is called by: the first that its display title names.
enum TitleProperty {
  static func name(of definition: EntityDefinition) -> String? {
    let texts = definition.properties.filter { $0.type.unwrapped == .string }.map(\.name.text)
    for segment in definition.titleTemplate?.segments ?? [] {
      guard case .expression(let source) = segment else { continue }
      for part in source.text.split(separator: "self.").dropFirst() {
        let name = String(part.prefix { $0.isLetter || $0.isNumber })
        if texts.contains(name) { return name }
      }
    }
    return texts.first
  }
}
