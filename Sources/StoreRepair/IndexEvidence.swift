import Store

/// What the indexes of a damaged table tell of the items it had.
struct IndexEvidence {
  /// The numbers of the items; nil when no two indexes agree.
  let ids: Set<Int64>?
  /// The highest of them.
  let highest: Int64?

  /// Asks all indexes that have each item.
  ///
  /// An index of which a part is missing can look whole, so that one alone is not believed.
  /// - Complexity: O(n) for n items.
  init(of table: String, _ connection: Connection) throws {
    let indexes =
      (try? connection.texts(
        "SELECT name FROM pragma_index_list(\(.text(table))) WHERE NOT partial")) ?? []
    var known: [Set<Int64>] = []
    var agreed: Set<Int64>?
    for index in indexes {
      guard let ids = Self.ids(in: index, of: table, connection) else { continue }
      if known.contains(ids), ids.count >= agreed?.count ?? 0 { agreed = ids }
      known.append(ids)
    }
    ids = agreed
    highest = agreed?.max()
  }

  /// The numbers in an index; nil for one that cannot be read to its end, or has one twice.
  private static func ids(
    in index: String, of table: String, _ connection: Connection
  ) -> Set<Int64>? {
    let numbers = try? connection.numbers(
      "SELECT id FROM \(name: table) INDEXED BY \(name: index)")
    guard let numbers else { return nil }
    let ids = Set(numbers)
    return ids.count == numbers.count ? ids : nil
  }

  /// Whether an item had a number; nil when that is not known.
  func contains(_ id: Int64) -> Bool? { ids?.contains(id) }
}
