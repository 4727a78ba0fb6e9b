import CEL
import Catalog
import Items
import Links
import Program
import Source
import Store
import YAML

/// Resolves texts to items (language §4).
struct ItemResolver {
  let run: Run
  /// Keys of preset answers to the question which item is meant.
  var keys: [String] = []

  /// Maximum number of hits to choose from.
  private static let choiceLimit = 20

  /// The item of an entity by reference, identity, signed link, exact title or full-text search, in
  /// this order.
  ///
  /// - Throws: `not-found`, `ambiguous`, `denied`, `invalid-value`.
  func item(_ text: String, of entity: String, named name: String) throws -> Item {
    let definition = try run.workspace.entity(entity).definition
    var text = text.trimmingSpaces
    if text.contains("://"), let url = try? WebURL(pasted: text) { text = url.text }
    if text.hasPrefix(ErrandAddress.prefix), let address = try? ErrandAddress(text) {
      switch address.action {
      case .open(let item), .show(let item): text = item
      default: break
      }
    }
    if text.isEmpty {
      throw RunError(.invalidValue, "`\(name)`: missing \(definition.displayName)")
    }
    if let item = try byReference(text, definition) { return item }
    if let item = try run.stored(entity, { try $0.items.get(entity, identity: text) }) {
      return item
    }
    if let item = try byWrappedLink(text, definition) { return item }
    let isURL = (try? WebURL(text)) != nil
    if isURL, identityIsURL(definition) {
      throw RunError(
        .notFound, "no \(definition.displayName) has the URL \(text.shortened)",
        remedy: entity == "Link" ? .save(url: text.shortened) : nil)
    }
    var hits = try hits(titled: text, of: definition)
    if hits.isEmpty { hits = try self.hits(text, of: definition) }
    // Of an item that repeats, the one that is not done is meant.
    if hits.count > 1, let done = definition.repetition?.done?.text {
      let open = hits.filter { $0.field(done) == false }
      if open.count == 1 { hits = open }
    }
    switch hits.count {
    case 0:
      let message = "no \(definition.displayName) matches “\(text.shortened)”"
      if let title = try title(near: text, of: definition) {
        throw RunError(.notFound, message, help: "did you mean “\(title.shortened)”?")
      }
      throw RunError(.notFound, message, remedy: .list(entity: entity))
    case 1: return hits[0]
    default:
      return try choose(
        among: hits, text, one: definition.displayName, many: definition.displayNamePlural,
        named: name)
    }
  }

  /// The item of any entity found by exact title or full-text search.
  ///
  /// - Throws: `not-found`, `ambiguous`.
  func item(foundBy text: String) throws -> Item {
    let text = text.trimmingSpaces
    let names = run.catalog.entityNames
    var titled: [Item] = []
    var found: [Item] = []
    for entity in names.filter({ $0 == "Link" }) + names.filter({ $0 != "Link" }) {
      let definition = try run.workspace.entity(entity).definition
      titled += try hits(titled: text, of: definition)
      if titled.isEmpty { found += try hits(text, of: definition) }
    }
    let hits = titled.isEmpty ? found : titled
    if hits.count > 1 {
      return try choose(among: hits, text, one: "item", many: "items", named: "item")
    }
    guard let hit = hits.first else {
      throw RunError(
        .notFound, "nothing matches “\(text.shortened)”",
        remedy: .list(entity: "links", words: "links"))
    }
    return hit
  }

  /// The items with a title, ignoring case.
  private func hits(titled text: String, of definition: EntityDefinition) throws -> [Item] {
    guard let title = TitleProperty.name(of: definition) else { return [] }
    let entity = definition.name.text
    return try run.stored(entity) {
      try $0.items.find(entity, property: title, sameAs: text, limit: Self.choiceLimit)
    }
  }

  /// The title, of the newest items, that is like a text or has a word like it; nil if there is none.
  private func title(near text: String, of definition: EntityDefinition) throws -> String? {
    guard let name = TitleProperty.name(of: definition) else { return nil }
    let query = Query(definition.name.text, limit: 500)
    let items = try run.stored(query.entity) { try $0.items.find(query) }
    var titles: [String: String] = [:]
    for case .string(let title)? in items.map({ $0.field(name) }) {
      let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
      for word in [title.lowercased()] + words where titles[word] == nil { titles[word] = title }
    }
    let near = Suggestion.nearest(to: text.lowercased(), in: titles.keys.sorted())
    return near.flatMap { titles[$0] }
  }

  /// The best full-text matches.
  private func hits(_ text: String, of definition: EntityDefinition) throws -> [Item] {
    let query = Query(definition.name.text, match: text, limit: Self.choiceLimit)
    return try run.stored(query.entity) { try $0.items.find(query) }
  }

  /// The item with a reference such as `link:42`, of any entity.
  ///
  /// - Throws: `not-found`, `invalid-value` when the text is not a reference.
  func item(reference text: String) throws -> Item {
    guard let (prefix, _) = ItemReference.parse(text) else {
      throw RunError(
        .invalidValue, "“\(text.shortened)” is not a reference",
        help: "a reference looks like link:42")
    }
    let names = run.catalog.entityNames
    guard let entity = names.first(where: { EntitySchema.kind(of: $0) == prefix }) else {
      let kinds = names.map(EntitySchema.kind(of:))
      let near = Suggestion.nearest(to: prefix, in: kinds)
      throw RunError(
        .notFound, "unknown entity `\(prefix)`",
        help: near.map { "did you mean `\($0)\(text.drop { $0 != ":" })`?" }
          ?? Suggestion.help(for: prefix, in: kinds))
    }
    return try item(text, of: entity, named: "ref")
  }

  private func byReference(_ text: String, _ definition: EntityDefinition) throws -> Item? {
    let entity = definition.name.text
    if let id = Int64(text), id > 0 {
      return try run.stored(entity) { try $0.items.get(entity, id: id) }
    }
    if text.utf8.count == 36, GlobalID(text: text) != nil {
      return try run.stored(entity) { try $0.items.get(entity, uid: text) }
    }
    guard let (prefix, key) = ItemReference.parse(text) else { return nil }
    if prefix == EntitySchema.kind(of: entity) {
      if let item = try run.stored(entity, { try $0.items.get(entity, key) }) { return item }
      throw RunError(.notFound, "there is no \(text)")
    }
    guard let other = run.catalog.entityNames.first(where: { EntitySchema.kind(of: $0) == prefix })
    else { return nil }
    let otherName = try run.workspace.entity(other).definition.displayName
    throw RunError(
      .invalidValue,
      "\(text) is \(Self.withArticle(otherName)), not \(Self.withArticle(definition.displayName))",
      remedy: .list(entity: entity))
  }

  private static func withArticle(_ noun: String) -> String {
    (noun.first.map { "aeiou".contains($0) } ?? false ? "an " : "a ") + noun
  }

  private func identityIsURL(_ definition: EntityDefinition) -> Bool {
    guard let identity = definition.identity else { return false }
    return definition.property(identity.text)?.type.unwrapped == .url
  }

  /// The item for a signed link: the stored item with its URL, or an unsaved one.
  private func byWrappedLink(_ text: String, _ definition: EntityDefinition) throws -> Item? {
    guard identityIsURL(definition), let identity = definition.identity,
      LinkSigner.isWrapped(text, base: run.host.linkBase)
    else { return nil }
    let link = try LinkSigning(run: run).unwrap(text)
    let entity = definition.name.text
    var values: [(String, Value)] = [(identity.text, .string(link.url))]
    if let title = link.title, definition.property("title") != nil {
      values.append(("title", .string(title)))
    }
    return try run.stored(entity) {
      try $0.items.get(entity, identity: link.url) ?? $0.items.makeUnsavedItem(entity, values)
    }
  }

  private func choose(
    among hits: [Item], _ text: String, one: String, many: String, named name: String
  ) throws -> Item {
    let count = hits.count >= Self.choiceLimit ? "\(hits.count) or more" : String(hits.count)
    return try run.choose(
      hits, keys, name: name, prompt: "Which \(one) do you mean?",
      else: "“\(text.shortened)” matches \(count) \(many)")
  }
}

/// The title property of an entity: the first text property in its display title.
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
