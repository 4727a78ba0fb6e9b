package import CEL
import Catalog
package import Items
import Program
import Store

/// Work on several items at once: one question that names how many, and one change for `undo`.
extension Run {
  /// How many titles a question about many items names.
  private static let namedTitles = 3

  /// Changes items, all of them in one change.
  ///
  /// - Throws: `RunError`; nothing is changed then.
  package func update(
    _ items: [Item], set: [(name: String, value: Value)], add: [(name: String, value: Value)],
    remove: [(name: String, value: Value)]
  ) throws -> [Item] {
    var set = set
    for entity in Set(items.map(\.entity)) {
      set = try LinkSigning(self).opened(set, of: try workspace.entity(entity).definition)
      _ = try store(for: entity)
    }
    let store = try store()
    return try RunError.translating {
      try store.items.update(
        all: items.compactMap(\.reference), set: set, add: add, remove: remove)
    }
  }

  /// Deletes items once a person agreed, all of them in one change.
  ///
  /// - Throws: `declined`, `needs-value`; nothing is deleted then.
  package func delete(_ items: [Item]) throws {
    let references = items.compactMap(\.reference)
    if let item = items.first, let reference = references.first, items.count == 1 {
      try agree(
        to: "Delete \(renderer.title(of: item)) (\(reference))?", else: "Nothing deleted.")
    } else {
      try agree(to: "Delete \(summary(of: items))?", else: "Nothing deleted.")
    }
    for entity in Set(items.map(\.entity)) { _ = try store(for: entity) }
    let store = try store()
    try RunError.translating {
      try store.database.transaction {
        for reference in references { try store.items.delete(reference) }
      }
    }
  }

  /// Asks a person for a yes before something is done to many items.
  ///
  /// - Parameter farewell: What a person is told who says no.
  /// - Throws: `declined`, `needs-value` with nobody to answer.
  package func agree(to prompt: String, else farewell: String) throws {
    guard try asker.confirm(prompt, keys: ["confirm"], danger: false) else {
      throw RunError.declined(prompt, farewell)
    }
  }

  /// How many items there are and how the first are called: `12 links (A, B, C and 9 more)`.
  package func summary(of items: [Item]) -> String {
    var names = items.prefix(Self.namedTitles).map { renderer.title(of: $0).shortened }
    if items.count == Self.namedTitles + 1 {
      names.append(renderer.title(of: items[Self.namedTitles]).shortened)
    }
    let more = items.count - names.count
    let titles = names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    return "\(count(items)) (\(titles))"
  }

  /// How many items there are, as people call them: `1 link`, `3 links`, `2 items`.
  package func count(_ items: [Item]) -> String {
    var name = items.count == 1 ? "item" : "items"
    if let entity = items.first?.entity, items.allSatisfy({ $0.entity == entity }),
      let definition = try? workspace.entity(entity).definition
    {
      name = items.count == 1 ? definition.displayName : definition.displayNamePlural
    }
    return "\(items.count) \(name)"
  }

  /// The items of all entities that have a number, those of one entity first.
  ///
  /// - Throws: `RunError` when the store can't be read.
  package func items(numbered number: Int64, first entity: String) throws -> [Item] {
    let names = library.entityNames
    return try ([entity] + names.filter { $0 != entity }).filter(names.contains).compactMap {
      name in
      let store = try store(for: name)
      return try RunError.translating { try store.items.get(name, id: number) }
    }
  }

  /// Lets a person choose the item that is meant among several.
  ///
  /// - Throws: `ambiguous` with nobody to answer.
  package func choose(_ items: [Item], meantBy text: String) throws -> Item {
    let cards = items.map { renderer.card(of: $0) }
    guard asker.canAnswer(["item"]) else {
      throw RunError(
        .ambiguous, "\(items.count) items have the number \(text)",
        remedy: .choose(cards.map { "\($0.reference ?? "") \($0.title)" }))
    }
    let chosen = try asker.choose(
      cards.map {
        Question.Choice(title: $0.title, subtitle: $0.subtitle, reference: $0.reference)
      },
      prompt: "Which item do you mean?", keys: ["item"], many: false)
    return items[chosen.first ?? 0]
  }
}
