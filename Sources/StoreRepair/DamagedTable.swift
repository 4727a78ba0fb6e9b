import Store

/// A table of which some pages cannot be read.
struct DamagedTable {
  /// How many numbers in a row are tried in vain; the pages below one that is damaged have fewer.
  private static let patience = 50_000

  private let connection: Connection
  /// A `SELECT` without a condition, whose first column is the key of the table.
  private let select: SQL
  /// The key as the table names it.
  private let key: String

  init(_ connection: Connection, _ select: SQL, key: String = "id") {
    self.connection = connection
    self.select = select
    self.key = key
  }

  /// Calls `body` with each row that can be read, by number.
  ///
  /// - Complexity: O(n log n) for n numbers, of which each that cannot be read is tried.
  func forEachRow(from first: Int64, to last: Int64, _ body: (Statement) throws -> Void) throws {
    var next = first
    var failures = 0
    while next <= last, failures < Self.patience {
      var refusal: (any Error)?
      var isInOrder = true
      do {
        try connection.rows("\(select) WHERE \(name: key) >= \(.int(next)) ORDER BY \(name: key)") {
          row in
          let id = row.int(0)
          // A damaged page may have its rows in any order.
          isInOrder = id >= next
          guard isInOrder, id <= last else { return false }
          do { try body(row) } catch {
            refusal = error
            return false
          }
          failures = 0
          next = id + 1
          return id < last
        }
        if let refusal { throw refusal }
        if isInOrder { return }
      } catch let error as StoreError where refusal == nil && error.isDamage {
        isInOrder = false
      }
      failures += 1
      next += 1
    }
  }
}
