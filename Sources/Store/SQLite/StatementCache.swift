import Items

/// Prepared statements by their text, the least recently used dropped first.
struct StatementCache {
  private let capacity: Int
  private var statements: [String: Statement] = [:]
  private var clock = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Lends the statement of a text; nil when there is none, or somebody has it.
  func take(_ text: String) -> Statement? {
    guard let statement = statements[text], !statement.isLent else { return nil }
    statement.isLent = true
    return statement
  }

  /// Keeps a new statement, which is lent at once; a second one of the same text is not kept.
  ///
  /// - Complexity: O(capacity) when full.
  mutating func add(_ statement: Statement) {
    statement.isLent = true
    guard statements[statement.text] == nil else { return }
    statements[statement.text] = statement
    guard statements.count > capacity else { return }
    let unused = statements.values.filter { !$0.isLent }
    if let oldest = unused.min(by: { $0.lastUse < $1.lastUse }) { statements[oldest.text] = nil }
  }

  /// Takes a statement back.
  mutating func put(_ statement: Statement) {
    clock += 1
    statement.lastUse = clock
    statement.isLent = false
  }

  /// Finalises every statement.
  mutating func removeAll() { statements.removeAll() }
}
