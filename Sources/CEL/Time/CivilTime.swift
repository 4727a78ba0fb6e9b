/// A local date and time of day, without a time zone.
package struct CivilTime: Hashable, Comparable, Sendable {
  /// The date.
  package var date: CivilDate
  /// Seconds since midnight: 0 ..< 86,400.
  package var secondOfDay: Int
  /// Nanoseconds within the second: 0 ..< 1,000,000,000.
  package var nanoseconds: Int32

  /// Creates a time from a date and the seconds since its midnight.
  package init(date: CivilDate, secondOfDay: Int = 0, nanoseconds: Int32 = 0) {
    self.date = date
    self.secondOfDay = secondOfDay
    self.nanoseconds = nanoseconds
  }

  /// Creates a time; nil if it is invalid, such as 24:10.
  package init?(
    _ date: CivilDate, hour: Int, minute: Int, second: Int = 0, nanoseconds: Int32 = 0
  ) {
    guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second),
      (0..<1_000_000_000).contains(nanoseconds)
    else { return nil }
    self.init(
      date: date, secondOfDay: hour * 3_600 + minute * 60 + second, nanoseconds: nanoseconds)
  }

  /// Creates the local time of a timestamp in a zone `offset` seconds ahead of UTC.
  package init(_ moment: Timestamp, offset: Int = 0) {
    let (local, overflow) = moment.seconds.addingReportingOverflow(Int64(offset))
    let seconds = overflow ? moment.seconds : local
    let (days, rest) = seconds.floored(by: 86_400)
    self.init(
      date: CivilDate(daysSinceEpoch: Int(clamping: days)), secondOfDay: Int(rest),
      nanoseconds: moment.nanoseconds)
  }

  /// The hour: 0 ... 23.
  package var hour: Int { secondOfDay / 3_600 }
  /// The minute: 0 ... 59.
  package var minute: Int { secondOfDay / 60 % 60 }
  /// The second: 0 ... 59.
  package var second: Int { secondOfDay % 60 }

  /// Seconds since 1970-01-01T00:00:00 in local time.
  package var secondsSinceEpoch: Int64 {
    Int64(date.daysSinceEpoch) * 86_400 + Int64(secondOfDay)
  }

  /// Returns the timestamp of this local time in a zone `offset` seconds ahead of UTC.
  package func timestamp(offset: Int = 0) -> Timestamp {
    Timestamp(seconds: secondsSinceEpoch - Int64(offset), nanoseconds: nanoseconds)
  }

  /// Compares local times.
  package static func < (left: CivilTime, right: CivilTime) -> Bool {
    (left.date, left.secondOfDay, left.nanoseconds)
      < (right.date, right.secondOfDay, right.nanoseconds)
  }
}
