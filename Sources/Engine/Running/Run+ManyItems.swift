package import CEL
import Catalog
package import Items
import Program
import Store

/// Bulk operations on items: one confirmation, and one change for `undo`.
extension Run {
  /// Number of titles shown in a confirmation.
  private static let namedTitles = 3

  /// Updates items as one change.
  ///
  /// - Throws: `RunError`; nothing is changed then.
  package func update(
    _ items: [Item], set: [(name: String, value: Value)], add: [(name: String, value: Value)],
    remove: [(name: String, value: Value)]
  ) throws -> [Item] {
    var set = set
    for entity in Set(items.map(\.entity)) {
      set = try LinkSigning(run: self).opened(set, of: try workspace.entity(entity).definition)
      _ = try store(for: entity)
    }
    let store = try store()
    return try RunError.translating {
      try store.items.update(all: items.compactMap(\.reference), set: set, add: add, remove: remove)
    }
  }

  /// Deletes items after confirmation, as one change.
  ///
  /// - Throws: `declined`, `needs-value`; nothing is deleted then.
  package func delete(_ items: [Item]) throws {
    let references = items.compactMap(\.reference)
    var named = summary(of: items)
    if let item = items.first, let reference = references.first, items.count == 1 {
      named = "\(renderer.title(of: item)) (\(reference))"
    }
    try agree(to: "Delete \(named)?", else: "Nothing deleted.")
    for entity in Set(items.map(\.entity)) { _ = try store(for: entity) }
    try transaction { try $0.items.delete(all: references) }
  }

  /// Asks for confirmation of a bulk operation.
  ///
  /// - Parameter farewell: the message after a no.
  /// - Throws: `declined`; `needs-value` without a preset answer in a non-interactive run.
  package func agree(to prompt: String, else farewell: String) throws {
    guard try asker.confirm(prompt, keys: ["confirm"], danger: false) else {
      throw RunError.declined(prompt, farewell)
    }
  }

  /// The number of items with the first titles: `12 links (A, B, C and 9 more)`.
  package func summary(of items: [Item]) -> String {
    // A fourth title is as short as “and 1 more”.
    let most = items.count == Self.namedTitles + 1 ? items.count : Self.namedTitles
    let names = items.prefix(most).map { renderer.title(of: $0).shortened }
    let more = items.count - names.count
    let titles = names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    return "\(count(items)) (\(titles))"
  }

  /// The number of items with a noun: `1 link`, `3 links`, `2 items`.
  package func count(_ items: [Item]) -> String {
    var name = items.count == 1 ? "item" : "items"
    if let entity = items.first?.entity, items.allSatisfy({ $0.entity == entity }),
      let definition = try? workspace.entity(entity).definition
    {
      name = items.count == 1 ? definition.displayName : definition.displayNamePlural
    }
    return "\(items.count) \(name)"
  }

  /// The items of all entities with an ID, those of one entity first.
  ///
  /// - Throws: `RunError` when the store cannot be read.
  package func items(numbered number: Int64, first entity: String) throws -> [Item] {
    let names = catalog.entityNames
    return try ([entity] + names.filter { $0 != entity }).filter(names.contains).compactMap {
      name in
      try stored(name) { try $0.items.get(name, id: number) }
    }
  }

  /// Asks which of several items is meant.
  ///
  /// - Throws: `ambiguous` without a preset answer in a non-interactive run.
  package func choose(_ items: [Item], meantBy text: String) throws -> Item {
    try choose(
      items, ["item"], prompt: words.whichItem,
      else: "\(items.count) items have the number \(text)")
  }

  /// Asks which of several items is meant.
  ///
  /// - Parameters:
  ///   - keys: keys of preset answers, in addition to `name`.
  ///   - message: the error message when the run cannot ask.
  /// - Throws: `ambiguous`.
  func choose(
    _ items: [Item], _ keys: [String], name: String? = nil, prompt: String, else message: String
  ) throws -> Item {
    let cards = items.map { renderer.card(of: $0) }
    guard asker.canAnswer(keys) else {
      let listed = cards.prefix(10).map { "\($0.reference ?? "") \($0.title)" }
      throw RunError(.ambiguous, message, remedy: .choose(listed))
    }
    let choices = cards.map { Question.Choice($0) }
    let keys = keys + (name.map { [$0] } ?? [])
    return items[try asker.choose(choices, prompt: prompt, keys: keys, many: false).first ?? 0]
  }
}
