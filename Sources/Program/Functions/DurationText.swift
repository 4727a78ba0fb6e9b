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
}
