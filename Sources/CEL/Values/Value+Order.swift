extension Value {
  /// Less than, equal to or greater than zero as it sorts before, with or after `other`; nil when
  /// the two have no order, as a string and a number, or anything and NaN.
  package func compare(_ other: Value) -> Int? {
    switch (self, other) {
    case (.int(let a), .int(let b)): Self.order(a, b)
    case (.string(let a), .string(let b)): a.compareCodePoints(to: b)
    case (.bool(let a), .bool(let b)): Self.order(a ? 1 : 0, b ? 1 : 0)
    case (.timestamp(let a), .timestamp(let b)): Self.order(a, b)
    case (.duration(let a), .duration(let b)): Self.order(a, b)
    case (.bytes(let a), .bytes(let b)):
      a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    default: compareNumbers(other)
    }
  }

  /// Whether values of these two kinds have an order at all, NaN aside.
  func isComparable(with other: Value) -> Bool {
    switch (self, other) {
    case (.string, .string), (.bool, .bool), (.timestamp, .timestamp), (.duration, .duration),
      (.bytes, .bytes), (.int, .int), (.int, .uint), (.int, .double), (.uint, .int),
      (.uint, .uint), (.uint, .double), (.double, .int), (.double, .uint), (.double, .double):
      true
    default: false
    }
  }

  /// The order of two numbers on one number line.
  func compareNumbers(_ other: Value) -> Int? {
    switch (self, other) {
    case (.int(let a), .int(let b)): Self.order(a, b)
    case (.uint(let a), .uint(let b)): Self.order(a, b)
    case (.double(let a), .double(let b)): Self.order(a, b)
    case (.int(let a), .uint(let b)): a < 0 ? -1 : Self.order(UInt64(a), b)
    case (.uint(let a), .int(let b)): b < 0 ? 1 : Self.order(a, UInt64(b))
    case (.int(let a), .double(let b)): Self.order(a, b)
    case (.double(let a), .int(let b)): Self.order(b, a).map { -$0 }
    case (.uint(let a), .double(let b)): Self.order(a, b)
    case (.double(let a), .uint(let b)): Self.order(b, a).map { -$0 }
    default: nil
    }
  }

  private static func order<T: Comparable>(_ a: T, _ b: T) -> Int? {
    a < b ? -1 : a == b ? 0 : a > b ? 1 : nil
  }

  /// Compares as doubles, except that no rounding brings an integer past the bounds of its type.
  ///
  /// That is how the conformance suite has it: `9223372036854775807 >= 9223372036854775808.0`.
  private static func order<T: FixedWidthInteger>(_ a: T, _ b: Double) -> Int? {
    if b.isNaN { return nil }
    if b > Double(T.max) { return -1 }
    if b < Double(T.min) { return 1 }
    return order(Double(a), b)
  }
}
