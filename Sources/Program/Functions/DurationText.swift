package import CEL

/// A length of time as a person writes it: `1h30m`, `2d`, `1.5s`; `DurationReader` reads it back.
package enum DurationText {
  private static let units: [(name: String, seconds: Int64)] = [
    ("d", 86_400), ("h", 3_600), ("m", 60),
  ]

  /// The text of a length; its parts that are zero are left out.
  package static func text(for length: Duration) -> String {
    guard length.seconds >= 0 else {
      // The least length has no opposite, and is written in seconds.
      return length.negated.map { "-" + text(for: $0) } ?? Value.duration(length).text
    }
    var parts = ""
    var rest = length.seconds
    for unit in units where rest >= unit.seconds {
      parts += "\(rest / unit.seconds)\(unit.name)"
      rest %= unit.seconds
    }
    let seconds = Duration(seconds: rest, nanoseconds: length.nanoseconds)
    if seconds > Duration(seconds: 0) || parts.isEmpty { parts += Value.duration(seconds).text }
    return parts
  }

  /// The text of a length in the words of a timetable, `29 min` or `1 h 30 min`: its two greatest
  /// units.
  package static func spoken(_ length: Duration) -> String {
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

  /// The text of less than ten seconds, in tenths of a second, or in a smaller unit.
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
