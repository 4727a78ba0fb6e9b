/// The cases in which a condition in SQL may mean something else than the expression.
///
/// Each is a piece of SQL that is true in such a row, as where a sum leaves the 64 bits. Where one
/// of its operands is NULL it may be NULL, too: the operation then fails in both worlds.
final class FilterDoubts {
  private(set) var conditions: [SQL] = []
  private var length = 0

  /// Adds a case; false when there are too many of them.
  func add(_ condition: SQL) -> Bool {
    if conditions.contains(condition) { return true }
    conditions.append(condition)
    length += condition.text.utf8.count
    return length <= FilterPlan.maximumBytes
  }

  /// The condition that holds in every row with a doubt, and in those in which `sql` does.
  func passing(_ sql: SQL) -> SQL {
    if conditions.isEmpty { return sql }
    return "CASE WHEN \(SQL.joined(conditions, separator: " OR ")) THEN 1 ELSE \(sql) END"
  }
}
