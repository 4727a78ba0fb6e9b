package import CEL
import Items
import Phrases

/// Reads spoken dates, durations and recurrences in a language.
package struct SpokenDate: Sendable {
  /// The days or the recurrence named by a text, and its words for a time of day.
  package struct Reading: Sendable {
    /// The day; for a range of days its due day.
    package var day: CivilDate?
    /// The first and the last day; nil for an open end.
    package var first: CivilDate?
    package var last: CivilDate?
    /// The rule, in the form of the command line.
    package var recurrence: String?
    /// The words that say when on a day; empty for none.
    package var timeOfDay = ""
    /// The local time that those words name on the day; nil where they name none, as `before lunch`.
    package var time: CivilTime?

    /// A reading of one day.
    package init(day: CivilDate?, at time: CivilTime? = nil) {
      (self.day, first, last) = (day, day, day)
      self.time = day.flatMap { day in
        time.map { CivilTime(date: day, secondOfDay: $0.secondOfDay) }
      }
    }

    init(
      day: CivilDate? = nil, first: CivilDate? = nil, last: CivilDate? = nil,
      recurrence: String? = nil, timeOfDay: String = "", time: CivilTime? = nil
    ) {
      (self.day, self.first, self.last) = (day, first, last)
      (self.recurrence, self.timeOfDay, self.time) = (recurrence, timeOfDay, time)
    }

    /// The day or the local time in the form of the command line, such as `2026-12-01T17:00`.
    package var when: String? { time?.localText ?? day?.iso8601 }
  }

  let language: Language
  private let english: DateReader
  let clock: SpokenClock
  let zone: LocalClock
  let instant: Timestamp
  let now: CivilTime
  var today: CivilDate { now.date }

  /// Creates a reader relative to a moment; nil for a language without words.
  package init?(_ code: String, now: Timestamp, clock: LocalClock) {
    guard SpokenWords.languages.contains(code), let language = Language.named(code) else {
      return nil
    }
    self.language = language
    english = DateReader(now: now, clock: clock)
    self.clock = SpokenClock.of(code)
    zone = clock
    instant = now
    self.now = clock.time(at: now)
  }

  // Read only where a sentence may have a date, so that others do not pay for them.
  var words: SpokenWords { SpokenWords.of(language.code) ?? .english }
  private var numbers: [String: Double] { PhraseNumbers.words(of: language.code) }

  var isDense: Bool { language.code == "ja" }

  /// The longest text that is read, in bytes.
  package static let longest = 96

  /// Reads a date; nil if the text is not a date.
  package func date(_ text: String) -> CivilDate? {
    guard text.utf8.count <= Self.longest else { return nil }
    var tokens = Self.tokens(text)
    guard !tokens.isEmpty else { return nil }
    if isDense, let date = denseDate(tokens.joined()) { return date }
    // The words may follow a preposition; after some, a day of the month needs no month.
    var isPlaced = false
    while true {
      if let date = bareDate(tokens, isPlaced: isPlaced) { return date }
      guard tokens.count > 1 else { return nil }
      if words.before.contains(tokens[0]) {
        isPlaced = words.dayMarks.contains(tokens.removeFirst())
      } else if let last = tokens.last, words.after.contains(last) {
        tokens.removeLast()
      } else {
        return nil
      }
    }
  }

  static func tokens(_ text: String) -> [String] {
    text.lowercased().replacing("’", with: "'")
      .split { $0.isWhitespace || $0 == "," || $0 == ":" && text.last == ":" }.map(String.init)
  }

  private func bareDate(_ tokens: [String], isPlaced: Bool) -> CivilDate? {
    let text = tokens.joined(separator: " ")
    if let days = words.days[text] { return today.adding(days: days) }
    if let date = relative(tokens) { return date }
    if let date = named(tokens) { return date }
    if let date = monthly(tokens, isPlaced: isPlaced) { return date }
    if tokens.count == 1, let date = numeric(text, isPlaced: isPlaced) { return date }
    return english.date(text)
  }

  /// `next week`, `la semaine prochaine`, `in two weeks`.
  private func relative(_ tokens: [String]) -> CivilDate? {
    if tokens.count >= 2 {
      let isNext = tokens.contains(where: words.next.contains)
      let rest = tokens.filter {
        !words.next.contains($0) && !words.before.contains($0)
          && !words.after.contains($0)
      }
      if isNext, rest.count == 1, let unit = words.units[rest[0]] { return moved(1, unit) }
    }
    return distance(tokens).flatMap { moved($0.count, $0.unit) }
  }

  /// The count and the unit of `in two weeks`.
  func distance(_ tokens: [String]) -> (count: Int, unit: String)? {
    var rest = tokens[...]
    if let first = rest.first, words.inWords.contains(first) {
      rest = rest.dropFirst()
      if language.code == "es", rest.first == "de" { rest = rest.dropFirst() }
    } else if let ending = words.fromNow.first(where: {
      tokens.joined(separator: " ").hasSuffix(" " + $0)
    }) {
      rest = rest.dropLast(ending.split(separator: " ").count)
    } else {
      return nil
    }
    guard let unit = rest.last.flatMap({ words.units[$0] }),
      let count = number(rest.dropLast().joined(separator: " "))
    else { return nil }
    return (count, unit)
  }

  func number(_ text: String) -> Int? {
    if let number = Int(text), (0...9_999).contains(number) { return number }
    if ["a", "an", "the next"].contains(text), language.isEnglish { return 1 }
    return numbers[text].map { Int($0) }
  }

  private func moved(_ count: Int, _ unit: String) -> CivilDate? {
    switch unit {
    case "d": today.adding(days: count)
    case "w": today.adding(days: 7 * count)
    case "mo": today.adding(months: count)
    case "y": today.adding(months: 12 * count)
    default: nil
    }
  }

  /// A day of the week, perhaps with `next` or `this`.
  private func named(_ tokens: [String]) -> CivilDate? {
    let rest = tokens.filter {
      !words.next.contains($0) && !words.this.contains($0)
        && !words.after.contains($0)
    }
    guard let first = rest.first, let day = dayOfWeek(first) else { return nil }
    if rest.count == 1 { return next(day) }
    return words.later[rest.dropFirst().joined(separator: " ")].map { next(day).adding(days: $0) }
  }

  private func next(_ day: Int) -> CivilDate {
    let distance = (day - today.dayOfWeek + 7) % 7
    return today.adding(days: distance == 0 ? 7 : distance)
  }

  func dayOfWeek(_ word: String) -> Int? {
    let word = word.hasSuffix(".") ? String(word.dropLast()) : word
    if let day = language.days.wide.firstIndex(where: { $0.lowercased() == word }) { return day }
    // Two letters may be an ordinary word.
    guard word.count > 2 else { return nil }
    return language.days.short.firstIndex {
      $0.lowercased().replacing(".", with: "") == word
    }
  }

  /// `3 december`, `december 3rd`, `el 3 de diciembre`, with a year or without; `the 15th`.
  private func monthly(_ tokens: [String], isPlaced: Bool) -> CivilDate? {
    var rest = tokens.filter { !["de", "of", "del", "the"].contains($0) }
    var year: Int?
    if let last = rest.last, last.count == 4, let number = Int(last) {
      year = number
      rest.removeLast()
    }
    let monthAt = rest.firstIndex { month($0) != nil }
    guard rest.count == (monthAt == nil ? 1 : 2) else { return nil }
    guard let day = dayOfMonth(rest[monthAt == 0 ? 1 : 0], isPlaced: isPlaced || monthAt != nil)
    else { return nil }
    if let monthAt, let month = month(rest[monthAt]) {
      if let year { return CivilDate(year: year, month: month, day: day) }
      return (0...8).lazy.compactMap {
        CivilDate(year: today.year + $0, month: month, day: day)
      }.first { $0 >= today }
    }
    guard isPlaced, year == nil else { return nil }
    return (0...11).lazy.compactMap { months -> CivilDate? in
      let start = CivilDate(year: today.year, month: today.month, day: 1)?.adding(months: months)
      return start.flatMap { CivilDate(year: $0.year, month: $0.month, day: day) }
    }.first { $0 >= today }
  }

  /// `3.4.` or `3.4.2027`, the day first.
  private func numeric(_ word: String, isPlaced: Bool) -> CivilDate? {
    guard words.dayEndings.contains("."), isPlaced || word.hasSuffix(".") else { return nil }
    let parts = word.split(separator: ".").compactMap { Int($0) }
    guard parts.count == word.split(separator: ".").count, (2...3).contains(parts.count) else {
      return nil
    }
    let years = parts.count == 3 ? parts[2]...parts[2] : today.year...(today.year + 8)
    return years.lazy.compactMap { CivilDate(year: $0, month: parts[1], day: parts[0]) }
      .first { parts.count == 3 || $0 >= today }
  }

  func month(_ word: String) -> Int? {
    let word = word.hasSuffix(".") ? String(word.dropLast()) : word
    guard word.count > 2 else { return nil }
    let found =
      language.months.wide.firstIndex { $0.lowercased() == word }
      ?? language.months.short.firstIndex { $0.lowercased().replacing(".", with: "") == word }
    return found.map { $0 + 1 }
  }

  func dayOfMonth(_ word: String, isPlaced: Bool) -> Int? {
    var word = word
    var hasEnding = false
    if let ending = words.dayEndings.first(where: word.hasSuffix) {
      word.removeLast(ending.count)
      hasEnding = true
    }
    guard isPlaced || hasEnding, let day = Int(word), (1...31).contains(day) else { return nil }
    return day
  }

  /// A date in Japanese, which has no spaces.
  private func denseDate(_ text: String) -> CivilDate? {
    var text = text
    for ending in ["までに", "まで", "に", "の", "は"] where text.hasSuffix(ending) {
      text.removeLast(ending.count)
      break
    }
    if let days = words.days[text] { return today.adding(days: days) }
    for (word, unit) in [("来週", "w"), ("来月", "mo"), ("来年", "y"), ("再来週", "2w")] where text == word {
      return unit == "2w" ? today.adding(days: 14) : moved(1, unit)
    }
    let isNextWeek = text.hasPrefix("来週の")
    for prefix in ["来週の", "次の", "今度の", "今週の"] where text.hasPrefix(prefix) {
      text.removeFirst(prefix.count)
    }
    if let day = language.days.wide.firstIndex(where: { $0 == text || $0.dropLast() == text }) {
      let date = next(day)
      guard isNextWeek else { return date }
      let monday = today.adding(days: 7 - today.daysSinceMonday)
      return monday.adding(days: (day + 6) % 7)
    }
    if text.hasSuffix("後") {
      return dense(text.dropLast()).flatMap { moved($0.count, $0.unit) }
    }
    let parts = text.split(separator: "月", maxSplits: 1)
    if parts.count == 2, parts[1].hasSuffix("日"), let month = Int(parts[0]),
      let day = Int(parts[1].dropLast())
    {
      return (0...8).lazy.compactMap {
        CivilDate(year: today.year + $0, month: month, day: day)
      }.first { $0 >= today }
    }
    return CivilDate(iso8601: text)
  }

  /// The count and the unit of `2週間`.
  func dense(_ text: Substring) -> (count: Int, unit: String)? {
    let unit = words.units.keys.filter(text.hasSuffix).max { $0.count < $1.count }
    guard let unit, let code = words.units[unit],
      let count = number(String(text.dropLast(unit.count)))
    else { return nil }
    return (count, code)
  }

  /// Reads a duration, in the form of the command line; nil if the text is not a duration.
  package func duration(_ text: String) -> String? {
    let tokens = Self.tokens(text)
    if tokens.count >= 2, let unit = words.units[tokens[tokens.count - 1]], unit != "mo",
      unit != "y",
      let count = number(tokens.dropLast().joined(separator: " "))
    {
      return "\(count)\(unit)"
    }
    return DurationReader.duration(text) == nil ? nil : text
  }
}
