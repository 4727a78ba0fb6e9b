import Store

/// What the indexes of a damaged table tell of the items it had.
struct IndexEvidence {
  /// The numbers of the items, in order; nil when no two indexes agree.
  let ids: [Int64]?

  /// Asks all indexes that have each item.
  ///
  /// An index of which a part is missing can look whole, so that one alone is not believed.
  /// - Complexity: O(n log n) for n items, eight bytes each.
  init(of table: String, _ connection: Connection) throws {
    var known: [[Int64]] = []
    var agreed: [Int64]?
    for index in try Self.indexes(of: table, connection) {
      guard let ids = try Self.ids(in: index, of: table, connection) else { continue }
      if known.contains(ids), ids.count >= agreed?.count ?? 0 { agreed = ids }
      known.append(ids)
    }
    ids = agreed
  }

  private static func indexes(of table: String, _ connection: Connection) throws -> [String] {
    var indexes: [String] = []
    do {
      try connection.rows(
        "SELECT name FROM pragma_index_list(\(.text(table))) WHERE NOT partial"
      ) { row in
        indexes.append(row.text(0))
        return true
      }
    } catch let error as StoreError where error.isDamage {
      return []
    }
    return indexes
  }

  /// The numbers in an index; nil for one that cannot be read to its end, or has one twice.
  private static func ids(
    in index: String, of table: String, _ connection: Connection
  ) throws -> [Int64]? {
    var ids: [Int64] = []
    do {
      try connection.rows("SELECT id FROM \(name: table) INDEXED BY \(name: index)") { row in
        ids.append(row.int(0))
        return true
      }
    } catch let error as StoreError where error.isDamage {
      return nil
    }
    ids.sort()
    return zip(ids, ids.dropFirst()).contains { $0 == $1 } ? nil : ids
  }

  /// Whether an item had a number; nil when that is not known.
  func contains(_ id: Int64) -> Bool? {
    guard let ids else { return nil }
    var low = 0
    var high = ids.count
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < ids.count && ids[low] == id
  }
}
