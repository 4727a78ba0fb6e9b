package import CEL
import Items

/// Reads the dates and times that people type: `tomorrow`, `fri 14:00`, `+3d`, `2026-11-20`.
package struct DateReader: Sendable {
  /// What can be written, for messages and help.
  package static let examples =
    "2026-11-20, 2026-11-20 14:00, today, tomorrow 9:00, friday, +3d, 2 weeks ago"

  /// What can be written where a day is wanted.
  package static let dayExamples = "2026-11-20, today, tomorrow, friday, next monday, +3d, -2w"

  private let now: Timestamp
  private let clock: LocalClock

  /// A reader for a person at a moment, with the clock on that person's wall.
  package init(now: Timestamp, clock: LocalClock) {
    self.now = now
    self.clock = clock
  }

  /// The moment that a text means; nil when it means none.
  ///
  /// A day without a time is its first moment; `+3d` and `+2h` count from now.
  package func timestamp(_ text: String) -> Timestamp? {
    let text = Self.trimmed(text)
    if let moment = Timestamp(rfc3339: text.uppercased()) ?? ForeignMoment.moment(text) {
      return moment
    }
    guard let reading = reading(text) else { return nil }
    let moment = clock.moment(of: reading.time)
    guard moment.isInRange else { return nil }
    return reading.shift.map { moment.adding($0) } ?? moment
  }

  /// The day that a text means, also that of a moment as other programs print it; nil when it means
  /// none, or a time of day too.
  package func date(_ text: String) -> CivilDate? {
    let foreign = ForeignMoment.moment(Self.trimmed(text))
    if let foreign, foreign.isInRange { return clock.time(at: foreign).date }
    guard let reading = reading(Self.trimmed(text)), !reading.hasTime, reading.shift == nil,
      (1...9_999).contains(reading.time.date.year)
    else { return nil }
    return reading.time.date
  }

  /// What a text means on the wall.
  private struct Reading {
    var time: CivilTime
    var hasTime = false
    /// Hours, minutes and seconds that pass from there, whatever the wall shows meanwhile.
    var shift: Duration?
  }

  private func reading(_ text: String) -> Reading? {
    guard text.utf8.count <= 64 else { return nil }
    var words = text.lowercased().split(whereSeparator: \.isWhitespace).map { String($0) }
    if words.count == 1, let mark = words[0].firstIndex(of: "t"), words[0].contains("-") {
      let date = String(words[0][..<mark])
      if CivilDate(iso8601: date) != nil {
        words = [date, String(words[0][words[0].index(after: mark)...])]
      }
    }
    guard let first = words.first else { return nil }
    let today = clock.time(at: now)
    if let shift = Self.spokenShift(words) { return shifted(shift, from: today) }
    if words == ["now"] { return Reading(time: today, hasTime: true) }
    if words.count == 1, let time = TimeOfDay.time(first, on: today.date) {
      return Reading(time: time, hasTime: true)
    }
    if let sign = first.first, sign == "+" || sign == "-" {
      guard var reading = shifted(first, from: today) else { return nil }
      words.removeFirst()
      guard !words.isEmpty else { return reading }
      guard reading.shift == nil, let time = Self.time(of: words, on: reading.time.date) else {
        return nil
      }
      reading.time = time
      reading.hasTime = true
      return reading
    }
    guard let date = Self.date(&words, today: today.date) else { return nil }
    if words.isEmpty { return Reading(time: CivilTime(date: date)) }
    return Self.time(of: words, on: date).map { Reading(time: $0, hasTime: true) }
  }

  /// The day that the first words mean, which are taken away.
  private static func date(_ words: inout [String], today: CivilDate) -> CivilDate? {
    let first = words.removeFirst()
    switch first {
    case "today": return today
    case "tomorrow": return today.adding(days: 1)
    case "yesterday": return today.adding(days: -1)
    case "next", "last", "this":
      guard let name = words.first, let day = CalendarNames.dayOfWeek(named: name) else {
        return nil
      }
      words.removeFirst()
      return first == "last" ? today.last(day) : today.next(day)
    default:
      if let day = CalendarNames.dayOfWeek(named: first) { return today.next(day) }
      return CivilDate(iso8601: first)
    }
  }

  private static func time(of words: [String], on date: CivilDate) -> CivilTime? {
    let words = words.first == "at" ? words.dropFirst() : words[...]
    guard words.count <= 2 else { return nil }
    return TimeOfDay.time(words.joined(), on: date)
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.drop(while: \.isWhitespace)
    let end = start.lastIndex { !$0.isWhitespace }
    return end.map { String(start[...$0]) } ?? ""
  }
}

extension DateReader {
  /// A shift in words, `3 days ago` or `in an hour`, as a shift in signs; nil when it is none.
  private static func spokenShift(_ words: [String]) -> String? {
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

  /// Reads a shift from now, such as `+3d`, `-2w`, `+1y6mo` or `+1h30m`.
  private func shifted(_ text: String, from start: CivilTime) -> Reading? {
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
    return Reading(time: time, shift: seconds == 0 ? nil : Duration(seconds: seconds))
  }
}

extension CivilDate {
  /// The next such day of the week after this one.
  fileprivate func next(_ dayOfWeek: Int) -> CivilDate {
    adding(days: (dayOfWeek - self.dayOfWeek + 6) % 7 + 1)
  }

  /// The last such day of the week before this one.
  fileprivate func last(_ dayOfWeek: Int) -> CivilDate {
    adding(days: -((self.dayOfWeek - dayOfWeek + 6) % 7 + 1))
  }
}
