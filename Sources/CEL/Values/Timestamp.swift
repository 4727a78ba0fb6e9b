/// A moment in UTC, to the nanosecond.
package struct Timestamp: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z, rounded down.
  package let seconds: Int64
  /// Nanoseconds after `seconds`: 0 ..< 1,000,000,000.
  package let nanoseconds: Int32

  /// Makes a moment from its parts.
  package init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The moment a number of microseconds after the epoch, as the store keeps it.
  package init(microseconds: Int64) {
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let borrow: Int64 = remainder < 0 ? 1 : 0
    self.init(
      seconds: quotient - borrow,
      nanoseconds: Int32((remainder + borrow * 1_000_000) * 1_000))
  }

  /// Microseconds since the epoch, rounded down; clamped far outside the years that CEL knows.
  package var microseconds: Int64 {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, carried) = product.addingReportingOverflow(Int64(nanoseconds / 1_000))
    return carried ? .max : sum
  }

  /// The first moment that CEL knows: 0001-01-01T00:00:00Z.
  package static let earliest = Timestamp(seconds: -62_135_596_800)
  /// The last moment that CEL knows: 9999-12-31T23:59:59.999999999Z.
  package static let latest = Timestamp(seconds: 253_402_300_799, nanoseconds: 999_999_999)

  /// Whether it lies in the years 1 to 9999.
  package var isInRange: Bool { self >= .earliest && self <= .latest }

  /// Orders by time.
  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// The moment a length of time later; nil outside the years 1 to 9999.
  package func adding(_ duration: Duration) -> Timestamp? {
    let (sum, overflow) = seconds.addingReportingOverflow(duration.seconds)
    if overflow { return nil }
    let nanos = nanoseconds + duration.nanoseconds
    let carry: Int64 = nanos >= 1_000_000_000 ? 1 : 0
    let moment = Timestamp(
      seconds: sum &+ carry, nanoseconds: nanos - Int32(carry) * 1_000_000_000)
    return moment.isInRange ? moment : nil
  }

  /// The time from `other` until this moment; nil when it is longer than 292 years.
  package func since(_ other: Timestamp) -> Duration? {
    let (difference, overflow) = seconds.subtractingReportingOverflow(other.seconds)
    if overflow { return nil }
    let nanos = nanoseconds - other.nanoseconds
    let borrow: Int64 = nanos < 0 ? 1 : 0
    return Duration(
      seconds: difference &- borrow, nanoseconds: nanos + Int32(borrow) * 1_000_000_000
    ).inRange
  }
}
