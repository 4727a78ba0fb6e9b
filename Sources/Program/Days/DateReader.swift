package import CEL
import ForeignText
package import Items
import Source

/// Parses dates and times as people type them: `tomorrow`, `fri 14:00`, `+3d`, `dec 1`,
/// `2026-11-20`.
package struct DateReader: Sendable {
  /// Examples for messages and help.
  package static let examples =
    "2026-11-20, 2026-11-20 14:00, today, tomorrow 9:00, friday, +3d, 2 weeks ago"

  /// Examples for messages about dates with a time or without.
  package static let whenExamples =
    "2026-11-20, 2026-11-20 14:00, tomorrow 9:00, friday at 5pm, in 20 minutes, next week"

  /// Examples for messages about dates without a time.
  package static let dayExamples = "2026-11-20, today, tomorrow, friday, dec 1, next month, +3d"

  private let now: Timestamp
  private let clock: LocalClock
  /// Whether a date without a year is the next such date.
  private let completesYears: Bool
  /// The language of the person, besides English; nil where only the forms above are read.
  private let language: Language?

  /// Creates a parser relative to a timestamp and a local clock.
  ///
  /// - Parameter language: The language in which days and times may be said, as in `do`; nil for texts
  ///   that no person typed.
  package init(now: Timestamp, clock: LocalClock, language: Language? = nil) {
    self.now = now
    self.clock = clock
    self.language = language
    completesYears = true
  }

  /// Creates a parser for texts written at an unknown time.
  package init(clock: LocalClock) {
    now = Timestamp(seconds: 0)
    self.clock = clock
    language = nil
    completesYears = false
  }

  /// A valid text that an invalid one may have been meant for, such as `+3d` for `3d`.
  ///
  /// `1/12/2026` and `1/12` are ambiguous, so both dates are suggested.
  ///
  /// - Parameter name: The name of the value; `since` and the like are in the past.
  package func suggestion(for text: String, named name: String = "") -> String? {
    let text = text.trimmed
    let sign = ["since", "after", "from"].contains(name) ? "-" : "+"
    if timestamp(sign + text) != nil { return sign + text }
    switch text.lowercased() {
    case "eom", "end of month", "month end": return monthEnd
    case "eow", "end of week": return "sunday"
    case "eod", "cob": return "today"
    case "som", "start of month": return "next month"
    default: break
    }
    let words = text.lowercased().split { "-_ ".contains($0) }.map(String.init)
    let mended = words.map { word in
      word.allSatisfy(\.isLetter) ? Suggestion.nearest(to: word, in: Self.words) ?? word : word
    }.joined(separator: " ")
    if mended != text, !text.contains(where: \.isNumber), timestamp(mended) != nil { return mended }
    let parts = text.split(whereSeparator: { "./-".contains($0) }).map { Int($0) ?? 0 }
    if parts.count == 3, parts[0] >= 1_000 {
      return CivilDate(year: parts[0], month: parts[1], day: parts[2])?.iso8601
    }
    let today = clock.time(at: now).date
    guard parts.count == 3 && parts[2] >= 1_000 || parts.count == 2 && text.contains("/") else {
      return nil
    }
    let years = parts.count == 3 ? [parts[2]] : completesYears ? [today.year, today.year + 1] : []
    var days: [String] = []
    for (month, day) in [(parts[1], parts[0]), (parts[0], parts[1])] {
      let dates = years.compactMap { CivilDate(year: $0, month: month, day: day) }
      guard let date = parts.count == 3 ? dates.first : dates.first(where: { $0 >= today }) else {
        continue
      }
      if !days.contains(date.iso8601) { days.append(date.iso8601) }
      // With dots, the day comes first in all countries.
      if text.contains(".") { break }
    }
    return days.isEmpty ? nil : days.joined(separator: " or ")
  }

  /// Words of days.
  private static let words = [
    "today", "tomorrow", "yesterday", "next", "last", "week", "month", "monday", "tuesday",
    "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// The last day of this month.
  private var monthEnd: String? {
    let today = clock.time(at: now).date
    return Self.lastDay(ofMonth: today.month, today.year)?.iso8601
  }

  /// The last day of a month; nil for no month.
  private static func lastDay(ofMonth month: Int, _ year: Int) -> CivilDate? {
    (28...31).lazy.reversed().compactMap { CivilDate(year: year, month: month, day: $0) }.first
  }

  /// Why a text such as `2026-02-30` is no date: the month or the day does not exist; nil for other texts.
  package static func impossibility(of text: String) -> String? {
    let parts = text.trimmed.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
      .map { $0.allSatisfy(\.isNumber) ? Int($0) ?? 0 : 0 }
    guard parts.count == 3, (1_000...9_999).contains(parts[0]), parts[1] > 0, parts[2] > 0 else {
      return nil
    }
    if parts[1] > 12 { return "there is no month \(parts[1])" }
    guard CivilDate(year: parts[0], month: parts[1], day: parts[2]) == nil,
      let last = lastDay(ofMonth: parts[1], parts[0])
    else { return nil }
    let name = Language.english.months.wide[parts[1] - 1]
    return "\(name) \(parts[0]) has \(last.day) days"
  }

  /// Parses a timestamp; nil if invalid.
  ///
  /// A date without a time is its start; `+3d` and `+2h` are relative to now.
  package func timestamp(_ text: String) -> Timestamp? {
    let text = text.trimmed
    if let moment = Timestamp(rfc3339: text.uppercased()) ?? Self.printed(text) { return moment }
    guard let reading = reading(text) else { return spoken(text).flatMap(start) }
    let moment = clock.moment(of: reading.time)
    guard moment.isInRange else { return nil }
    return reading.shift.map { moment.adding($0) } ?? moment
  }

  /// Parses a date, also that of a timestamp printed by another program; nil if invalid, or if it
  /// has a time of day.
  package func date(_ text: String) -> CivilDate? {
    if Timestamp(rfc3339: text.trimmed.uppercased()) == nil,
      let printed = Self.printed(text.trimmed)
    {
      return clock.time(at: printed).date
    }
    guard let reading = reading(text.trimmed) else {
      return spoken(text).flatMap { $0.timeOfDay.isEmpty ? $0.day : nil }
    }
    guard !reading.hasTime, reading.shift == nil,
      (1...9_999).contains(reading.time.date.year)
    else { return nil }
    return reading.time.date
  }

  /// Parses a day, which the result stands for, or a moment; nil if invalid.
  ///
  /// A time without a day is the next one. A moment has no fractions of seconds, and one that is some
  /// minutes or hours from now has no seconds.
  package func when(_ text: String) -> Timestamp? {
    let text = text.trimmed
    if let moment = Timestamp(rfc3339: text.uppercased()) ?? Self.printed(text) {
      return Timestamp(seconds: moment.seconds)
    }
    guard let reading = reading(text) else { return spoken(text).flatMap(start) }
    guard reading.hasTime || reading.shift != nil else {
      let date = reading.time.date
      return (1...9_999).contains(date.year) ? clock.start(of: date) : nil
    }
    guard var moment = timestamp(text) else { return nil }
    if reading.isTimeOnly, moment <= now {
      var time = reading.time
      time.date = time.date.adding(days: 1)
      moment = clock.moment(of: time)
    }
    let isLong = reading.shift.map { $0.seconds % 60 == 0 } ?? false
    let rest = isLong ? (moment.seconds % 60 + 60) % 60 : 0
    return Timestamp(seconds: moment.seconds - rest)
  }

  /// Parses a text as a value of a type of days or moments; nil if invalid.
  ///
  /// - Parameter start: The moment that a time of day follows; by default it is the next one.
  package func moment(
    _ text: String, as type: DataType, after start: Timestamp? = nil
  ) -> Timestamp? {
    switch type {
    case .date: date(text).map(clock.start)
    case .when:
      if let start, isTimeOfDay(text) {
        DateReader(now: start, clock: clock, language: language).when(text)
      } else {
        when(text)
      }
    default: timestamp(text)
    }
  }

  /// Whether a text is a time of day without a day.
  package func isTimeOfDay(_ text: String) -> Bool {
    reading(text.trimmed)?.isTimeOnly ?? spoken(text)?.isTimeOnly ?? false
  }

  /// Examples of a type of days or moments.
  package static func examples(of type: DataType) -> String {
    switch type {
    case .date: dayExamples
    case .when: whenExamples
    default: examples
    }
  }

  /// Says that a text is no value of a type.
  package static func complaint(about text: String, as type: DataType) -> String {
    "“\(text.shortened)” is not \(type == .when ? "a day or a time" : "a \(type.description)")"
  }

  /// The day or the local time of a text in the form of the command line, such as `2026-12-01` or
  /// `2026-12-01T17:00`; nil if invalid.
  package func whenText(_ text: String) -> String? {
    when(text).map { moment in
      let time = clock.time(at: moment)
      return moment.isDay ? time.date.iso8601 : time.localText
    }
  }

  /// Reads words as they are said, in the person's language or in English.
  private func spoken(_ text: String) -> SpokenDate.Reading? {
    guard let language else { return nil }
    for reader in SpokenDate.readers(of: language, now: now, clock: clock) {
      if let reading = reader.reading(text), reading.recurrence == nil, reading.day != nil,
        !reading.isSpan,
        reading.time != nil || reading.timeOfDay.isEmpty
      {
        return reading
      }
    }
    return nil
  }

  /// The moment of a reading; that of a day stands for it.
  private func start(of reading: SpokenDate.Reading) -> Timestamp? {
    if let time = reading.time { return clock.moment(of: time) }
    return reading.day.map(clock.start)
  }

  /// Parses a timestamp with time and zone as other programs print it: `@1763769600`, those of
  /// mail, feeds, `git log`, `date`, `stat` and `ls --full-time`; nil for others.
  private static func printed(_ text: String) -> Timestamp? {
    // The meaning of digits alone is unknown.
    guard !text.utf8.allSatisfy(\.isDigit), let date = ForeignDate(text, isAlone: true),
      date.hasTime, date.offset != nil
    else { return nil }
    return date.moment { $0.timestamp() }
  }

  /// A parsed local time.
  struct Reading {
    var time: CivilTime
    var hasTime = false
    /// Whether no day was given.
    var isTimeOnly = false
    /// Elapsed time to add, independent of clock changes.
    var shift: DurationValue?
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
    if words.first == "at" { words.removeFirst() }
    guard let first = words.first else { return nil }
    let today = clock.time(at: now)
    if let shift = Self.signedOffset(words) { return shifted(shift, from: today) }
    if words == ["now"] { return Reading(time: today, hasTime: true) }
    if words.count == 1, let time = Self.time(of: words, on: today.date) {
      return Reading(time: time, hasTime: true, isTimeOnly: true)
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
    guard let date = date(&words, today: today.date) else { return nil }
    if words.isEmpty { return Reading(time: CivilTime(date: date)) }
    return Self.time(of: words, on: date).map { Reading(time: $0, hasTime: true) }
  }

  /// Consumes the words of a date.
  private func date(_ words: inout [String], today: CivilDate) -> CivilDate? {
    if let date = namedMonth(&words, today: today) { return date }
    let first = words.removeFirst()
    switch first {
    case "today": return today
    case "tomorrow": return today.adding(days: 1)
    case "yesterday": return today.adding(days: -1)
    case "next", "last", "this":
      guard !words.isEmpty else { return nil }
      let name = words.removeFirst()
      let sign = first == "next" ? 1 : -1
      switch name {
      case "week" where first != "this": return today.adding(days: 7 * sign)
      case "month" where first != "this": return today.adding(months: sign)
      case "year" where first != "this": return today.adding(months: 12 * sign)
      default: break
      }
      guard let day = CalendarNames.dayOfWeek(named: name) else { return nil }
      return first == "last" ? today.last(day) : today.next(day)
    default:
      if let day = CalendarNames.dayOfWeek(named: first) { return today.next(day) }
      return CivilDate(iso8601: first)
    }
  }

  /// Consumes the words of `dec 1`, `1 Dec` or `1 December 2026`; without a year, the next such
  /// date.
  private func namedMonth(_ words: inout [String], today: CivilDate) -> CivilDate? {
    guard words.count >= 2 else { return nil }
    let pair = words[..<2].map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
    guard let place = pair.firstIndex(where: { CalendarNames.month(named: $0) != nil }),
      let month = CalendarNames.month(named: pair[place]),
      let day = pair[1 - place][...].decimal(digits: 1...2)
    else { return nil }
    if words.count > 2, let year = words[2][...].decimal(digits: 4...4) {
      guard let date = CivilDate(year: year, month: month, day: day) else { return nil }
      words.removeFirst(3)
      return date
    }
    // The next 29 February may be eight years away.
    let dates = (today.year...today.year + 8).lazy.compactMap {
      CivilDate(year: $0, month: month, day: day)
    }
    guard completesYears, let date = dates.first(where: { $0 >= today }) else { return nil }
    words.removeFirst(2)
    return date
  }

  private static func time(of words: [String], on date: CivilDate) -> CivilTime? {
    let words = words.first == "at" ? words.dropFirst() : words[...]
    // Midnight is the end of its day.
    if words == ["midnight"] || words == ["24:00"] { return CivilTime(date: date.adding(days: 1)) }
    guard words.count <= 2 else { return nil }
    return TimeOfDay.time(words.joined(), on: date)
  }
}

extension CivilDate {
  /// Returns the next such weekday after this date.
  fileprivate func next(_ dayOfWeek: Int) -> CivilDate {
    adding(days: (dayOfWeek - self.dayOfWeek + 6) % 7 + 1)
  }

  /// Returns the last such weekday before this date.
  fileprivate func last(_ dayOfWeek: Int) -> CivilDate {
    adding(days: -((self.dayOfWeek - dayOfWeek + 6) % 7 + 1))
  }
}
