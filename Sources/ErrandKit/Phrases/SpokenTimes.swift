import CEL
import Program
import Synchronization

/// Reads the times in sentences of a language; each text is read once for all parameters.
final class SpokenTimes: Sendable {
  /// The side of now on which the days of a parameter are.
  enum Direction: String {
    /// After now: of a parameter such as `due` of an action that makes something with a text.
    case ahead
    /// Before now: of a parameter `since`.
    case back
    case either

    init(_ parameter: PhraseTable.Parameter, besideText isTalkative: Bool) {
      self =
        switch parameter.name {
        case "since": .back
        case "due", "deadline", "remind", "reminder": isTalkative ? .ahead : .either
        default: .either
        }
    }
  }

  let dates: SpokenDate?
  let english: DateReader
  private let known = Mutex<[String: SpokenDate.Reading?]>([:])

  /// The number of readings that are kept.
  private static let mostKnown = 50_000

  init(_ dates: SpokenDate?, _ english: DateReader) {
    (self.dates, self.english) = (dates, english)
  }

  /// The day that words name, a feast also without a preposition; nil for other words.
  func namedDay(_ text: String) -> CivilDate? {
    if let day = reading(text, .either)?.day { return day }
    return dates?.words.before.sorted().lazy.compactMap {
      self.reading("\($0) \(text)", .either)?.day
    }.first
  }

  /// The reading of a text; nil if it is about something else.
  func reading(_ text: String, _ direction: Direction) -> SpokenDate.Reading? {
    let key = direction.rawValue + text
    if let reading = known.withLock({ $0[key] }) { return reading }
    var reading: SpokenDate.Reading?
    if let dates {
      reading = dates.reading(text, looksBack: direction == .back)
    } else if let day = english.date(text) {
      reading = SpokenDate.Reading(day: day)
    }
    if direction == .ahead, let day = reading?.day, dates?.isPast(day) ?? false { reading = nil }
    known.withLock { known in
      if known.count >= Self.mostKnown { known.removeAll() }
      known[key] = .some(reading)
    }
    return reading
  }

  /// Whether a text has a reading of a kind; nil if no longer text can have one either.
  func accepts(
    _ text: String, _ direction: Direction, _ fits: (SpokenDate.Reading) -> Bool
  ) -> Bool? {
    guard text.utf8.count <= SpokenDate.longest, dates?.mayEndTime(text) ?? true else { return nil }
    return reading(text, direction).map(fits) ?? false
  }
}

extension SpokenBook {
  /// The most words, and signs without spaces, that are read as a time.
  private static let longestTime = 10
  private static let longestDenseTime = 20
  /// The most words of a text in whose middle a time is looked for.
  private static let mostWords = 40
  /// The most times that are taken out of a text.
  private static let mostTimes = 3

  /// Assigns times to parameters: those said as a value, and those at the ends of texts.
  ///
  /// A range of days also fills `until`. A time of day is left out where the parameter takes only
  /// days; a text keeps its times if no parameter takes days.
  ///
  /// - Returns: The words that no parameter takes.
  func settleTimes(
    in values: inout [Understanding.Argument], of action: String
  ) -> [String] {
    var leftOut: [String] = []
    let own = parametersOfActions[action] ?? []
    guard let taker = own.first(where: \.kind.takesTimes) else {
      return []
    }
    let isTalkative = own.contains { $0.kind == .words }
    let day = own.first { $0.kind.hasDays || $0.kind == .range }
    let direction = SpokenTimes.Direction(day ?? taker, besideText: isTalkative)
    func isFree(_ parameter: PhraseTable.Parameter?) -> Bool {
      parameter.map { taken in !values.contains { $0.name == taken.name } } ?? false
    }
    for argument in values {
      guard let parameter = own.first(where: { $0.name == argument.name }), !argument.words.isEmpty,
        parameter.kind.takesTimes,
        let reading = times.reading(
          argument.text, SpokenTimes.Direction(parameter, besideText: isTalkative))
      else { continue }
      if extend(argument, of: parameter, by: &values, among: own) { continue }
      values.removeAll { $0.name == argument.name }
      place(
        reading, of: argument.words, at: argument.range, for: parameter, among: own, into: &values)
      if let left = left(of: reading, by: parameter, among: own) {
        leftOut.append(Self.original(left, in: argument.words))
      }
    }
    let repeats = own.first { $0.kind == .recurrence }
    for index in values.indices where values[index].kind == PhraseTable.Kind.words.rawValue {
      var argument = values[index]
      guard !argument.words.isEmpty, argument.text == PhraseText.trimmed(argument.words) else {
        continue
      }
      // Quoted words, and times that are the whole text, are kept in the text.
      for _ in 0..<Self.mostTimes {
        guard
          let (rest, words, reading) = time(
            in: argument.text, direction, takesSpans: day?.takesSpans(among: own) ?? false)
        else { break }
        let isTimeOnly = reading.map { !$0.timeOfDay.isEmpty && $0.recurrence == nil } ?? true
        let parameter = reading?.recurrence != nil ? repeats : day
        let hasPlace = reading != nil && isFree(parameter)
        guard hasPlace || isTimeOnly else { break }
        if hasPlace, let reading, let parameter {
          place(reading, of: words, at: 0..<0, for: parameter, among: own, into: &values)
        }
        if let reading {
          let left = hasPlace ? left(of: reading, by: parameter, among: own) : reading.timeOfDay
          if let left, !left.isEmpty { leftOut.append(Self.original(left, in: words)) }
        } else {
          leftOut.append(words)
        }
        argument.text = rest
        argument.words = rest
      }
      values[index] = argument
    }
    return leftOut
  }

  /// The most words before a day that may belong to it.
  private static let mostWordsBefore = 3

  /// Takes the words before a day that belong to it out of the text before it, as in `pay rent last
  /// monday`; a day that the parameter does not take is left to that text, and so is a rule after an article.
  ///
  /// - Returns: Whether it changed the values.
  private func extend(
    _ day: Understanding.Argument, of parameter: PhraseTable.Parameter,
    by values: inout [Understanding.Argument], among own: [PhraseTable.Parameter]
  ) -> Bool {
    guard !day.range.isEmpty,
      let place = values.firstIndex(where: { text in
        text.kind == PhraseTable.Kind.words.rawValue && !text.words.isEmpty
          && (0...1).contains(day.range.lowerBound - text.range.upperBound)
      })
    else { return false }
    var text = values[place]
    let words = text.text.split(separator: " ").map(String.init)
    if parameter.kind == .recurrence {
      guard times.dates?.endsWithArticle(text.text) ?? false else { return false }
      values.removeAll { $0.name == day.name }
      guard let place = values.firstIndex(where: { $0.name == text.name }) else { return true }
      text.text += " " + day.words
      values[place] = text
      return true
    }
    let direction = SpokenTimes.Direction(parameter, besideText: true)
    for count in (1...Self.mostWordsBefore).reversed() where count < words.count {
      let longer = (words.suffix(count) + [day.words]).joined(separator: " ")
      let reading = times.reading(longer, .either)
      // `friday the 5th of december`, which is another day of the week
      let isLonger =
        if let reading {
          reading.recurrence != nil && own.contains { $0.kind == .recurrence }
            || reading.range != nil && reading.range != times.reading(day.text, direction)?.range
        } else {
          times.dates?.isAboutTime(longer) ?? false
        }
      guard isLonger else { continue }
      values.removeAll { $0.name == day.name }
      guard let place = values.firstIndex(where: { $0.name == text.name }) else { return true }
      if let reading = times.reading(longer, direction),
        !reading.isOfDays || parameter.takesSpans(among: own)
      {
        text.text = words.dropLast(count).joined(separator: " ")
        text.words = text.text
        let rule = own.first { $0.kind == .recurrence && reading.recurrence != nil }
        self.place(
          reading, of: longer, at: day.range, for: rule ?? parameter, among: own, into: &values)
      } else {
        // Its words stay those before the day, so that no time is taken out of it again, unless they contradict
        // one another, so that they are left out.
        text.text += " " + day.words
        if reading == nil { text.words = text.text }
      }
      values[place] = text
      return true
    }
    return false
  }

  /// The words for a time of day in their original case.
  private static func original(_ time: String, in words: String) -> String {
    let lowered = words.lowercased()
    guard lowered.count == words.count else { return time }
    if lowered.hasPrefix(time) { return String(words.prefix(time.count)) }
    return lowered.hasSuffix(time) ? String(words.suffix(time.count)) : time
  }

  /// The words of a reading for a time of day that no parameter takes; nil for none.
  private func left(
    of reading: SpokenDate.Reading, by parameter: PhraseTable.Parameter?,
    among own: [PhraseTable.Parameter]
  ) -> String? {
    let takesTime =
      parameter?.kind == .when || parameter?.kind == .range && reading.endTime != nil
      || parameter?.kind == .recurrence && own.contains { $0.kind == .when }
    return reading.timeOfDay.isEmpty || takesTime && reading.time != nil ? nil : reading.timeOfDay
  }

  /// Sets the parameters that a reading is for.
  private func place(
    _ reading: SpokenDate.Reading, of words: String, at range: Range<Int>,
    for parameter: PhraseTable.Parameter, among own: [PhraseTable.Parameter],
    into values: inout [Understanding.Argument]
  ) {
    func set(_ name: String, _ text: String?) {
      guard let text, !values.contains(where: { $0.name == name }) else { return }
      values.append(
        Understanding.Argument(
          name: name, words: words, text: text, kind: parameter.kind.rawValue, type: "", entity: "",
          range: range))
    }
    let hasEnd = own.contains { $0.name == "end" && $0.kind.hasDays }
    if parameter.kind == .recurrence {
      set(parameter.name, reading.recurrence)
      // `every monday at 9` begins on the next one at that time.
      if let day = own.first(where: { $0.kind == .when }), let time = reading.time {
        let first = reading.recurrence.flatMap { times.dates?.firstDay(of: $0, at: time) }
        set(day.name, first.flatMap { SpokenDate.Reading(day: $0, at: time).when })
        if hasEnd, let first { set("end", reading.end(of: first)) }
      }
      return
    }
    if parameter.kind == .range { return set(parameter.name, reading.range) }
    if hasEnd, parameter.name == "start", parameter.kind == .when, let span = reading.span {
      set(parameter.name, span.start)
      return set("end", span.end)
    }
    guard own.contains(where: { $0.name == "until" && $0.kind.hasDays }),
      own.contains(where: { $0.name != "until" && $0.kind.hasDays })
    else {
      return set(parameter.name, parameter.kind == .when ? reading.when : reading.day?.iso8601)
    }
    set(parameter.name, reading.first?.iso8601)
    if reading.first != reading.last || parameter.name == "since" {
      set("until", reading.last?.iso8601)
    }
  }

  /// The longest time in a text, best at its end, and the text without it.
  ///
  /// A time without a reading is about days but has no equivalent on the command line.
  private func time(
    in text: String, _ direction: SpokenTimes.Direction, takesSpans: Bool
  ) -> (rest: String, words: String, reading: SpokenDate.Reading?)? {
    guard let dates = times.dates else { return nil }
    if table.language == "ja" {
      for end in text.indices.dropFirst().prefix(Self.longestDenseTime).reversed() {
        let words = String(text[..<end])
        guard dates.mayEndTime(words), let reading = times.reading(words, direction),
          takesSpans || !reading.isOfDays
        else { continue }
        return (PhraseText.withoutParticle(String(text[end...])), words, reading)
      }
      return nil
    }
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count > 1 else { return nil }
    func rest(_ range: Range<Int>) -> String {
      PhraseText.trimmed(
        (words[..<range.lowerBound] + words[range.upperBound...]).joined(separator: " "))
    }
    // At its beginning a time ends with a mark, as in `for 5 December: …`, or has a preposition, as it has within
    // the text.
    let first = max(1, words.count - Self.longestTime)
    var places = (first..<words.count).map { $0..<words.count }
    places += (1..<min(words.count, Self.longestTime)).reversed().map { 0..<$0 }
    if words.count <= Self.mostWords {
      for start in 1..<words.count {
        let ends = (start + 1)..<min(words.count, start + Self.longestTime)
        places += ends.reversed().map { start..<$0 }
      }
    }
    for place in places {
      let time = words[place].joined(separator: " ")
      if place.lowerBound == 0, !time.hasSuffix(":"), !time.hasSuffix(","),
        place.count > 1 ? !dates.isPlaced(time) : !dates.isDay(time)
      {
        continue
      }
      guard dates.mayEndTime(PhraseText.trimmed(time)) else { continue }
      let isInside = place.lowerBound > 0 && place.upperBound < words.count
      if isInside || direction == .back, !dates.isPlaced(time) { continue }
      let reading = times.reading(PhraseText.trimmed(time), direction)
      if let reading, reading.isOfDays, !takesSpans { continue }
      // `read the daily`
      if reading?.recurrence != nil, dates.endsWithArticle(rest(place)) { continue }
      guard reading != nil || !isInside && dates.isAboutTime(time) else { continue }
      return (rest(place), time, reading)
    }
    return nil
  }
}
