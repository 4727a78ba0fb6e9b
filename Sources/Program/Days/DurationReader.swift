package import CEL

/// Parses durations as people type them: `90s`, `1h30m`, `2 days`, `1.5h`.
package enum DurationReader {
  /// Examples for messages and help.
  package static let examples = "90s, 1h30m, 2d, 1w"

  /// Parses a duration; nil if invalid.
  package static func duration(_ text: String) -> DurationValue? {
    guard text.utf8.count <= 64 else { return nil }
    let words = text.lowercased().replacing(",", with: " ").split(whereSeparator: \.isWhitespace)
    var rest = words.filter { $0 != "and" }.map { ["a", "an"].contains($0) ? "1" : $0 }.joined()[
      ...]
    let isNegative = rest.hasPrefix("-")
    if isNegative || rest.hasPrefix("+") { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return nil }
    if rest == "0" { return DurationValue(seconds: 0) }
    var total = DurationValue(seconds: 0)
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest[number.endIndex...]
      let name = rest.prefix { $0.isLetter }
      rest = rest[name.endIndex...]
      guard let (unit, times) = unit(named: name),
        let part = DurationValue(text: number + unit)?.totalNanoseconds
      else { return nil }
      let (nanoseconds, overflow) = part.multipliedReportingOverflow(by: times)
      guard !overflow, let sum = total.adding(DurationValue(totalNanoseconds: nanoseconds)) else {
        return nil
      }
      total = sum
    }
    return isNegative ? total.negated : total
  }

  /// The CEL unit for a name, and how many of it.
  private static func unit(named name: Substring) -> (unit: String, times: Int64)? {
    switch name {
    case "ns", "us", "µs", "μs", "ms": (String(name), 1)
    case "s", "sec", "secs", "second", "seconds": ("s", 1)
    case "m", "min", "mins", "minute", "minutes": ("m", 1)
    case "h", "hr", "hrs", "hour", "hours": ("h", 1)
    case "d", "day", "days": ("h", 24)
    case "w", "wk", "week", "weeks": ("h", 168)
    default: nil
    }
  }
}

/// Formats durations as people write them: `1h30m`, `2d`, `1.5s`; `DurationReader` parses them
/// back.
package enum DurationText {
  private static let units: [(name: String, seconds: Int64)] = [
    ("d", 86_400), ("h", 3_600), ("m", 60),
  ]

  /// Formats a duration, omitting parts that are zero.
  package static func text(for length: DurationValue) -> String {
    guard length.seconds >= 0 else {
      // The smallest duration cannot be negated and is written in seconds.
      return length.negated.map { "-" + text(for: $0) } ?? Value.duration(length).text
    }
    var parts = ""
    var rest = length.seconds
    for unit in units where rest >= unit.seconds {
      parts += "\(rest / unit.seconds)\(unit.name)"
      rest %= unit.seconds
    }
    let seconds = DurationValue(seconds: rest, nanoseconds: length.nanoseconds)
    if seconds > DurationValue(seconds: 0) || parts.isEmpty {
      parts += Value.duration(seconds).text
    }
    return parts
  }

  /// Formats a duration as in a timetable, `29 min` or `1 h 30 min`: its two largest units.
  package static func spoken(_ length: DurationValue) -> String {
    guard length.seconds >= 0 else {
      return length.negated.map { "-" + spoken($0) } ?? text(for: length)
    }
    let seconds = length.seconds
    let minutes = seconds / 60
    switch seconds {
    case ..<10: return spokenShort(seconds * 1_000_000_000 + Int64(length.nanoseconds))
    case ..<60: return "\(seconds) s"
    case ..<3_600: return "\(minutes) min" + (seconds % 60 == 0 ? "" : " \(seconds % 60) s")
    case ..<86_400: return "\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
    default:
      let days = seconds / 86_400
      let hours = seconds / 3_600 % 24
      return "\(days) \(days == 1 ? "day" : "days")" + (hours == 0 ? "" : " \(hours) h")
    }
  }

  /// Formats less than ten seconds, in tenths or a smaller unit.
  private static func spokenShort(_ nanoseconds: Int64) -> String {
    switch nanoseconds {
    case 0: return "0 s"
    case ..<1_000: return "\(nanoseconds) ns"
    case ..<1_000_000: return "\(nanoseconds / 1_000) µs"
    case ..<1_000_000_000: return "\(nanoseconds / 1_000_000) ms"
    default:
      let tenths = (nanoseconds + 50_000_000) / 100_000_000
      return "\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)") + " s"
    }
  }
}
