package import CEL

/// Parses times of day as people write them: `14:00`, `14:00:30.5`, `9am`, `2:30pm`.
package enum TimeOfDay {
  /// Parses a time on a given day; nil if the text is invalid.
  package static func time(_ text: String, on date: CivilDate) -> CivilTime? {
    var digits = text.lowercased().filter { !$0.isWhitespace }[...]
    if digits == "noon" || digits == "midnight" {
      return CivilTime(date, hour: digits == "noon" ? 12 : 0, minute: 0)
    }
    let isAfternoon = digits.hasSuffix("pm")
    let isTwelveHours = isAfternoon || digits.hasSuffix("am")
    if isTwelveHours { digits = digits.dropLast(2) }
    let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
    guard (isTwelveHours ? 1 : 2)...3 ~= parts.count,
      var hour = parts[0].decimal(digits: 1...2)
    else { return nil }
    if isTwelveHours {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    var minute = 0
    if parts.count > 1 {
      guard let given = parts[1].decimal(digits: 2...2) else { return nil }
      minute = given
    }
    guard parts.count > 2 else { return CivilTime(date, hour: hour, minute: minute) }
    let second = parts[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = second[0].decimal(digits: 2...2) else { return nil }
    var nanoseconds: Int32 = 0
    if second.count > 1 {
      guard let fraction = second[1].decimal(digits: 1...9) else { return nil }
      let scale = (second[1].utf8.count..<9).reduce(1) { scale, _ in scale * 10 }
      nanoseconds = Int32(fraction * scale)
    }
    return CivilTime(date, hour: hour, minute: minute, second: whole, nanoseconds: nanoseconds)
  }

  /// Parses a time as whole seconds after midnight; nil if the text is invalid.
  package static func second(_ text: String) -> Int? {
    guard let time = time(text, on: CivilDate(daysSinceEpoch: 0)), time.nanoseconds == 0 else {
      return nil
    }
    return time.secondOfDay
  }

  /// Formats seconds after midnight, such as `09:00` or `09:00:30`.
  package static func text(ofSecond second: Int) -> String {
    let parts = [second / 3_600, second / 60 % 60] + (second % 60 == 0 ? [] : [second % 60])
    return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}

extension CivilTime {
  /// The form of the command line, such as `2026-12-01T17:00`, with seconds only where there are some.
  package var localText: String {
    "\(date.iso8601)T\(TimeOfDay.text(ofSecond: secondOfDay))"
  }
}

extension Substring {
  /// The number written by ASCII digits, if their count is in the range; nil otherwise.
  package func decimal(digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(utf8.count), utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(self)
  }
}
