/// Prepared statements by their text, the least recently used dropped first.
struct StatementCache {
  private let capacity: Int
  private var entries: [String: (statement: Statement, stamp: Int)] = [:]
  private var clock = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Takes a statement out, so that nobody else runs it meanwhile.
  mutating func take(_ text: String) -> Statement? {
    entries.removeValue(forKey: text)?.statement
  }

  /// Puts a statement back.
  ///
  /// - Complexity: O(capacity) when full.
  mutating func put(_ statement: Statement) {
    clock += 1
    entries[statement.text] = (statement, clock)
    guard entries.count > capacity else { return }
    if let oldest = entries.min(by: { $0.value.stamp < $1.value.stamp }) {
      entries[oldest.key] = nil
    }
  }

  /// Finalises every statement.
  mutating func removeAll() { entries.removeAll() }
}
