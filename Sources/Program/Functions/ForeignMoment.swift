import CEL

/// Moments as other programs print them: `@1763769600`, mail's and feeds' (RFC 5322 §3.3), those of
/// `git log` and `date`, and those of `stat` and `ls --full-time`.
enum ForeignMoment {
  /// The moment of a text; nil when it is of none of these forms.
  static func moment(_ text: String) -> Timestamp? {
    if text.hasPrefix("@") { return epoch(text.dropFirst()) }
    var words = text.split { $0 == " " || $0 == "," || $0 == "\t" }
    guard (3...7).contains(words.count) else { return nil }
    // `2026-11-20 14:00:00.123456789 +0100`
    if words.count == 3, let date = CivilDate(iso8601: String(words[0])),
      let offset = offset(words[2])
    {
      return moment(date, words[1], offset)
    }
    // The name of the day says nothing that the date does not.
    if CalendarNames.dayOfWeek(named: words[0].lowercased()) != nil { words.removeFirst() }
    guard words.count >= 3 else { return nil }
    if let month = month(words[0]) { return unixDate(month, words) }
    guard let month = month(words[1]), let day = Int(words[0]), let year = year(words[2]),
      let date = CivilDate(year: year, month: month, day: day), words.count >= 4
    else { return nil }
    return moment(date, words[3], words.count > 4 ? offset(words[4]) : 0)
  }

  /// `Nov 20 14:00:00 2026 +0100`, as `git log` has it, or `Nov 20 14:00:00 CET 2026`.
  private static func unixDate(_ month: Int, _ words: [Substring]) -> Timestamp? {
    guard words.count >= 4, let day = Int(words[1]) else { return nil }
    if let year = year(words[3]) {
      guard words.count == 5, let date = CivilDate(year: year, month: month, day: day) else {
        return nil
      }
      return moment(date, words[2], offset(words[4]))
    }
    guard words.count == 5, let year = year(words[4]),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    return moment(date, words[2], offset(words[3]))
  }

  /// Seconds since 1970, maybe with a fraction.
  private static func epoch(_ text: Substring) -> Timestamp? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let seconds = parts.first.flatMap({ Int64($0) }) else { return nil }
    var nanoseconds: Int32 = 0
    if parts.count > 1 {
      guard let fraction = fraction(parts[1]), seconds >= 0 else { return nil }
      nanoseconds = fraction
    }
    let moment = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    return moment.isInRange ? moment : nil
  }

  private static func moment(
    _ date: CivilDate, _ time: Substring, _ offset: Int?
  ) -> Timestamp? {
    guard let offset else { return nil }
    let parts = time.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hour = number(parts[0]), let minute = number(parts[1])
    else { return nil }
    var second = 0
    var nanoseconds: Int32 = 0
    if parts.count == 3 {
      let pieces = parts[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard let whole = number(pieces[0]) else { return nil }
      second = whole
      if pieces.count > 1 {
        guard let fraction = fraction(pieces[1]) else { return nil }
        nanoseconds = fraction
      }
    }
    guard
      let time = CivilTime(
        date, hour: hour, minute: minute, second: second, nanoseconds: nanoseconds)
    else { return nil }
    let moment = Timestamp(
      seconds: time.secondsSinceEpoch - Int64(offset), nanoseconds: nanoseconds)
    return moment.isInRange ? moment : nil
  }

  private static func number(_ text: Substring) -> Int? {
    guard text.utf8.count == 2, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  private static func fraction(_ text: Substring) -> Int32? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int32(text + String(repeating: "0", count: 9 - text.utf8.count))
  }

  private static func year(_ text: Substring) -> Int? {
    guard text.utf8.count == 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  private static func month(_ text: Substring) -> Int? {
    guard text.utf8.count >= 3 else { return nil }
    let name = text.lowercased()
    return CalendarNames.months.firstIndex {
      let month = $0.lowercased()
      return month == name || month.prefix(3) == name
    }.map { $0 + 1 }
  }

  /// Seconds from UTC; the names are those that RFC 5322 §4.3 defines, and UTC.
  private static func offset(_ text: Substring) -> Int? {
    if let sign = text.first, sign == "+" || sign == "-" {
      let digits = text.dropFirst().filter { $0 != ":" }
      guard digits.utf8.count == 4, let hours = number(digits.prefix(2)[...]),
        let minutes = number(digits.suffix(2)[...]), hours < 24, minutes < 60
      else { return nil }
      return (hours * 60 + minutes) * (sign == "-" ? -60 : 60)
    }
    return switch text.uppercased() {
    case "Z", "UTC", "GMT", "UT": 0
    case "EDT": -4 * 3_600
    case "EST", "CDT": -5 * 3_600
    case "CST", "MDT": -6 * 3_600
    case "MST", "PDT": -7 * 3_600
    case "PST": -8 * 3_600
    default: nil
    }
  }
}
