import CEL
import Items
import Store
import StoreFixtures
import TestSupport

/// Random sort orders of an entity's items, and the same sorting in process.
enum RandomOrder {
  /// Up to three keys.
  static func keys(of schema: EntitySchema, using random: inout SeededGenerator) -> [SortKey] {
    let names =
      schema.properties.compactMap { property in
        if case .list = property.type { nil } else { property.name }
      } + ["id", "createdAt", "updatedAt"]
    return (0..<random.next() % 4).map { _ in
      SortKey(random.pick(names), descending: random.chance(oneIn: 2))
    }
  }

  /// The items in the order of a query; newest first where its keys are equal.
  static func sorted(_ items: [Item], _ query: Query) -> [Item] {
    let keys =
      query.sort + [SortKey("createdAt", descending: true), SortKey("id", descending: true)]
    return items.sorted { left, right in
      for key in keys {
        let order = order(left, right, by: key)
        if order != 0 { return order < 0 }
      }
      return false
    }
  }

  /// Null comes last, and an enum sorts in the order of its declaration.
  private static func order(_ left: Item, _ right: Item, by key: SortKey) -> Int {
    switch (value(of: key, left), value(of: key, right)) {
    case (.null, .null): return 0
    case (.null, _): return 1
    case (_, .null): return -1
    case (let a, let b):
      let order = a.compare(b) ?? 0
      return key.isDescending ? -order : order
    }
  }

  private static func value(of key: SortKey, _ item: Item) -> Value {
    let value = item.field(key.property) ?? .null
    guard case .string(let text) = value,
      let property = item.schema.properties.first(where: { $0.name == key.property }),
      case .enumeration(let values) = property.type, let rank = values.firstIndex(of: text)
    else { return value }
    return .int(Int64(rank))
  }
}
