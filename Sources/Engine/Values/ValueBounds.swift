import CEL

/// What a value of a run may be at most, so that no value can exhaust the stack or patience.
enum ValueBounds {
  /// How deep lists and maps may stand in one another; as deep as JSON is written.
  private static let depth = 128
  /// How many values a value may hold in all, one that stands in several places counted for each.
  private static let count = 5_000_000
  /// How many bytes of text a value may hold.
  private static let bytes = 64 << 20

  /// The value, when it is within the bounds.
  ///
  /// - Throws: `invalid-value`.
  /// - Complexity: O(parts of the value), and bounded.
  static func checked(_ value: Value) throws -> Value {
    switch value {
    case .list, .map, .string:
      var budget = Budget()
      if let excess = budget.excess(of: value, depth: 0) {
        throw RunError(.invalidValue, "the value \(excess)")
      }
    default: break
    }
    return value
  }

  private struct Budget {
    private var count = ValueBounds.count
    private var bytes = ValueBounds.bytes

    /// In what the value is beyond the bounds.
    mutating func excess(of value: Value, depth: Int) -> String? {
      count -= 1
      if count < 0 { return "holds more than \(ValueBounds.count) values" }
      switch value {
      case .string(let text):
        bytes -= text.utf8.count
        if bytes < 0 { return "holds more than \(ValueBounds.bytes >> 20) MiB of text" }
      case .list(let values):
        if depth >= ValueBounds.depth { return tooDeep }
        for value in values {
          if let excess = excess(of: value, depth: depth + 1) { return excess }
        }
      case .map(let map):
        if depth >= ValueBounds.depth { return tooDeep }
        for (_, value) in map.entries {
          if let excess = excess(of: value, depth: depth + 1) { return excess }
        }
      default: break
      }
      return nil
    }

    private var tooDeep: String { "is nested more than \(ValueBounds.depth) deep" }
  }
}
