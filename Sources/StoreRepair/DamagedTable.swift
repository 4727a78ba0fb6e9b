import Store

/// A table of which some pages may be damaged.
struct DamagedTable {
  /// A larger number was not given by a store, but read of a damaged page.
  static let highestLikelyNumber: Int64 = 1 << 40
  /// How many numbers in a row are tried in vain; the pages below one that is damaged have fewer.
  private static let patience = 50_000

  private let connection: Connection
  private let select: SQL
  private let key: SQL

  /// A table of which columns are read, the first one of its key first.
  init(_ connection: Connection, _ name: String, _ columns: [String]) {
    self.connection = connection
    let names = SQL.joined(columns.map { "\(name: $0)" }, separator: ", ")
    select = "SELECT \(names) FROM \(name: name) NOT INDEXED"
    key = "\(name: columns[0])"
  }

  /// Calls `body` with each row that can be read, by the number that its key begins with.
  ///
  /// - Complexity: O(n log n) for n numbers, of which each that cannot be read is tried.
  func forEachRow(upTo last: Int64, _ body: (Statement) throws -> Void) throws {
    var next: Int64 = 1
    var failures = 0
    while next <= last, failures < Self.patience {
      var isInOrder = true
      let isRead = try readUntilDamage("WHERE \(key) >= \(.int(next)) ORDER BY \(key)") { row in
        let id = row.int(0)
        // A damaged page may have its rows in any order.
        isInOrder = id >= next
        guard isInOrder, id <= last else { return false }
        try body(row)
        failures = 0
        next = id
        return true
      }
      if isRead, isInOrder { return }
      failures += 1
      next += 1
    }
  }

  /// Calls `body` with the rows from the end back to the first that cannot be read, and unless only
  /// these are wanted with those from the beginning on; some may come twice.
  func forEachRowFromEnd(only isEndOnly: Bool, _ body: (Statement) throws -> Void) throws {
    for order: SQL in isEndOnly ? ["DESC"] : ["DESC", "ASC"] {
      let isWhole = try readUntilDamage("ORDER BY \(key) \(order)") { row in
        try body(row)
        return true
      }
      if isWhole { return }
    }
  }

  /// Whether the rows could be read to their end, or to where `body` ends it.
  private func readUntilDamage(_ rest: SQL, _ body: (Statement) throws -> Bool) throws -> Bool {
    var refusal: (any Error)?
    do {
      try connection.rows("\(select) \(rest)") { row in
        do { return try body(row) } catch {
          refusal = error
          return false
        }
      }
    } catch let error as StoreError where refusal == nil && error.isDamage {
      return false
    }
    if let refusal { throw refusal }
    return true
  }
}
