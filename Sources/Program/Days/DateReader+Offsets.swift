import CEL
import Items

/// Days and times by their distance from now.
extension DateReader {
  /// Rewrites `3 days ago` or `in an hour` as a signed offset; nil for other words.
  static func signedOffset(_ words: [String]) -> String? {
    var words = words[...]
    let isAgo = words.last == "ago"
    guard isAgo != (words.first == "in") else { return nil }
    words = isAgo ? words.dropLast() : words.dropFirst()
    var shift = isAgo ? "-" : "+"
    // `2 hours and 30 minutes`, `a week`, `3d`
    let parts = words.filter { $0 != "and" }
    var index = parts.startIndex
    guard !parts.isEmpty else { return nil }
    while index < parts.endIndex {
      let isOne = parts[index] == "a" || parts[index] == "an" || parts[index] == "one"
      let number = isOne ? "1" : parts[index]
      if number.allSatisfy(\.isNumber) {
        guard index + 1 < parts.endIndex, let unit = unit(parts[index + 1]) else { return nil }
        shift += number + unit
        index += 2
      } else {
        guard number.first?.isNumber ?? false else { return nil }
        shift += number
        index += 1
      }
    }
    return shift
  }

  private static func unit(_ name: String) -> String? {
    switch name {
    case "y", "year", "years": "y"
    case "mo", "month", "months": "mo"
    case "w", "week", "weeks": "w"
    case "d", "day", "days": "d"
    case "h", "hour", "hours": "h"
    case "m", "min", "mins", "minute", "minutes": "m"
    case "s", "sec", "secs", "second", "seconds": "s"
    default: nil
    }
  }

  /// Parses an offset from now, such as `+3d`, `-2w`, `+1y6mo` or `+1h30m`.
  func shifted(_ text: String, from start: CivilTime) -> Reading? {
    let sign = text.hasPrefix("-") ? -1 : 1
    var rest = text.dropFirst()
    var (months, days) = (0, 0)
    var seconds: Int64 = 0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest[digits.endIndex...]
      let unit = rest.prefix { $0.isLetter }
      rest = rest[unit.endIndex...]
      guard let count = digits.decimal(digits: 1...6).map({ $0 * sign }) else { return nil }
      switch unit {
      case "y": months += 12 * count
      case "mo": months += count
      case "w": days += 7 * count
      case "d": days += count
      case "h": seconds += 3_600 * Int64(count)
      case "m", "min": seconds += 60 * Int64(count)
      case "s": seconds += Int64(count)
      default: return nil
      }
    }
    var time = start
    time.date = start.date.adding(days: days, months: months)
    return Reading(time: time, shift: seconds == 0 ? nil : DurationValue(seconds: seconds))
  }
}
