/// A length of time, to the nanosecond.
///
/// CEL bounds it to what 64 bits of nanoseconds can hold: about 292 years either way.
package struct Duration: Hashable, Comparable, Sendable {
  /// Whole seconds, rounded down.
  package let seconds: Int64
  /// Nanoseconds after `seconds`: 0 ..< 1,000,000,000.
  package let nanoseconds: Int32

  /// Makes a length of time from its parts.
  package init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Makes a length of time from nanoseconds.
  package init(totalNanoseconds: Int64) {
    let (quotient, remainder) = totalNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let borrow: Int64 = remainder < 0 ? 1 : 0
    self.init(
      seconds: quotient - borrow, nanoseconds: Int32(remainder + borrow * 1_000_000_000))
  }

  /// All of it in nanoseconds; nil when 64 bits can't hold them.
  package var totalNanoseconds: Int64? {
    // The floor of a negative length can lie below the least Int64 when the length does not.
    let negative = seconds < 0
    let whole = negative ? seconds &+ 1 : seconds
    let rest = Int64(nanoseconds) - (negative ? 1_000_000_000 : 0)
    let (product, overflow) = whole.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return nil }
    let (sum, carried) = product.addingReportingOverflow(rest)
    return carried ? nil : sum
  }

  /// Orders by length.
  package static func < (left: Duration, right: Duration) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// Itself when it lies in CEL's range.
  var inRange: Duration? { totalNanoseconds == nil ? nil : self }

  /// The sum; nil when it is out of range.
  package func adding(_ other: Duration) -> Duration? {
    guard let a = totalNanoseconds, let b = other.totalNanoseconds else { return nil }
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? nil : Duration(totalNanoseconds: sum)
  }

  /// The difference; nil when it is out of range.
  package func subtracting(_ other: Duration) -> Duration? {
    guard let a = totalNanoseconds, let b = other.totalNanoseconds else { return nil }
    let (difference, overflow) = a.subtractingReportingOverflow(b)
    return overflow ? nil : Duration(totalNanoseconds: difference)
  }

  /// The same length in the other direction; nil when it is out of range.
  package var negated: Duration? { Duration(seconds: 0).subtracting(self) }
}
