import Store

extension Connection {
  /// The ids of the items in a damaged table, according to two indexes over all items; nil when no
  /// two of them agree.
  ///
  /// An incomplete index can look intact, so a single one is not trusted.
  /// - Complexity: O(n) for n items.
  func numbersByIndexes(of table: String) -> Set<Int64>? {
    let indexes =
      (try? texts("SELECT name FROM pragma_index_list(\(.text(table))) WHERE NOT partial")) ?? []
    var known: [Set<Int64>] = []
    var agreed: Set<Int64>?
    for index in indexes {
      // An index that cannot be read to its end, or repeats an id, is not evidence.
      guard let list = try? numbers("SELECT id FROM \(name: table) INDEXED BY \(name: index)"),
        case let ids = Set(list), ids.count == list.count
      else { continue }
      if known.contains(ids), ids.count >= agreed?.count ?? 0 { agreed = ids }
      known.append(ids)
    }
    return agreed
  }
}
