import CEL

/// Dates of mail and feeds, `Fri, 20 Nov 2026 14:00:00 +0100` (RFC 5322 §3.3, RFC 2822).
enum MailDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// The moment of a text; nil when it is of another form.
  static func moment(_ text: String) -> Timestamp? {
    var scanner = DigitScanner(text)
    // The name of the day says nothing that the date does not.
    _ = scanner.letters()
    scanner.skipSpaces()
    guard let day = scanner.number(2) else { return nil }
    scanner.skipSpaces()
    guard let month = months.firstIndex(of: String(scanner.letters().lowercased().prefix(3)))
    else { return nil }
    scanner.skipSpaces()
    guard var year = scanner.number(4) else { return nil }
    // Two digits of a year are those of RFC 5322 §4.3.
    if year < 50 { year += 2000 } else if year < 1000 { year += 1900 }
    scanner.skipSpaces()
    guard let hour = scanner.number(2), scanner.take(":"), let minute = scanner.number(2) else {
      return nil
    }
    let second = scanner.take(":") ? scanner.number(2) ?? 0 : 0
    scanner.skipSpaces()
    guard let offset = offset(&scanner) else { return nil }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return Timestamp(
      rfc3339: "\(year)-\(two(month + 1))-\(two(day))T\(two(hour)):\(two(minute)):\(two(second))"
        + offset)
  }

  /// The zone as RFC 3339 writes it; names that are no zone of America mean UTC (RFC 5322 §4.3).
  private static func offset(_ scanner: inout DigitScanner) -> String? {
    if let sign = scanner.takeSign() {
      let digits = scanner.digits()
      guard digits.utf8.count == 4 else { return nil }
      return "\(sign)\(digits.prefix(2)):\(digits.suffix(2))"
    }
    return switch scanner.letters().uppercased() {
    case "EDT": "-04:00"
    case "EST", "CDT": "-05:00"
    case "CST", "MDT": "-06:00"
    case "MST", "PDT": "-07:00"
    case "PST": "-08:00"
    default: "Z"
    }
  }
}

extension MailDate {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  /// The text of a moment in UTC, to the second; nil outside the years that have four digits.
  static func text(_ moment: Timestamp) -> String? {
    let time = TimeZoneRules.utc.civilTime(at: moment)
    let date = time.date
    guard (1900...9999).contains(date.year) else { return nil }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let month = months[date.month - 1]
    let weekday = days[(date.daysSinceEpoch % 7 + 11) % 7]
    return "\(weekday), \(two(date.day)) \(month.prefix(1).uppercased())\(month.dropFirst()) "
      + "\(date.year) \(two(time.hour)):\(two(time.minute)):\(two(time.second)) +0000"
  }
}
