package import CEL
import Items

/// A range of time that consists of days, such as `this week`, or lies between two moments.
package struct DayRange {
  /// Examples for messages and help.
  package static let examples = RangeText.examples

  package let start: Timestamp
  /// The first moment after it.
  package let end: Timestamp

  /// Reads days; nil for a text that names none.
  package init?(_ text: String, now: Timestamp, clock: LocalClock, language: Language = .english) {
    if let text = RangeText.canonical(text) {
      let ends = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      self.init(ends[0], ends[ends.count - 1], clock)
      return
    }
    let text = text.trimmed == "week" ? "next 7 days" : text
    for code in language.isEnglish ? ["en"] : [language.code, "en"] {
      guard let reading = SpokenDate(code, now: now, clock: clock)?.reading(text),
        reading.recurrence == nil, reading.first != nil || reading.last != nil
      else { continue }
      if let time = reading.time, let end = reading.endTime {
        self.init(clock.moment(of: time), clock.moment(of: end))
        return
      }
      self.init(reading.first, reading.last, clock)
      return
    }
    guard let moment = DateReader(now: now, clock: clock).when(text) else { return nil }
    let day = clock.time(at: moment).date
    self.init(day, day, clock)
  }

  /// Creates a range of days, open at an end without one.
  private init?(_ first: CivilDate?, _ last: CivilDate?, _ clock: LocalClock) {
    let start = first.map(clock.start) ?? Timestamp(seconds: Self.bounds.lowerBound)
    let end =
      last.map { clock.start(of: $0.adding(days: 1)) } ?? Timestamp(seconds: Self.bounds.upperBound)
    self.init(start, end)
  }

  /// Creates a range between two ends as `RangeText` writes them; an empty one is open.
  private init?(_ first: String, _ last: String, _ clock: LocalClock) {
    func moment(_ text: String, days: Int) -> Timestamp? {
      CivilDate(iso8601: text).map { clock.start(of: $0.adding(days: days)) }
        ?? DateReader(clock: clock).timestamp(text)
    }
    self.init(
      moment(first, days: 0) ?? Timestamp(seconds: Self.bounds.lowerBound),
      moment(last, days: 1) ?? Timestamp(seconds: Self.bounds.upperBound))
  }

  /// The seconds of the years 1 to 9999, but for a margin of a day.
  private static let bounds = -62_135_510_400...253_402_214_400 as ClosedRange<Int64>

  /// Creates a range between two moments; nil if it would end before it starts.
  package init?(_ start: Timestamp, _ end: Timestamp) {
    guard end >= start else { return nil }
    (self.start, self.end) = (start, end)
  }

  /// Creates a range from a map of `start` and `end`, as made by `range()`; nil for another value.
  package init?(_ value: Value) {
    guard case .map(let map) = value, case .timestamp(let start)? = map["start"],
      case .timestamp(let end)? = map["end"]
    else { return nil }
    self.init(start, end)
  }

  /// The written form: days where it consists of them, else moments; an open end is empty.
  package func text(_ clock: LocalClock) -> String {
    func written(_ moment: Timestamp, isEnd: Bool) -> String {
      if moment.seconds == (isEnd ? Self.bounds.upperBound : Self.bounds.lowerBound) { return "" }
      let time = clock.time(at: moment)
      return clock.start(of: time.date) == moment
        ? time.date.adding(days: isEnd ? -1 : 0).iso8601 : moment.text
    }
    let (first, last) = (written(start, isEnd: false), written(end, isEnd: true))
    return first == last ? first : "\(first)/\(last)"
  }

  /// The map that expressions see.
  var value: Value {
    .map(MapValue([("start", .timestamp(start)), ("end", .timestamp(end))]))
  }

  /// The moments of it.
  package var moments: Range<Timestamp> {
    let first = Timestamp(seconds: start.seconds)
    return first..<max(first, Timestamp(seconds: end.seconds))
  }
}
