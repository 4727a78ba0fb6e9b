extension Timestamp {
  /// Parses RFC 3339, such as `2026-11-20T14:00:00.5+01:00`; nil if invalid.
  ///
  /// Digits beyond nanoseconds are dropped; a leap second (`:60`) is invalid in CEL.
  package init?(rfc3339 text: String) {
    var reader = DigitReader(text)
    guard let date = reader.date(), reader.take("T") || reader.take("t"),
      let hour = reader.number(2), reader.take(":"), let minute = reader.number(2),
      reader.take(":"), let second = reader.number(2)
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

  /// RFC 3339 in UTC with as many decimals as needed, such as `2026-11-20T13:00:00.5Z`.
  package var text: String {
    let time = CivilTime(self)
    return "\(time.date)T\(time.hour.twoDigits):\(time.minute.twoDigits):"
      + "\(time.second.twoDigits)\(DurationValue.fraction(nanoseconds))Z"
  }
}

extension CivilDate: CustomStringConvertible {
  /// The date as `YYYY-MM-DD` (ISO 8601 §5.2.1).
  package var iso8601: String { description }

  /// The date in ISO 8601, such as `2026-11-20`.
  package var description: String {
    let digits = "\(abs(year))"
    let padding = String(repeating: "0", count: max(0, 4 - digits.count))
    return "\(year < 0 ? "-" : "")\(padding)\(digits)"
      + "-\(month.twoDigits)-\(day.twoDigits)"
  }

  /// Parses ISO 8601, such as `2026-11-20`; nil if it is invalid or the day does not exist.
  package init?(iso8601 text: String) {
    var reader = DigitReader(text)
    guard let date = reader.date(), reader.isAtEnd else { return nil }
    self = date
  }
}

extension DigitReader {
  /// Consumes `YYYY-MM-DD`; nil if the day does not exist.
  mutating func date() -> CivilDate? {
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2)
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }
}

extension Int {
  /// The number, padded with a zero to two digits.
  var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
