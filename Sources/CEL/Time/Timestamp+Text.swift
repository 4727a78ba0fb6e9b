extension Timestamp {
  /// Reads RFC 3339, such as `2026-11-20T14:00:00.5+01:00`; nil for anything else.
  ///
  /// Nanoseconds are the finest kept; a leap second (`:60`) is not a moment that CEL knows.
  package init?(rfc3339 text: String) {
    var reader = DigitReader(text)
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
      reader.take("-"), let day = reader.number(2), reader.take("T") || reader.take("t"),
      let hour = reader.number(2), reader.take(":"), let minute = reader.number(2),
      reader.take(":"), let second = reader.number(2),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    var nanoseconds = 0
    if reader.take(".") {
      guard let fraction = reader.fraction() else { return nil }
      nanoseconds = fraction
    }
    guard let offset = reader.offset(), reader.isAtEnd,
      let time = CivilTime(
        date, hour: hour, minute: minute, second: second, nanoseconds: Int32(nanoseconds))
    else { return nil }
    let moment = time.timestamp(offset: offset)
    guard moment.isInRange else { return nil }
    self = moment
  }

  /// RFC 3339 in UTC with as many decimals as are needed, such as `2026-11-20T13:00:00.5Z`.
  package var text: String {
    let time = CivilTime(self)
    return "\(time.date)T\(Self.padded(time.hour)):\(Self.padded(time.minute)):"
      + "\(Self.padded(time.second))\(Duration.fraction(nanoseconds))Z"
  }

  private static func padded(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

extension CivilDate: CustomStringConvertible {
  /// The day as `YYYY-MM-DD` (ISO 8601 §5.2.1).
  package var iso8601: String { description }

  /// ISO 8601, such as `2026-11-20`.
  package var description: String {
    let digits = "\(abs(year))"
    let padding = String(repeating: "0", count: max(0, 4 - digits.count))
    return "\(year < 0 ? "-" : "")\(padding)\(digits)"
      + "-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }

  /// Reads ISO 8601, such as `2026-11-20`; nil for anything else or a day that does not exist.
  package init?(iso8601 text: String) {
    var reader = DigitReader(text)
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
      reader.take("-"), let day = reader.number(2), reader.isAtEnd
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}
