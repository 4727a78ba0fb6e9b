/// A point in time with nanosecond precision.
package struct Timestamp: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z, rounded down.
  package let seconds: Int64
  /// Nanoseconds within the second: 0 ..< 1,000,000,000.
  package let nanoseconds: Int32

  /// Creates a timestamp from its parts.
  package init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Creates a timestamp from microseconds since the epoch, as stored in the database.
  package init(microseconds: Int64) {
    let (seconds, rest) = microseconds.floored(by: 1_000_000)
    self.init(seconds: seconds, nanoseconds: Int32(rest * 1_000))
  }

  /// Microseconds since the epoch, rounded down; saturates far outside CEL's range.
  package var microseconds: Int64 {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, carried) = product.addingReportingOverflow(Int64(nanoseconds / 1_000))
    return carried ? .max : sum
  }

  /// The earliest timestamp in CEL: 0001-01-01T00:00:00Z.
  package static let earliest = Timestamp(seconds: -62_135_596_800)
  /// The latest timestamp in CEL: 9999-12-31T23:59:59.999999999Z.
  package static let latest = Timestamp(seconds: 253_402_300_799, nanoseconds: 999_999_999)

  /// Whether it is in the years 1 to 9999.
  package var isInRange: Bool { self >= .earliest && self <= .latest }

  /// Compares by time.
  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// Returns the timestamp a duration later; nil outside the years 1 to 9999.
  package func adding(_ duration: DurationValue) -> Timestamp? {
    let (sum, overflow) = seconds.addingReportingOverflow(duration.seconds)
    if overflow { return nil }
    let (carry, rest) = Int64(nanoseconds + duration.nanoseconds).floored(by: 1_000_000_000)
    let moment = Timestamp(seconds: sum &+ carry, nanoseconds: Int32(rest))
    return moment.isInRange ? moment : nil
  }

  /// Returns the duration since `other`; nil if it exceeds 292 years.
  package func since(_ other: Timestamp) -> DurationValue? {
    let (difference, overflow) = seconds.subtractingReportingOverflow(other.seconds)
    if overflow { return nil }
    let (borrow, rest) = Int64(nanoseconds - other.nanoseconds).floored(by: 1_000_000_000)
    let duration = DurationValue(seconds: difference &+ borrow, nanoseconds: Int32(rest))
    return duration.totalNanoseconds == nil ? nil : duration
  }
}
