/// A duration with nanosecond precision.
///
/// CEL limits it to what 64 bits of nanoseconds can hold: about ±292 years.
package struct DurationValue: Hashable, Comparable, Sendable {
  /// Whole seconds, rounded down.
  package let seconds: Int64
  /// Nanoseconds within the second: 0 ..< 1,000,000,000.
  package let nanoseconds: Int32

  /// Creates a duration from its parts.
  package init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Creates a duration from nanoseconds.
  package init(totalNanoseconds: Int64) {
    let (seconds, rest) = totalNanoseconds.floored(by: 1_000_000_000)
    self.init(seconds: seconds, nanoseconds: Int32(rest))
  }

  /// The total in nanoseconds; nil if it overflows 64 bits.
  package var totalNanoseconds: Int64? {
    Int64(exactly: Int128(seconds) * 1_000_000_000 + Int128(nanoseconds))
  }

  /// Compares by length.
  package static func < (left: DurationValue, right: DurationValue) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// The duration itself, or nil if it is outside CEL's range.
  var inRange: DurationValue? { totalNanoseconds == nil ? nil : self }

  /// Returns the sum; nil if it is out of range.
  package func adding(_ other: DurationValue) -> DurationValue? {
    guard let a = totalNanoseconds, let b = other.totalNanoseconds else { return nil }
    return Int64(exactly: Int128(a) + Int128(b)).map(DurationValue.init(totalNanoseconds:))
  }

  /// Returns the difference; nil if it is out of range.
  package func subtracting(_ other: DurationValue) -> DurationValue? {
    guard let a = totalNanoseconds, let b = other.totalNanoseconds else { return nil }
    return Int64(exactly: Int128(a) - Int128(b)).map(DurationValue.init(totalNanoseconds:))
  }

  /// The negated duration; nil if it is out of range.
  package var negated: DurationValue? { DurationValue(seconds: 0).subtracting(self) }
}

extension Int64 {
  /// Returns the quotient rounded down and the non-negative remainder.
  func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
