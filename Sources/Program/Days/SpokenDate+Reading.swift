package import CEL
import Items
import Phrases
import Synchronization

extension SpokenDate {
  /// Reads days, a rule of repetition or a time of day; nil if the text has other words.
  ///
  /// - Parameter looksBack: Whether `friday` is the last one instead of the next.
  package func reading(_ text: String, looksBack: Bool = false) -> Reading? {
    guard text.utf8.count <= Self.longest else { return nil }
    // Japanese has no spaces between words, so that a time may begin anywhere.
    let text = Self.plain(text)
    let parts = isDense ? text.map(String.init) : Self.tokens(text).flatMap(separated)
    let isPast = parts.first.map(Self.pastStarts.contains) ?? false || text.hasSuffix("以来")
    return span(parts, looksBack: looksBack) ?? single(parts, looksBack: looksBack || isPast)
  }

  /// Words before a day that is over.
  private static let pastStarts: Set = ["since", "seit", "depuis"]

  /// Reads one day or range, rule or time of day from the parts of a text.
  func single(_ parts: [String], looksBack: Bool) -> Reading? {
    func joined(_ parts: ArraySlice<String>) -> String { parts.joined(separator: gap) }
    func isTime(_ parts: ArraySlice<String>, isBesideDay: Bool) -> Bool {
      isDense ? clock.isDenseTime(joined(parts)) : clock.isTime(parts, isBesideDay: isBesideDay)
    }
    if let whole = days(joined(parts[...]), looksBack) { return whole }
    for cut in parts.indices.dropFirst() {
      let (head, tail) = (parts[..<cut], parts[cut...])
      for (day, time) in [(head, tail), (tail, head)] where isTime(time, isBesideDay: true) {
        guard var reading = days(joined(day), looksBack) else { continue }
        // `tonight` says a part of the day, to which an hour may be added.
        let isAdded = !reading.timeOfDay.isEmpty
        let words = isAdded ? reading.timeOfDay + gap + joined(time) : joined(time)
        let found = clock.time(
          words, isDense: isDense, on: reading.day ?? today.adding(days: 1), now: now)
        if isAdded, found == nil || reading.time == nil { continue }
        reading.timeOfDay = isAdded ? joined(parts[...]) : words
        reading.time = found
        return reading
      }
    }
    guard isTime(parts[...], isBesideDay: false) else { return nil }
    func time(on day: CivilDate) -> CivilTime? {
      clock.time(joined(parts[...]), isDense: isDense, on: day, now: now)
    }
    // A time of day that is over is that of tomorrow.
    var found = time(on: today)
    if !looksBack, found.map({ $0 < now }) ?? false { found = time(on: today.adding(days: 1)) }
    // A time that names no hour, such as `at 25:00`, says no day either.
    let day = found?.date
    var reading = Reading(
      day: day, first: day, last: day, timeOfDay: joined(parts[...]), time: found)
    reading.isTimeOnly = true
    return reading
  }

  /// Whether a word at the beginning of a text is its day, as in `morgen Oma anrufen`; in English a name
  /// may begin with it.
  package func isDay(_ word: String) -> Bool {
    language.code != "en" && words.days[word.lowercased()] != nil
  }

  /// Whether the last word of a text belongs to times, so that it may be or begin one.
  package func mayEndTime(_ text: String) -> Bool {
    if isDense {
      return text.last.map { $0.isNumber || vocabulary.contains(String($0)) } ?? false
    }
    return text.split(separator: " ").last.map { isOfTime(String($0).lowercased()) } ?? false
  }

  /// A day of the week and a part of the day that German writes as one word, such as `freitagabend`.
  private func separated(_ word: String) -> [String] {
    guard language.code == "de",
      let day = language.days.wide.lazy.map({ $0.lowercased() }).first(where: word.hasPrefix),
      clock.clockWords.parts[String(word.dropFirst(day.count))] != nil
    else { return [word] }
    return [day, String(word.dropFirst(day.count))]
  }

  /// Whether a word may be part of a time.
  package func isOfTime(_ word: String) -> Bool {
    var word = word.replacing("’", with: "'")
    while let last = word.last, ",:".contains(last) { word.removeLast() }
    return word.contains { $0.isNumber } || vocabulary.contains(word) || separated(word).count > 1
      || ordinal(word) != nil || dayOfMonth(word, isPlaced: true) != nil
  }

  /// Whether words speak of days that no reading has, such as `every other day`.
  package func isAboutTime(_ text: String) -> Bool {
    let tokens = isDense ? [] : Self.tokens(text)
    guard let first = tokens.first, tokens.count > 1,
      words.every.contains(first) || words.inWords.contains(first) || words.before.contains(first)
    else { return false }
    return tokens.allSatisfy(isOfTime)
      && tokens.contains { words.units[$0] != nil || dayOfWeek($0) != nil || month($0) != nil }
  }

  /// Whether the last word of a text is an article, so that a name follows, as in `read the`.
  package func endsWithArticle(_ text: String) -> Bool {
    Self.tokens(text).last.map(dayWords.articles.contains) ?? false
  }

  /// Whether a time begins with a preposition and therefore cannot be a name, as `friday` may be.
  package func isPlaced(_ text: String) -> Bool {
    let tokens = Self.tokens(text)
    return tokens.count > 1 && (words.before.contains(tokens[0]) || clock.isPlaced(tokens[...]))
  }

  /// The first day of a rule on which a time of day is not over; nil for a rule that has none.
  package func firstDay(of rule: String, at time: CivilTime) -> CivilDate? {
    let isOver = time.secondOfDay <= now.secondOfDay
    let eve = isOver ? today : today.adding(days: -1)
    return RepeatRule(rule)?.next(due: eve, done: eve, .none)?.day
  }

  /// Whether a day is over.
  package func isPast(_ day: CivilDate) -> Bool { day < today }

  private static let vocabularies = Mutex<[String: Set<String>]>([:])

  /// All words of times in the language, made once.
  private var vocabulary: Set<String> {
    Self.vocabularies.withLock { known in
      if let vocabulary = known[language.code] { return vocabulary }
      let vocabulary = Self.vocabulary(of: language)
      known[language.code] = vocabulary
      return vocabulary
    }
  }

  private static func vocabulary(of language: Language) -> Set<String> {
    guard let words = SpokenWords.of(language.code) else { return [] }
    let named = [
      language.days.wide, language.days.short, language.months.wide, language.months.short,
    ].joined().map { $0.lowercased() }
    var phrases = named + named.map { $0 + "s" } + named.map { $0.filter { $0 != "." } }
    phrases += Array(words.days.keys) + Array(words.evenings.keys) + Array(words.stretches.keys)
    phrases += Array(workdays) + Array(words.units.keys) + Array(words.later.keys) + words.fromNow
    phrases +=
      Array(PhraseNumbers.words(of: language.code).keys)
      + ["ago", "and", "now", "other", "second"]
    var set = SpokenClock.of(language.code).words.union(words.before).union(words.after)
    set.formUnion(words.next.union(words.this).union(words.inWords).union(words.every))
    let dayWords = DayWords.of(language.code)
    let lists: [any Sequence<String>] = [
      dayWords.counts.keys, dayWords.halves.keys, dayWords.edges.keys, dayWords.rules.keys,
      dayWords.from.keys, dayWords.vague, words.ordinals.keys, fillers, words.spanStarts,
      words.spanEnds, words.ahead, words.past,
    ]
    for list in lists { phrases += list }
    if let habit = dayWords.habit { phrases.append(habit) }
    for phrase in phrases { set.formUnion(phrase.split(separator: " ").map(String.init)) }
    // Where words have no spaces between them, each sign counts.
    if language.code == "ja" {
      set = Set(set.joined().map(String.init) + ["毎", "月", "時", "半", "分"])
    }
    return set.union(["a", "an"])
  }

  /// Days without a time, or a rule.
  private func days(_ text: String, _ looksBack: Bool) -> Reading? {
    if let (rule, part) = shortRule(text) {
      let time = clock.time(part, isDense: isDense, on: today.adding(days: 1), now: now)
      return Reading(recurrence: rule, timeOfDay: part, time: time)
    }
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
      // A feast without a word before it may be a part of a text, as in `plan christmas`.
      if let code = words.stretches[rest], code.contains(" ") || isDense || rest.count < text.count
      {
        reading = stretch(code)
      } else if let days = words.evenings[rest] {
        let day = today.adding(days: days)
        reading = Reading(
          day: day, first: day, last: day, timeOfDay: rest,
          time: clock.time(rest, isDense: isDense, on: day, now: now))
      } else {
        reading = stretch(ofLength: rest)
      }
      guard let shorter = unplaced(rest) else { break }
      rest = shorter
    }
    let day = date(text).map { looksBack ? back($0, from: text) : $0 }
    if reading == nil, let length = lengthFromNow(tokens.joined(separator: gap)), !length.isOfDays,
      let time = time(after: length)
    {
      return Reading(
        day: time.date, first: time.date, last: time.date, timeOfDay: text, time: time)
    }
    if reading == nil, let day { reading = Reading(day: day, first: day, last: day) }
    if let day { reading?.day = day }
    if isOpenAtEnd { reading?.last = nil }
    if isOpenAtStart { reading?.first = nil }
    return reading
  }

  /// A text without a word before or after it that says nothing more; nil if there is none.
  func unplaced(_ text: String) -> String? {
    if isDense {
      return words.after.union(words.since).filter(text.hasSuffix).max { $0.count < $1.count }
        .map { String(text.dropLast($0.count)) }
    }
    let tokens = text.split(separator: " ")
    guard tokens.count > 1,
      words.before.contains(String(tokens[0])) || Self.fillers.contains(String(tokens[0]))
    else { return nil }
    return tokens.dropFirst().joined(separator: " ")
  }

  /// The days of a unit, such as `w -1` for last week; `w. 0` is the end of this one.
  func stretch(_ code: String) -> Reading? {
    let parts = code.split(separator: " ")
    if parts.count == 1 { return feast(code) }
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

  /// The next day of a month and a day such as `12-24`.
  private func feast(_ code: String) -> Reading? {
    let numbers = code.split(separator: "-").compactMap { Int($0) }
    guard numbers.count == 2 else { return nil }
    let days = [0, 1].compactMap {
      CivilDate(year: today.year + $0, month: numbers[0], day: numbers[1])
    }
    return days.first { $0 >= today }.map { Reading(day: $0, first: $0, last: $0) }
  }

  /// A day that a text names, seen from the past.
  private func back(_ day: CivilDate, from text: String) -> CivilDate {
    let tokens = Self.tokens(text)
    guard day > today else { return day }
    if tokens.contains(where: { dayOfWeek($0) != nil }) || isDense { return day.adding(days: -7) }
    return day.adding(months: tokens.contains { month($0) != nil } ? -12 : -1)
  }
}
