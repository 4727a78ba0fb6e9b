package import CEL

extension Language {
  /// A relative time as people say it: `vor 5 Minuten`, `morgen`.
  func relativeText(for moment: Timestamp, now: Timestamp, clock: LocalClock) -> String {
    let distance = RelativeTime.distance(to: moment, from: now, clock)
    let isPast = moment <= now
    switch distance {
    case nil: return isPast ? self.now : soon
    case (_, "day", 1)?: return isPast ? yesterday : tomorrow
    case (_, let unit, let count)?: return text(count, (isPast ? past : future)[unit])
    }
  }

  /// A duration as in a timetable: its two largest units.
  package func spoken(_ length: DurationValue) -> String {
    guard length.seconds >= 10 else {
      let text = DurationText.spoken(length)
      return decimal == "." ? text : text.replacing(".", with: decimal)
    }
    let units = [("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)]
    let first = units.firstIndex { length.seconds >= $0.1 } ?? 3
    let (unit, size) = units[first]
    var parts = [text(Int(length.seconds) / size, lengths[unit])]
    if first < 3 {
      let rest = Int(length.seconds) % size / units[first + 1].1
      if rest > 0 { parts.append(text(rest, lengths[units[first + 1].0])) }
    }
    return parts.joined(separator: " ")
  }
}
