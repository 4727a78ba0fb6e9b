package import CEL

/// A date parsed from free text: a local date and time, and its offset from UTC if given.
package struct ForeignDate {
  /// The local time; midnight if the text has only a date.
  package private(set) var time: CivilTime
  /// Whether the text has a time of day.
  package private(set) var hasTime = false
  /// The offset from UTC in seconds; nil if the text has none.
  package internal(set) var offset: Int?

  /// A token of the text.
  enum Token: Equatable {
    case number(Int, digits: Int)
    case word(String)
    case symbol(Character)
  }

  var tokens: [Token] = []
  /// Whether each token is part of the date.
  var isUsed: [Bool] = []
  private let isDayFirst: Bool
  /// Whether it is the date of a feed, in which any word after the time is a zone.
  let isOfFeed: Bool

  /// Longer texts are prose, not dates.
  private static let maxLength = 100

  /// Parses the date in a text; nil if there is none.
  ///
  /// - Parameters:
  ///   - isAlone: Whether the text must contain nothing else, except the name of the day.
  ///   - isDayFirst: Whether `3/4/2026` is in April; otherwise it is ambiguous and not a date.
  package init?(_ text: String, isAlone: Bool = false, isDayFirst: Bool = false) {
    self.init(text, isAlone: isAlone, isDayFirst: isDayFirst, isOfFeed: false)
  }

  /// Parses the date of a feed, including short forms of ISO 8601; nil if invalid.
  package init?(feed text: String) {
    let text = text.trimmingBlanks
    self.init(
      Self.expanded(text) ?? text, isAlone: false, isDayFirst: false, isOfFeed: true)
    // Korean text without a zone means Korean time.
    let isKorean = text.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) }
    if isKorean, hasTime, offset == nil { offset = 9 * 3_600 }
  }

  private init?(_ text: String, isAlone: Bool, isDayFirst: Bool, isOfFeed: Bool) {
    self.isDayFirst = isDayFirst
    self.isOfFeed = isOfFeed
    time = CivilTime(Timestamp(seconds: 0))
    guard text.utf8.count <= Self.maxLength * 4 else { return nil }
    if let moment = Self.epoch(text) {
      (time, hasTime, offset) = (CivilTime(moment), true, 0)
      return
    }
    tokens = Self.tokens(of: text)
    isUsed = tokens.map { _ in false }
    guard let (date, rest) = day() else { return nil }
    time = CivilTime(date: date)
    let ofDate = isUsed
    if let found = timeOfDay(date, from: rest) {
      time = found
      hasTime = true
    } else {
      // Discard an invalid time.
      isUsed = ofDate
    }
    if isAlone, !tokens.indices.allSatisfy({ isUsed[$0] || isFiller($0) }) { return nil }
  }

  /// Returns the timestamp; nil if it is out of range.
  ///
  /// - Parameter local: Converts a time in the user's time zone, for a date without an offset.
  package func moment(local: (CivilTime) -> Timestamp) -> Timestamp? {
    var moment = local(time)
    if let offset {
      moment = Timestamp(
        seconds: time.secondsSinceEpoch - Int64(offset), nanoseconds: time.nanoseconds)
    }
    return moment.isInRange ? moment : nil
  }

  /// Expands a short form of ISO 8601 (§5.2): `2003`, `031231`, `03-12-31`, `-0312`, `2003-335`; nil for others.
  private static func expanded(_ text: String) -> String? {
    let digits = text.filter { $0 != "-" }
    guard text.utf8.count <= 8, digits.utf8.allSatisfy(\.isDigit), let number = Int(digits) else {
      return nil
    }
    func century(_ year: Int) -> Int { year + (year < 70 ? 2_000 : 1_900) }
    let marks = text.utf8.count - digits.utf8.count
    switch (digits.utf8.count, text.hasPrefix("-")) {
    case (4, false) where marks == 0: return text + "-01-01"
    case (4, true): return "\(century(number / 100))-\(number % 100)-01"
    case (6, false) where marks == 0 || marks == 2:
      return "\(century(number / 10_000))-\(number / 100 % 100)-\(number % 100)"
    case (5, false), (7, false):
      let year = digits.utf8.count == 5 ? century(number / 1_000) : number / 1_000
      guard let first = date(year, 1, 1), (1...366).contains(number % 1_000) else { return nil }
      let day = first.adding(days: number % 1_000 - 1)
      return "\(year)-\(day.month)-\(day.day)"
    default: return nil
    }
  }

  /// Parses Unix time in seconds or milliseconds, or in seconds after `@` with an optional fraction.
  private static func epoch(_ text: String) -> Timestamp? {
    var moment: Timestamp?
    if text.hasPrefix("@") {
      let parts = text.dropFirst().split(
        separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard let seconds = parts.first.flatMap({ Int64($0) }) else { return nil }
      var nanoseconds: Int32 = 0
      if parts.count > 1 {
        let digits = parts[1]
        guard seconds >= 0, (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit),
          let fraction = Int32(digits + String(repeating: "0", count: 9 - digits.utf8.count))
        else { return nil }
        nanoseconds = fraction
      }
      moment = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    } else {
      let digits = text.trimmingBlanks
      guard digits.utf8.allSatisfy(\.isDigit), let number = Int64(digits) else { return nil }
      switch digits.utf8.count {
      case 9, 10: moment = Timestamp(seconds: number)
      case 13: moment = Timestamp(microseconds: number * 1_000)
      default: return nil
      }
    }
    return moment.flatMap { $0.isInRange ? $0 : nil }
  }

  // MARK: Tokens

  static func tokens(of text: String) -> [Token] {
    var tokens: [Token] = []
    var word = ""
    var digits = ""
    func flush() {
      if !word.isEmpty { tokens.append(.word(word.lowercased())) }
      if let number = Int(digits) { tokens.append(.number(number, digits: digits.utf8.count)) }
      word = ""
      digits = ""
    }
    for character in text.prefix(maxLength) {
      if let value = character.wholeNumberValue, value < 10, character.isNumber,
        !character.isLetter
      {
        if !word.isEmpty { flush() }
        digits += String(value)
      } else if character.isLetter {
        if !digits.isEmpty { flush() }
        word.append(character)
      } else {
        flush()
        if !character.isWhitespace { tokens.append(.symbol(character)) }
      }
    }
    flush()
    return tokens
  }

  func number(at index: Int) -> (value: Int, digits: Int)? {
    guard tokens.indices.contains(index), case .number(let value, let digits) = tokens[index] else {
      return nil
    }
    return (value, digits)
  }

  func word(at index: Int) -> String? {
    guard tokens.indices.contains(index), case .word(let word) = tokens[index] else { return nil }
    return word
  }

  func isSymbol(_ symbol: Character, at index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index] == .symbol(symbol)
  }

  mutating func use(_ range: Range<Int>) {
    for index in range.clamped(to: tokens.indices) { isUsed[index] = true }
  }

  /// Whether a token may accompany a date that is alone: the name of the day, punctuation, or a zone name in
  /// parentheses.
  private func isFiller(_ index: Int) -> Bool {
    switch tokens[index] {
    case .word(let word):
      word == "t" || CalendarNames.dayOfWeek(named: word) != nil
        || isSymbol("(", at: index - 1) && isSymbol(")", at: index + 1)
    case .symbol(let symbol): ",.()".contains(symbol)
    case .number: false
    }
  }

  // MARK: The day

  /// Finds the day and the index of the token after it; nil if there is none.
  mutating func day() -> (CivilDate, Int)? {
    for index in tokens.indices {
      if let (date, end) = numeric(at: index) {
        use(index..<end)
        return (date, end)
      }
    }
    return named()
  }

  /// Parses a numeric day that begins at a token.
  private func numeric(at start: Int) -> (CivilDate, Int)? {
    guard let (first, digits) = number(at: start) else { return nil }
    // `20261120`, also in `D:20261120143000+01'00'`.
    if digits == 8 || digits == 14 || digits == 12 {
      let day = digits == 8 ? first : first / (digits == 14 ? 1_000_000 : 10_000)
      guard let date = Self.date(day / 10_000, day / 100 % 100, day % 100) else { return nil }
      return (date, digits == 8 ? start + 1 : start)
    }
    guard let separator = separator(at: start + 1), let (second, _) = number(at: start + 2) else {
      return nil
    }
    if digits == 4 {
      if separator == self.separator(at: start + 3), let (third, _) = number(at: start + 4),
        let date = Self.date(first, second, third)
      {
        return (date, start + 5)
      }
      // A month alone means its first day.
      guard separator == "-", tokens.count == start + 3 else { return nil }
      return Self.date(first, second, 1).map { ($0, start + 3) }
    }
    guard separator == self.separator(at: start + 3),
      let (third, yearDigits) = number(at: start + 4),
      yearDigits == 4 || yearDigits == 2 && separator == "."
    else { return nil }
    let year = yearDigits == 4 ? third : third + (third < 70 ? 2_000 : 1_900)
    // For small numbers, only a dot implies that the day is first.
    if separator == "." || first > 12 || isDayFirst && second <= 12 {
      return Self.date(year, second, first).map { ($0, start + 5) }
    }
    guard second > 12 || first == second else { return nil }
    return Self.date(year, first, second).map { ($0, start + 5) }
  }

  private func separator(at index: Int) -> Character? {
    guard tokens.indices.contains(index) else { return nil }
    switch tokens[index] {
    case .symbol(let symbol) where "-/.".contains(symbol): return symbol
    case .symbol("‐"), .symbol("–"), .symbol("−"): return "-"
    // Chinese, Japanese and Korean.
    case .word("年"), .word("月"), .word("년"), .word("월"): return "年"
    default: return nil
    }
  }

  /// Parses a day with the name of its month.
  private mutating func named() -> (CivilDate, Int)? {
    for index in tokens.indices {
      guard let word = word(at: index), let month = MonthNames.month(word) else { continue }
      var near: [(value: Int, digits: Int, index: Int)] = []
      for other in max(0, index - 3)...min(tokens.count - 1, index + 9) {
        // In `10/Oct/2000:13:55:36`, the year is not part of the time.
        if let (value, digits) = number(at: other), !isSymbol(":", at: other - 1),
          digits == 4 || !isSymbol(":", at: other + 1)
        {
          near.append((value, digits, other))
        }
      }
      let before = near.last { $0.index < index && $0.digits <= 2 }
      guard let year = near.first(where: { $0.digits == 4 && $0.value > 1000 }) ?? shortYear(index)
      else { continue }
      let after = near.first { $0.index > index && $0.digits <= 2 && $0.index <= index + 3 }
      let day = before ?? after
      guard let date = Self.date(year.value, month, day?.value ?? 1) else { continue }
      for place in [index, year.index, day?.index ?? index] {
        isUsed[place] = true
        for mark in [place - 1, place + 1] where tokens.indices.contains(mark) {
          if isSymbol("/", at: mark) || isSymbol("-", at: mark) || isSymbol(":", at: mark) {
            isUsed[mark] = true
          }
        }
      }
      return (date, max(index, max(day?.index ?? 0, year.index < index + 5 ? year.index : 0)) + 1)
    }
    return nil
  }

  /// Returns the two- or three-digit year of old mails, between the month and a time (RFC 5322 §4.3).
  private func shortYear(_ month: Int) -> (value: Int, digits: Int, index: Int)? {
    let isLast = month + 2 == tokens.count && isOfFeed
    guard number(at: month - 1) != nil, let (value, digits) = number(at: month + 1),
      digits == 2 || digits == 3, isSymbol(":", at: month + 3) || isLast
    else { return nil }
    return (value < 50 ? value + 2_000 : value + 1_900, digits, month + 1)
  }

  static func date(_ year: Int, _ month: Int, _ day: Int) -> CivilDate? {
    guard (1_000...9_999).contains(year) else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }
}
