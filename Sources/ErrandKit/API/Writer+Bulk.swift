import CEL
import Engine
import Items

/// Changes of many items, without a snapshot of each.
extension Writer {
  /// Items to be changed alike.
  package enum Selection {
    case references([String])
    /// All that a search finds.
    case search(entity: String, words: String?, condition: String?)
  }

  /// Updates items of one entity in one change.
  ///
  /// - Throws: As ``update(_:set:add:remove:expecting:)``.
  package func update(
    all selection: Selection, set properties: [String: JSONValue] = [:],
    add added: [String: JSONValue] = [:], remove removed: [String: JSONValue] = [:]
  ) throws(ErrandError) -> BulkChange {
    try counting { run in
      let items = try items(of: selection, in: run)
      guard let entity = items.first?.entity else { return 0 }
      if let other = items.first(where: { $0.entity != entity }) {
        throw RunError(
          .invalidValue, "the items are of several entities: \(entity), \(other.entity)")
      }
      return try run.update(
        items, set: values(properties, of: entity, in: run),
        add: values(added, of: entity, in: run), remove: values(removed, of: entity, in: run)
      ).count
    }
  }

  /// Deletes items in one change, without confirmation.
  ///
  /// - Throws: As ``delete(_:expecting:)``.
  package func delete(all selection: Selection) throws(ErrandError) -> BulkChange {
    try counting { run in
      let items = try items(of: selection, in: run)
      if !items.isEmpty { try run.delete(items) }
      return items.count
    }
  }

  /// The items in the order of their ids, in which the text index is fastest.
  private func items(of selection: Selection, in run: Run) throws -> [Item] {
    switch selection {
    case .references(let references):
      return try references.map { try run.item($0, of: nil) }.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
    case .search(let entity, let words, let condition):
      var search = Run.Search(entity: entity)
      (search.match, search.filter) = (words, condition)
      return try run.find(search).sorted { ($0.id ?? 0) < ($1.id ?? 0) }
    }
  }
}
