import CEL

/// Dates as other programs write them: numbers of any unit, and texts of several forms.
enum ForeignDate {
  /// The moment of a number, whose unit and beginning follow from its size; nil for 0 and nonsense.
  ///
  /// Numbers since 1601 are those of Chrome (microseconds) and of Windows (100 nanoseconds); a date
  /// of a bookmark lies between 1970 and 2300 in one unit only.
  static func moment(_ number: Int64) -> Timestamp? {
    guard number > 0 else { return nil }
    /// Seconds from 1601 to 1970.
    let shift: Int64 = 11_644_473_600
    let microseconds: Int64
    switch number {
    case ..<11_600_000_000: microseconds = number * 1_000_000
    case ..<22_000_000_000: microseconds = (number - shift) * 1_000_000
    case ..<11_600_000_000_000: microseconds = number * 1000
    case ..<22_000_000_000_000: microseconds = (number - shift * 1000) * 1000
    case ..<11_600_000_000_000_000: microseconds = number
    case ..<22_000_000_000_000_000: microseconds = number - shift * 1_000_000
    case ..<220_000_000_000_000_000: microseconds = number / 10 - shift * 1_000_000
    default: microseconds = number / 1000
    }
    let moment = Timestamp(microseconds: microseconds)
    return moment.isInRange ? moment : nil
  }

  /// The date of a text as a value of a property: a moment, or a day or local time as text, which
  /// the person's zone makes a moment; nil when it is none.
  static func value(_ text: String) -> Value? {
    let text = text.trimmingBlanks
    if text.isEmpty || text == "0" { return nil }
    if let number = Int64(text) { return moment(number).map { .timestamp($0) } }
    if let number = Double(text), number > 1e8, number < 1e18 {
      return moment(Int64(number)).map { .timestamp($0) }
    }
    if let moment = Timestamp(rfc3339: text.uppercased()) { return .timestamp(moment) }
    if let moment = MailDate.moment(text) { return .timestamp(moment) }
    return isoLike(dayFirst(text) ?? text)
  }

  /// `22/11/2026 10:05:06` with the year first, as Wallabag's CSV has it (`d/m/Y h:i:s`); where only
  /// the second number can be a day, as American programs write it.
  private static func dayFirst(_ text: String) -> String? {
    var scanner = DigitScanner(text)
    guard let first = scanner.number(2), scanner.take("/"), let second = scanner.number(2),
      scanner.take("/"), let year = scanner.number(4)
    else { return nil }
    let (day, month) = second > 12 ? (second, first) : (first, second)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" + text.dropFirst(10)
  }

  /// `2022-12-20 19:47:00.442000+00:00`, `2017-01-01T00:00:00+0100`, `2026-11-20 14:00`.
  private static func isoLike(_ text: String) -> Value? {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(4), scanner.take("-") || scanner.take("/"),
      let month = scanner.number(2), scanner.take("-") || scanner.take("/"),
      let day = scanner.number(2)
    else { return nil }
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    guard CivilDate(iso8601: date) != nil else { return nil }
    if scanner.isAtEnd { return .string(date) }
    guard scanner.take("T") || scanner.take("t") || scanner.take(" "),
      let hour = scanner.number(2), scanner.take(":"), let minute = scanner.number(2)
    else { return nil }
    var time = "\(padded(hour, 2)):\(padded(minute, 2))"
    var second = 0
    if scanner.take(":") {
      guard let given = scanner.number(2) else { return nil }
      second = given
    }
    time += ":\(padded(second, 2))"
    if scanner.take(".") { time += "." + scanner.digits().prefix(6) }
    _ = scanner.take(" ")
    if scanner.isAtEnd {
      guard Timestamp(rfc3339: "\(date)T\(time)Z") != nil else { return nil }
      return .string("\(date)T\(time)")
    }
    if scanner.take("Z") || scanner.take("z") || scanner.takeWord("UTC") {
      return Timestamp(rfc3339: "\(date)T\(time)Z").map { .timestamp($0) }
    }
    guard let sign = scanner.takeSign(), let hours = scanner.number(2) else { return nil }
    _ = scanner.take(":")
    let minutes = scanner.number(2) ?? 0
    return Timestamp(rfc3339: "\(date)T\(time)\(sign)\(padded(hours, 2)):\(padded(minutes, 2))")
      .map { .timestamp($0) }
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}

extension String {
  /// The text without white space of ASCII at its ends.
  var trimmingBlanks: String {
    guard let first = utf8.firstIndex(where: { !$0.isBlank }),
      let last = utf8.lastIndex(where: { !$0.isBlank })
    else { return "" }
    return String(self[first...last])
  }
}
