import CEL
import Items
import Phrases
import Program

/// Reads dates, lengths of time and rules of repetition as people say them in a language.
struct SpokenDate: Sendable {
  /// The days or the rule of repetition that a text names, and its words for a time of day.
  struct Reading: Sendable {
    /// The day; of a stretch of days the one by which something is to be done.
    var day: CivilDate?
    /// The first and the last day; nil for an end that is open.
    var first: CivilDate?
    var last: CivilDate?
    /// The rule, in the form of the command line.
    var recurrence: String?
    /// The words that say when on a day; empty for none.
    var timeOfDay = ""
  }

  private let language: Language
  private let english: DateReader
  private let clock: SpokenClock
  private let now: CivilTime
  private var today: CivilDate { now.date }

  /// Creates a reader relative to a moment; nil for a language without words.
  init?(_ code: String, now: Timestamp, clock: LocalClock) {
    guard SpokenWords.languages.contains(code), let language = Language.named(code) else {
      return nil
    }
    self.language = language
    english = DateReader(now: now, clock: clock)
    self.clock = SpokenClock.of(code)
    self.now = clock.time(at: now)
  }

  // Read only where a sentence may have a date, so that others do not pay for them.
  private var words: SpokenWords { SpokenWords.of(language.code) ?? .english }
  private var numbers: [String: Double] { PhraseNumbers.words(of: language.code) }

  private var isDense: Bool { language.code == "ja" }

  /// The longest text that is read, in bytes.
  static let longest = 96

  // MARK: Days and times

  /// Reads days, a rule of repetition or a time of day; nil if the text has other words.
  ///
  /// - Parameter looksBack: Whether `friday` is the last one instead of the next.
  func reading(_ text: String, looksBack: Bool = false) -> Reading? {
    guard text.utf8.count <= Self.longest else { return nil }
    // Japanese has no spaces between words, so that a time may begin anywhere.
    let parts = isDense ? text.map(String.init) : Self.tokens(text)
    let gap = isDense ? "" : " "
    func joined(_ parts: ArraySlice<String>) -> String { parts.joined(separator: gap) }
    func isTime(_ parts: ArraySlice<String>, isBesideDay: Bool) -> Bool {
      isDense ? clock.isDenseTime(joined(parts)) : clock.isTime(parts, isBesideDay: isBesideDay)
    }
    if let whole = days(joined(parts[...]), looksBack) { return whole }
    for cut in parts.indices.dropFirst() {
      let (head, tail) = (parts[..<cut], parts[cut...])
      for (day, time) in [(head, tail), (tail, head)] where isTime(time, isBesideDay: true) {
        guard var reading = days(joined(day), looksBack), reading.timeOfDay.isEmpty else {
          continue
        }
        reading.timeOfDay = joined(time)
        return reading
      }
    }
    guard isTime(parts[...], isBesideDay: false) else { return nil }
    return Reading(day: today, first: today, last: today, timeOfDay: joined(parts[...]))
  }

  /// Whether the last word of a text is one of times, so that it may be one or begin one.
  func mayEndTime(_ text: String) -> Bool {
    if isDense {
      return text.last.map { $0.isNumber || vocabulary.contains(String($0)) } ?? false
    }
    return text.split(separator: " ").last.map { isOfTime(String($0).lowercased()) } ?? false
  }

  private func isOfTime(_ word: String) -> Bool {
    var word = word.replacing("’", with: "'")
    while let last = word.last, ",:".contains(last) { word.removeLast() }
    return word.contains { $0.isNumber } || vocabulary.contains(word)
  }

  /// Whether words speak of days that no reading has, such as `every other day`.
  func isAboutTime(_ text: String) -> Bool {
    let tokens = isDense ? [] : Self.tokens(text)
    guard let first = tokens.first, tokens.count > 1,
      words.every.contains(first) || words.inWords.contains(first) || words.before.contains(first)
    else { return false }
    return tokens.allSatisfy(isOfTime)
      && tokens.contains { words.units[$0] != nil || dayOfWeek($0) != nil || month($0) != nil }
  }

  /// Whether a time begins with a preposition, so that it is no name, as `friday` may be.
  func isPlaced(_ text: String) -> Bool {
    let tokens = Self.tokens(text)
    return tokens.count > 1 && (words.before.contains(tokens[0]) || clock.isPlaced(tokens[...]))
  }

  /// Whether a day is over.
  func isPast(_ day: CivilDate) -> Bool { day < today }

  private var vocabulary: Set<String> { Self.vocabularies[language.code] ?? [] }

  /// All words of times, by language.
  private static let vocabularies: [String: Set<String>] = {
    var all: [String: Set<String>] = [:]
    for code in SpokenWords.languages {
      guard let words = SpokenWords.of(code), let language = Language.named(code) else { continue }
      let named = [
        language.days.wide, language.days.short, language.months.wide,
        language.months.short,
      ].joined().map { $0.lowercased() }
      var phrases = named + named.map { $0 + "s" } + named.map { $0.replacing(".", with: "") }
      phrases += Array(words.days.keys) + Array(words.evenings.keys) + Array(words.stretches.keys)
      phrases += Array(words.units.keys) + Array(words.later.keys) + words.fromNow
      phrases +=
        Array(PhraseNumbers.words(of: code).keys) + ["ago", "and", "now", "other", "second"]
      var set = SpokenClock.of(code).words.union(words.before).union(words.after)
      set.formUnion(words.next.union(words.this).union(words.inWords).union(words.every))
      for phrase in phrases { set.formUnion(phrase.split(separator: " ").map(String.init)) }
      // Where words have no spaces between them, each sign counts.
      if code == "ja" { set = Set(set.joined().map(String.init) + ["毎", "月", "時", "半", "分"]) }
      all[code] = set.union(["a", "an"])
    }
    return all
  }()

  /// Days without a time, or a rule.
  private func days(_ text: String, _ looksBack: Bool) -> Reading? {
    if let rule = recurrence(text) { return Reading(recurrence: rule) }
    let tokens = Self.tokens(text)
    var rest = isDense ? text : tokens.joined(separator: " ")
    var isOpenAtEnd = false
    var isOpenAtStart = false
    if isDense {
      if let end = words.since.union(words.upTo).filter(rest.hasSuffix).max(by: {
        $0.count < $1.count
      }) {
        (isOpenAtEnd, isOpenAtStart) = (words.since.contains(end), words.upTo.contains(end))
      }
    } else if let first = tokens.first {
      (isOpenAtEnd, isOpenAtStart) = (words.since.contains(first), words.upTo.contains(first))
    }
    var reading: Reading?
    while reading == nil, !rest.isEmpty {
      if let code = words.stretches[rest] {
        reading = stretch(code)
      } else if let days = words.evenings[rest] {
        let day = today.adding(days: days)
        reading = Reading(day: day, first: day, last: day, timeOfDay: rest)
      }
      guard let shorter = unplaced(rest) else { break }
      rest = shorter
    }
    let day = date(text).map { looksBack ? back($0, from: text) : $0 }
    if reading == nil, let hours = hours(tokens, text) { return hours }
    if reading == nil, let day { reading = Reading(day: day, first: day, last: day) }
    if let day { reading?.day = day }
    if isOpenAtEnd { reading?.last = nil }
    if isOpenAtStart { reading?.first = nil }
    return reading
  }

  /// A text without a word before or after it that says nothing more; nil if there is none.
  private func unplaced(_ text: String) -> String? {
    if isDense {
      return words.after.union(words.since).filter(text.hasSuffix).max { $0.count < $1.count }
        .map { String(text.dropLast($0.count)) }
    }
    let tokens = text.split(separator: " ")
    guard tokens.count > 1, words.before.contains(String(tokens[0])) else { return nil }
    return tokens.dropFirst().joined(separator: " ")
  }

  /// The days of a unit, such as `w -1` for last week; `w. 0` is the end of this one.
  private func stretch(_ code: String) -> Reading? {
    let parts = code.split(separator: " ")
    guard parts.count == 2, let offset = Int(parts[1]) else { return nil }
    let first: CivilDate
    let last: CivilDate
    switch parts[0].prefix(while: { $0 != "." }) {
    case "w":
      first = today.adding(days: 7 * offset - today.daysSinceMonday)
      last = first.adding(days: 6)
    case "we":
      first = today.adding(days: 7 * offset - today.daysSinceMonday + 5)
      last = first.adding(days: 1)
    case "mo":
      first =
        CivilDate(year: today.year, month: today.month, day: 1)?.adding(months: offset) ?? today
      last = first.adding(months: 1).adding(days: -1)
    default:
      first = CivilDate(year: today.year + offset, month: 1, day: 1) ?? today
      last = first.adding(months: 12).adding(days: -1)
    }
    if parts[0].hasSuffix(".") { return Reading(day: last, first: last, last: last) }
    return Reading(day: parts[0] == "we" ? max(first, today) : last, first: first, last: last)
  }

  /// A day that a text names, seen from the past.
  private func back(_ day: CivilDate, from text: String) -> CivilDate {
    let tokens = Self.tokens(text)
    guard day > today else { return day }
    if tokens.contains(where: { dayOfWeek($0) != nil }) || isDense { return day.adding(days: -7) }
    return day.adding(months: tokens.contains { month($0) != nil } ? -12 : -1)
  }

  /// The day in some hours or minutes, whose words say more than a day.
  private func hours(_ tokens: [String], _ text: String) -> Reading? {
    let distance: (count: Int, unit: String)?
    if isDense {
      var rest = Substring(text)
      for end in ["に", "後"] where rest.hasSuffix(end) { rest = rest.dropLast() }
      distance = rest.count < text.count ? dense(rest) : nil
    } else {
      distance = self.distance(tokens)
    }
    guard let distance, let minutes = ["h": 60, "m": 1][distance.unit] else { return nil }
    let minute = now.secondOfDay / 60 + distance.count * minutes
    let day = today.adding(days: minute / 1_440)
    return Reading(day: day, first: day, last: day, timeOfDay: text)
  }

  /// Reads a date; nil if the text is none.
  func date(_ text: String) -> CivilDate? {
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

  private static func tokens(_ text: String) -> [String] {
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
  private func distance(_ tokens: [String]) -> (count: Int, unit: String)? {
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

  private func number(_ text: String) -> Int? {
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

  private func dayOfWeek(_ word: String) -> Int? {
    let word = word.hasSuffix(".") ? String(word.dropLast()) : word
    if let day = language.days.wide.firstIndex(where: { $0.lowercased() == word }) { return day }
    // Two letters are words of their own.
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

  private func month(_ word: String) -> Int? {
    let word = word.hasSuffix(".") ? String(word.dropLast()) : word
    guard word.count > 2 else { return nil }
    let found =
      language.months.wide.firstIndex { $0.lowercased() == word }
      ?? language.months.short.firstIndex { $0.lowercased().replacing(".", with: "") == word }
    return found.map { $0 + 1 }
  }

  private func dayOfMonth(_ word: String, isPlaced: Bool) -> Int? {
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
  private func dense(_ text: Substring) -> (count: Int, unit: String)? {
    let unit = words.units.keys.filter(text.hasSuffix).max { $0.count < $1.count }
    guard let unit, let code = words.units[unit],
      let count = number(String(text.dropLast(unit.count)))
    else { return nil }
    return (count, code)
  }

  /// Reads a length of time, in the form of the command line; nil if the text is none.
  func duration(_ text: String) -> String? {
    let tokens = Self.tokens(text)
    if tokens.count >= 2, let unit = words.units[tokens[tokens.count - 1]], unit != "mo",
      unit != "y",
      let count = number(tokens.dropLast().joined(separator: " "))
    {
      return "\(count)\(unit)"
    }
    return DurationReader.duration(text) == nil ? nil : text
  }

  /// Reads a rule such as `jeden Montag`, in the form of the command line; nil if the text is none.
  func recurrence(_ text: String) -> String? {
    guard text.utf8.count <= 64 else { return nil }
    if isDense { return denseRecurrence(text) }
    var tokens = Self.tokens(text)
    guard let first = tokens.first, words.every.contains(first) else { return nil }
    tokens.removeFirst()
    tokens.removeAll { words.before.contains($0) && words.units[$0] == nil }
    if tokens.count == 1 {
      let word = tokens[0]
      if let day = dayOfWeek(word)
        ?? (word.hasSuffix("s") ? dayOfWeek(String(word.dropLast())) : nil)
      {
        return "every " + CalendarNames.days[day].lowercased()
      }
      return words.units[word].flatMap { Self.unitNames[$0] }.map { "every \($0)" }
    }
    guard tokens.count == 2, let count = number(tokens[0]), let unit = words.units[tokens[1]],
      let name = Self.unitNames[unit]
    else { return nil }
    return "every \(count) \(name)s"
  }

  private func denseRecurrence(_ text: String) -> String? {
    guard text.hasPrefix("毎") else { return nil }
    let rest = text.dropFirst()
    if rest == "日" { return "every day" }
    if rest == "週" || rest == "月" || rest == "年" {
      return "every " + (rest == "週" ? "week" : rest == "月" ? "month" : "year")
    }
    guard rest.hasPrefix("週"),
      let day = language.days.wide.firstIndex(where: { $0 == rest.dropFirst() })
    else { return nil }
    return "every " + CalendarNames.days[day].lowercased()
  }

  private static let unitNames = ["d": "day", "w": "week", "mo": "month", "y": "year"]
}
