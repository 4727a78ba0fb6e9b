package import CEL
package import Items
import Phrases

/// Reads spoken dates, lengths and rules of repetition in a language.
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
    /// The local time at which a span from one time to another ends.
    package var endTime: CivilTime?
    /// Whether it was said from where to where it goes, as in `from monday to friday`; then days have no `day`.
    package var isSpan = false
    /// Whether only a time of day was said.
    package var isTimeOnly = false

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

    /// Whether it is a span of whole days.
    package var isOfDays: Bool { isSpan && endTime == nil }

    /// The days, or the times of a span, in the written form of a range; nil for a rule.
    package var range: String? {
      if let span, endTime != nil { return "\(span.start)/\(span.end)" }
      guard recurrence == nil, first != nil || last != nil else { return nil }
      return first == last
        ? first?.iso8601 : "\(first?.iso8601 ?? "")/\(last?.iso8601 ?? "")"
    }

    /// The end of the hours of a span on another day; nil where none is said.
    package func end(of day: CivilDate) -> String? {
      guard let time, var end = endTime else { return nil }
      end.date = day.adding(days: end.date.daysSinceEpoch - time.date.daysSinceEpoch)
      return end.localText
    }

    /// The beginning and the end of a span in the form of the command line; nil for other readings.
    package var span: (start: String, end: String)? {
      guard isSpan, let start = time?.localText ?? first?.iso8601,
        let end = endTime?.localText ?? last?.iso8601
      else { return nil }
      return (start, end)
    }
  }

  let language: Language
  private let english: DateReader
  let clock: SpokenClock
  let zone: LocalClock
  let instant: Timestamp
  let now: CivilTime
  private let isWhole: Bool
  var today: CivilDate { now.date }

  /// Creates a reader relative to a moment; nil for a language without words.
  ///
  /// - Parameter isWhole: Whether texts are a time as a whole, so that `3/12` is one without words before it.
  package init?(_ code: String, now: Timestamp, clock: LocalClock, isWhole: Bool = false) {
    guard SpokenWords.languages.contains(code), let language = Language.named(code) else {
      return nil
    }
    self.language = language
    english = DateReader(now: now, clock: clock)
    self.clock = SpokenClock.of(code)
    zone = clock
    self.isWhole = isWhole
    instant = now
    self.now = clock.time(at: now)
  }

  /// The readers of a whole text that a person types: in their language, then in English.
  static func readers(
    of language: Language, now: Timestamp, clock: LocalClock
  ) -> some Sequence<SpokenDate> {
    (language.isEnglish ? ["en"] : [language.code, "en"]).lazy
      .compactMap { SpokenDate($0, now: now, clock: clock, isWhole: true) }
  }

  /// The value of words for a length, a period, a rule or a reminder in the form of the command line, and
  /// what is wrong with those that are nearly one; nil for other words and types.
  package static func value(
    of text: String, as type: DataType, in language: Language, now: Timestamp, clock: LocalClock
  ) -> (text: String?, help: String?)? {
    for reader in readers(of: language, now: now, clock: clock) {
      switch type {
      case .duration:
        if let length = reader.duration(text) { return (length, nil) }
      case .refined(let type) where type.name == "period":
        if let period = reader.period(text) { return (period, nil) }
      case .refined(let type) where type.name == "reminder":
        if let reminder = reader.reminder(text) { return (reminder, nil) }
      case .refined(let type) where type.name == "recurrence":
        guard let reading = reader.reading(text), let rule = reading.recurrence else { continue }
        if reading.timeOfDay.isEmpty { return (rule, nil) }
        return (nil, "a rule has no time of day; write \(rule), and the time in what is due")
      default: return nil
      }
    }
    return nil
  }

  // Read only where a sentence may have a date, so that others do not pay for them.
  package var words: SpokenWords { SpokenWords.of(language.code) ?? .english }
  var dayWords: DayWords { DayWords.of(language.code) }
  var numbers: [String: Double] { PhraseNumbers.words(of: language.code) }

  var isDense: Bool { language.code == "ja" }
  var gap: String { isDense ? "" : " " }

  /// The longest text that is read, in bytes.
  package static let longest = 96

  /// Reads a date; nil if the text is not a date.
  package func date(_ text: String) -> CivilDate? {
    guard text.utf8.count <= Self.longest else { return nil }
    let text = Self.plain(text)
    var tokens = Self.tokens(text)
    guard !tokens.isEmpty else { return nil }
    if isDense {
      let text = tokens.joined()
      return denseDate(text)
        ?? (words.stretches[text] == nil ? anchored(text.map(String.init)) : nil)
    }
    if let date = anchored(tokens) { return date }
    // The words may follow a preposition; after some, a day of the month needs no month, but `the second`
    // may be anything.
    var isPlaced = false
    var isOn = false
    while true {
      let isName = words.ordinals[tokens[0]] != nil && Int(tokens[0].prefix(1)) == nil
      if let date = bareDate(tokens, isPlaced: isPlaced && (isOn || !isName)) { return date }
      guard tokens.count > 1 else { return nil }
      if words.before.contains(tokens[0]) {
        isPlaced = words.dayMarks.contains(tokens[0])
        isOn = isOn || isPlaced && !dayWords.articles.contains(tokens[0])
        tokens.removeFirst()
      } else if let last = tokens.last, words.after.contains(last) {
        tokens.removeLast()
      } else {
        return nil
      }
    }
  }

  /// A text in small letters, with digits and signs of half width.
  static func plain(_ text: String) -> String {
    let text = text.lowercased()
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.value {
          case 0xFF08...0xFF1A: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
          case 0x2019: "'"
          case 0x3000: " "
          default: scalar
          }
        }))
  }

  static func tokens(_ text: String) -> [String] {
    let tokens = plain(text).split { $0.isWhitespace || $0 == ":" && text.last == ":" }.flatMap {
      word -> [String] in
      let parts = word.split(separator: ",")
      // `1,5 Stunden`
      let isNumber = parts.count == 2 && parts.allSatisfy { $0.count < 3 && Int($0) != nil }
      return isNumber ? [parts.joined(separator: ".")] : parts.map(String.init)
    }
    // `twenty fourth`, as it is spoken
    guard let ten = tokens.firstIndex(where: { $0 == "twenty" || $0 == "thirty" }),
      tokens.indices.contains(ten + 1),
      let unit = SpokenWords.english.ordinals[tokens[ten + 1]], (1...9).contains(unit)
    else { return tokens }
    return tokens[..<ten] + ["\(tokens[ten])-\(tokens[ten + 1])"] + tokens[(ten + 2)...]
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

  /// The day of a date that has a day of a month, perhaps without its month.
  func numbered(_ tokens: [String]) -> CivilDate? {
    monthly(tokens, isPlaced: true)
      ?? tokens.first.flatMap { word in
        tokens.count == 1 ? numeric(word, isPlaced: true) ?? CivilDate(iso8601: word) : nil
      }
  }

  /// `next week`, `la semaine prochaine`, `in two weeks`.
  func relative(_ tokens: [String]) -> CivilDate? {
    let text = tokens.joined(separator: " ")
    if let code = words.stretches[text]?.split(separator: " "), code.count == 2,
      let count = Int(code[1]), count > 0
    {
      return moved(count, String(code[0]))
    }
    if tokens.count >= 2 {
      let isNext = tokens.contains(where: words.next.contains)
      let rest = tokens.filter {
        !words.next.contains($0) && !words.before.contains($0)
          && !words.after.contains($0)
      }
      if isNext, rest.count == 1, let unit = words.units[rest[0]] { return moved(1, unit) }
    }
    return day(lengthFromNow(text), after: today)
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
    if rest.count == 1, let day = dayOfWeek(rest[0]) { return next(day) }
    // `samedi en quinze`, `friday after next`, `übernächsten Freitag`
    guard let place = tokens.firstIndex(where: { dayOfWeek($0) != nil }),
      place == 0 || place == tokens.count - 1, let day = dayOfWeek(tokens[place])
    else { return nil }
    let others = place == 0 ? tokens.dropFirst() : tokens.dropLast()
    return words.later[others.joined(separator: " ")].map { next(day).adding(days: $0) }
  }

  func next(_ day: Int) -> CivilDate {
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
    if rest.count > 1, let last = rest.last, last.count == 4, let number = Int(last) {
      year = number
      rest.removeLast()
    }
    let monthAt = rest.firstIndex { month($0) != nil }
    // `twenty five` may be two words.
    if rest.count > 2 {
      let day = rest.indices.filter { $0 != monthAt }.map { rest[$0] }.joined(separator: " ")
      rest = monthAt == 0 ? [rest[0], day] : [day, rest[rest.count - 1]]
    }
    guard rest.count == (monthAt == nil ? 1 : 2) else { return nil }
    guard
      let day = dayOfMonth(
        rest[monthAt == 0 ? 1 : 0], isPlaced: isPlaced || monthAt != nil, hasMonth: monthAt != nil)
    else { return nil }
    if let month = rest.lazy.compactMap({ month($0) }).first {
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

  /// `3.4.`, `3/4` or `3.4.2027`, the day first unless the language or the region has the month first.
  func numeric(_ word: String, isPlaced: Bool) -> CivilDate? {
    let sign: Character = word.contains("/") ? "/" : "."
    guard sign == "/" || words.dayEndings.contains(".") else { return nil }
    let parts = word.split(separator: sign).compactMap { Int($0) }
    guard parts.count == word.split(separator: sign).count, (2...3).contains(parts.count),
      isPlaced || isWhole || parts.count == 3 || sign == "." && word.hasSuffix(".")
    else { return nil }
    var years = today.year...(today.year + 8)
    if parts.count == 3 {
      guard parts[2] < 100 || (1_000...9_999).contains(parts[2]) else { return nil }
      let year = parts[2] < 100 ? 2_000 + parts[2] : parts[2]
      years = year...year
    }
    func date(month: Int, day: Int) -> CivilDate? {
      years.lazy.compactMap { CivilDate(year: $0, month: month, day: day) }
        .first { parts.count == 3 || $0 >= today }
    }
    let (monthFirst, dayFirst) = (
      date(month: parts[0], day: parts[1]), date(month: parts[1], day: parts[0])
    )
    if sign == "." { return dayFirst }
    if let isMonthFirst = dayWords.isMonthFirst ?? zone.isMonthFirst {
      return isMonthFirst ? monthFirst : dayFirst
    }
    // `25/12` is the same everywhere.
    return monthFirst == nil || monthFirst == dayFirst
      ? dayFirst : dayFirst == nil ? monthFirst : nil
  }

  func month(_ word: String) -> Int? {
    if isDense {
      let month = word.hasSuffix("月") ? number(String(word.dropLast())) : nil
      return month.flatMap { (1...12).contains($0) ? $0 : nil }
    }
    let word = word.hasSuffix(".") ? String(word.dropLast()) : word
    guard word.count > 2 else { return nil }
    let found =
      language.months.wide.firstIndex { $0.lowercased() == word }
      ?? language.months.short.firstIndex { $0.lowercased().replacing(".", with: "") == word }
    return found.map { $0 + 1 }
  }

  func dayOfMonth(_ word: String, isPlaced: Bool, hasMonth: Bool = false) -> Int? {
    if isPlaced, let day = ordinal(word) { return day }
    guard let ending = words.dayEndings.first(where: word.hasSuffix) else {
      // `vingt-cinq décembre`
      let day = Int(word) ?? (hasMonth ? numbers[word].map { Int($0) } : nil)
      return isPlaced ? day.flatMap { (1...31).contains($0) ? $0 : nil } : nil
    }
    let stem = String(word.dropLast(ending.count))
    let day = Int(stem) ?? (isPlaced ? numbers[stem].map { Int($0) } : nil)
    return day.flatMap { (1...31).contains($0) ? $0 : nil }
  }

  /// The number of `twelfth` or `twenty-fifth`.
  func ordinal(_ word: String) -> Int? {
    if let place = words.ordinals[word] { return place > 0 ? place : nil }
    let parts = word.split { $0 == "-" || $0 == " " }.map(String.init)
    guard parts.count == 2, let ten = numbers[parts[0]], ten.remainder(dividingBy: 10) == 0,
      let unit = words.ordinals[parts[1]], (1...9).contains(unit)
    else { return nil }
    return Int(ten) + unit
  }
}
