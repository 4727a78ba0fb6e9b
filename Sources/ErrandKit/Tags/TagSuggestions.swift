import CEL
package import Engine
package import Items
package import Store

/// Tags that may suit an item, from the tags of the items most like it.
package struct TagSuggestions {
  private static let entity = "Link"
  private let run: Run

  package init(_ run: Run) { self.run = run }

  /// The tags for an item, most likely first, without those that it has.
  ///
  /// - Throws: `RunError`.
  package func tags(for item: Item, limit: Int) throws -> [LikenessSearch.TagSuggestion] {
    var own: Set<String> = []
    if case .list(let tags)? = item.field("tags") { own.formUnion(tags.map { $0.text }) }
    let found = try run.store(for: item.entity).likeness.tags(
      for: LikenessSearch.Subject(item), of: item.entity, limit: limit + own.count)
    return Array(found.filter { !own.contains($0.tag) }.prefix(limit))
  }

  /// The tags for a link that is not stored, from its address and words such as its title and a
  /// summary.
  ///
  /// - Throws: `RunError`.
  package func tags(
    for address: String?, _ texts: [String], limit: Int
  ) throws -> [LikenessSearch.TagSuggestion] {
    try run.store(for: Self.entity).likeness.tags(
      for: LikenessSearch.Subject(texts: texts, address: address), of: Self.entity, limit: limit)
  }
}
