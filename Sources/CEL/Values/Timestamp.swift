/// A point in time with nanosecond precision.
package struct Timestamp: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z, rounded down.
  package let seconds: Int64
  /// Nanoseconds within the second: 0 ..< 1,000,000,000.
  package let nanoseconds: Int32
  /// The mark of a day, or the time that clocks skipped in units of `skipUnit`; in one byte, as there
  /// are many values. Timestamps of one moment are equal, whatever their marks.
  private let mark: Int8
  private static let dayMark: Int8 = -1
  private static let skipUnit = 300

  /// Creates a timestamp from its parts.
  ///
  /// - Parameter skipped: The seconds by which the local time that was meant is earlier, because the
  ///   clocks skip that time; up to ten hours, in steps of five minutes.
  package init(seconds: Int64, nanoseconds: Int32 = 0, isDay: Bool = false, skipped: Int = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
    mark = isDay ? Self.dayMark : Int8(clamping: skipped / Self.skipUnit)
  }

  /// Whether it stands for the day that begins then.
  package var isDay: Bool { mark == Self.dayMark }

  /// The seconds by which the local time that was meant is earlier, as the clocks skip that time.
  package var skipped: Int { max(0, Int(mark)) * Self.skipUnit }

  /// The same moment as the beginning of a day, which it must be.
  package var asDay: Timestamp {
    Timestamp(seconds: seconds, nanoseconds: nanoseconds, isDay: true)
  }

  /// The same moment, standing for itself.
  package var asMoment: Timestamp { Timestamp(seconds: seconds, nanoseconds: nanoseconds) }

  /// Compares by time.
  package static func == (left: Timestamp, right: Timestamp) -> Bool {
    left.seconds == right.seconds && left.nanoseconds == right.nanoseconds
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(seconds)
    hasher.combine(nanoseconds)
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
  ///
  /// A day moved by whole days is a day.
  package func adding(_ duration: DurationValue) -> Timestamp? {
    let (sum, overflow) = seconds.addingReportingOverflow(duration.seconds)
    if overflow { return nil }
    let (carry, rest) = Int64(nanoseconds + duration.nanoseconds).floored(by: 1_000_000_000)
    let isWhole = duration.seconds % 86_400 == 0 && duration.nanoseconds == 0
    let moment = Timestamp(
      seconds: sum &+ carry, nanoseconds: Int32(rest), isDay: isDay && isWhole)
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
