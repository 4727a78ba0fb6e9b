extension Value {
  /// Returns a negative number, zero or a positive number as it sorts before, with or after `other`; nil if they are
  /// unordered, such as a string and a number, or anything and NaN.
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

  /// Returns whether values of these two types are ordered, apart from NaN.
  func isComparable(with other: Value) -> Bool {
    isNumber && other.isNumber || compare(other) != nil
  }

  /// Returns the order of two numbers of any numeric types.
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

  /// Compares as doubles, except that rounding never moves an integer past the bounds of its type.
  ///
  /// Required by the conformance suite: `9223372036854775807 >= 9223372036854775808.0`.
  private static func order<T: FixedWidthInteger>(_ a: T, _ b: Double) -> Int? {
    if b.isNaN { return nil }
    if b > Double(T.max) { return -1 }
    if b < Double(T.min) { return 1 }
    return order(Double(a), b)
  }
}
