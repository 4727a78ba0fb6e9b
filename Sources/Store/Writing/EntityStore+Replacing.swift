package import CEL
package import Items

extension EntityStore {
  /// Changes several items in the same way, in one transaction.
  ///
  /// - Returns: The items as they are now.
  /// - Throws: `notFound`, `invalidValue`, `conflict`; nothing is changed then.
  package func update(
    all references: [ItemReference], set: [(name: String, value: Value)],
    add: [(name: String, value: Value)], remove: [(name: String, value: Value)]
  ) throws -> [Item] {
    var items: [Item] = []
    items.reserveCapacity(references.count)
    for entity in Set(references.map(\.entity)) { _ = try table(entity) }
    try write {
      try inBatches(references) { reference in
        items.append(try update(reference, set: set, add: add, remove: remove))
      }
    }
    return items
  }

  /// How many items are changed before the text index is brought up to date.
  private static let batchSize = 5_000

  /// Works on values in batches, whose texts FTS5 takes faster in the order of their numbers.
  private func inBatches<Element>(
    _ values: [Element], _ body: (Element) throws -> Void
  ) throws {
    for start in stride(from: 0, to: values.count, by: Self.batchSize) {
      let batch = values[start..<min(values.count, start + Self.batchSize)]
      try withImportBatch { for value in batch { try body(value) } }
    }
  }

  /// Replaces elements of an indexed list of texts in all items that have them, such as tags.
  ///
  /// An element that is there already is not repeated.
  /// - Returns: How many items were changed.
  /// - Throws: `invalidValue` for a property that is no list with `index`, or an element that does
  ///   not fit.
  package func replaceElements(
    _ replacements: [String: String?], of property: String, in entity: String
  ) throws -> Int {
    _ = try table(entity)
    return try write {
      let table = try table(entity)
      let list = try listTable(of: property, in: table)
      let index = try settableIndex(of: property, in: table)
      var ids: Set<Int64> = []
      for element in replacements.keys {
        try connection.rows("SELECT id FROM \(name: list) WHERE value = \(.text(element))") {
          row in
          ids.insert(row.int(0))
          return true
        }
      }
      try inBatches(ids.sorted()) { id in
        guard let stored = try record(id: id, in: table),
          case .list(let elements) = stored.values[index]
        else { return }
        var changed = stored
        var seen: Set<String> = []
        let replaced = elements.compactMap { element -> Value? in
          guard case .string(let text) = element else { return element }
          guard let new = replacements[text] ?? text else { return nil }
          return seen.insert(new).inserted ? .string(new) : nil
        }
        changed.values[index] = try fit(
          .list(replaced), to: table.schema.properties[index], of: table)
        try change(stored, to: &changed, in: table)
      }
      return ids.count
    }
  }
}
