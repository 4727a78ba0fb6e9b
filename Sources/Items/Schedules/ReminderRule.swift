package import CEL

/// A moment at which a person wants to be reminded: relative to when something is due, or fixed.
package enum ReminderRule: Hashable, Sendable {
  /// When it is due.
  case atDue
  /// Some days or months before, at the same time of day.
  case daysBefore(Period)
  /// Some time before.
  case timeBefore(DurationValue)
  /// At a time in the person's zone.
  case at(CivilTime)
  /// At a moment.
  case moment(Timestamp)

  /// Whether it does not depend on when something is due.
  package var isFixed: Bool {
    switch self {
    case .at, .moment: true
    case .atDue, .daysBefore, .timeBefore: false
    }
  }

  /// The second of the day at which a whole day is due.
  package static let secondOfDay = 9 * 3_600

  /// Examples for messages and help.
  package static let examples = "15m before, 1d before, at due, 2026-12-01T09:00"

  /// Words of units and their forms in `Period` and `DurationValue`.
  private static let units = [
    "minutes": "m", "minute": "m", "mins": "m", "min": "m", "hours": "h", "hour": "h",
  ]

  /// Parses `15m before`, `15m`, `1d before`, `at due` or `2026-12-01T09:00`; nil for any other text.
  package init?(_ text: String) {
    guard text.utf8.count <= 64 else { return nil }
    if let moment = Timestamp(rfc3339: text.uppercased()) {
      self = .moment(Timestamp(seconds: moment.seconds))
      return
    }
    var words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    if words == ["at", "due"] || words == ["due"] {
      self = .atDue
      return
    }
    if words.last == "before" { words.removeLast() }
    let length = words.map { Self.units[$0] ?? $0 }.joined()
    if let period = Period(length), period.months >= 0, period.days >= 0 {
      self = period.months == 0 && period.days == 0 ? .atDue : .daysBefore(period)
    } else if let duration = DurationValue(text: length), duration >= DurationValue(seconds: 0),
      duration.nanoseconds == 0
    {
      self = duration.seconds == 0 ? .atDue : .timeBefore(duration)
    } else {
      let parts = text.uppercased().split(whereSeparator: { $0 == "T" || $0 == " " })
      guard parts.count == 2, let date = CivilDate(iso8601: String(parts[0])),
        let time = TimeOfDay.time(String(parts[1]), on: date), time.nanoseconds == 0
      else { return nil }
      self = .at(time)
    }
  }

  /// The canonical text.
  package var text: String {
    switch self {
    case .atDue: "at due"
    case .daysBefore(let period): "\(period.text) before"
    case .timeBefore(let duration): "\(Self.text(of: duration)) before"
    case .moment(let moment): moment.text
    case .at(let time): time.localText
    }
  }

  private static func text(of duration: DurationValue) -> String {
    let parts = [
      (duration.seconds / 3_600, "h"), (duration.seconds / 60 % 60, "m"),
      (duration.seconds % 60, "s"),
    ]
    return parts.map { $0.0 == 0 ? "" : "\($0.0)\($0.1)" }.joined()
  }
}
