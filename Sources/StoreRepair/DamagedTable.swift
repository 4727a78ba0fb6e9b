import Store

/// A table with possibly damaged pages.
struct DamagedTable {
  /// The highest plausible id: larger ones come from damaged pages.
  static let highestLikelyNumber: Int64 = 1 << 40
  /// The number of consecutive ids tried without success; a damaged page has fewer rows below it.
  private static let patience = 50_000

  private let connection: Connection
  private let select: SQL
  private let key: SQL

  /// A table with the columns to read, its first key column first.
  init(_ connection: Connection, _ name: String, _ columns: [String]) {
    self.connection = connection
    select = "SELECT \(SQL.names(columns)) FROM \(name: name) NOT INDEXED"
    key = "\(name: columns[0])"
  }

  /// Calls `body` with each readable row, in the order of its integer key.
  ///
  /// - Complexity: O(n log n) for n ids, trying each unreadable one.
  func forEachRow(upTo last: Int64, _ body: (Statement) throws -> Void) throws {
    var next: Int64 = 1
    var failures = 0
    while next <= last, failures < Self.patience {
      var isInOrder = true
      let isRead = try readUntilDamage("WHERE \(key) >= \(.int(next)) ORDER BY \(key)") { row in
        let id = row.int(0)
        // The rows of a damaged page may be in any order.
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

  /// Calls `body` with the rows from the end back to the first unreadable one and, unless
  /// `isEndOnly`, also from the start; some rows may be repeated.
  func forEachRowFromEnd(only isEndOnly: Bool, _ body: (Statement) throws -> Void) throws {
    for order: SQL in isEndOnly ? ["DESC"] : ["DESC", "ASC"] {
      let isWhole = try readUntilDamage("ORDER BY \(key) \(order)") { row in
        try body(row)
        return true
      }
      if isWhole { return }
    }
  }

  /// Reads rows; returns whether no damage was met before the end or before `body` stopped.
  private func readUntilDamage(_ rest: SQL, _ body: (Statement) throws -> Bool) throws -> Bool {
    var refusal: (any Error)?
    do {
      try connection.rows("\(select) \(rest)") { row in
        do { return try body(row) } catch {
          refusal = error
          return false
        }
      }
    } catch let error as StoreError where refusal == nil && error.isDamage { return false }
    if let refusal { throw refusal }
    return true
  }
}
