package import CEL

/// A date and time pattern in Unicode letters (UTS #35, part 4, “Date Format Patterns”), such as `d
/// MMM yyyy`; names are read in English, and written in any language.
package struct DatePattern: Sendable {
  /// A field or literal text.
  enum Part {
    case literal(String)
    case field(Character, count: Int)

    /// Letter of a field; nil for literal text.
    var letter: Character? { if case .field(let letter, _) = self { letter } else { nil } }
  }

  let parts: [Part]
  /// Source text of each part.
  let texts: [String]

  /// Parses a pattern; text in single quotes is literal, `''` is one quote.
  package init(_ pattern: String) throws(EvaluationError) {
    var parts: [Part] = []
    var texts: [String] = []
    var rest = Substring(pattern)
    while let letter = rest.first {
      let start = rest.startIndex
      if letter == "'" {
        parts.append(.literal(try Self.quoted(&rest)))
      } else if letter.isASCII, letter.isLetter {
        let run = rest.prefix { $0 == letter }
        guard Self.letters.contains(letter), run.count <= Self.maxCount(of: letter) else {
          if let other = Self.translation(ofStrftime: pattern) {
            throw EvaluationError(
              "“\(pattern)” is a strftime pattern; write `\(other)`")
          }
          throw EvaluationError(
            "“\(run)” is not a field of a date pattern; put text between single quotes")
        }
        parts.append(.field(letter, count: run.count))
        rest = rest.dropFirst(run.count)
      } else {
        parts.append(.literal(String(letter)))
        rest = rest.dropFirst()
      }
      texts.append(String(pattern[start..<rest.startIndex]))
    }
    self.parts = parts
    self.texts = texts
  }

  private static let letters = "GyYuQqMLwdDEecahHKkmsSzOVZXx"

  /// UTS #35 allows up to six letters in a field, except for fractions and padded years.
  private static func maxCount(of letter: Character) -> Int {
    switch letter {
    case "y", "Y", "u", "S": 9
    case "E", "e", "c": 6
    case "M", "L", "a", "G", "Z", "X", "x", "Q", "q": 5
    case "z", "O": 4
    case "D": 3
    default: 2
    }
  }

  private static func quoted(_ rest: inout Substring) throws(EvaluationError) -> String {
    rest = rest.dropFirst()
    if rest.first == "'" {
      rest = rest.dropFirst()
      return "'"
    }
    var text = ""
    while let character = rest.first {
      rest = rest.dropFirst()
      if character != "'" {
        text.append(character)
      } else if rest.first == "'" {
        text.append("'")
        rest = rest.dropFirst()
      } else {
        return text
      }
    }
    throw EvaluationError("the date pattern has a single quote that is not closed")
  }

  /// Formats a timestamp in a time zone.
  package func text(
    of moment: Timestamp, in zone: TimeZoneRules, language: Language = .english
  ) -> String {
    let field = DateField(moment, zone, language)
    return parts.map { part in
      switch part {
      case .literal(let text): text
      case .field(let letter, let count): field.text(letter, count)
      }
    }.joined()
  }
}

extension DatePattern {
  /// Parses a text by the pattern.
  ///
  /// Missing parts default to the local zone, the current year, today and midnight.
  func moment(
    in text: String, now: Timestamp, clock: LocalClock
  ) throws(EvaluationError) -> Timestamp {
    var rest = text[...]
    var fields = ReadFields()
    for part in parts {
      switch part {
      case .literal(let literal):
        guard rest.hasPrefix(literal) else { throw mismatch(text) }
        rest = rest.dropFirst(literal.count)
      case .field(let letter, let count):
        guard let isTaken = fields.take(letter, count, from: &rest) else {
          throw Self.unreadable(letter)
        }
        guard isTaken else { throw mismatch(text) }
      }
    }
    let today = clock.time(at: now).date
    guard rest.isEmpty else { throw mismatch(text) }
    guard let time = fields.time(today: today) else {
      throw EvaluationError("“\(text.prefix(40))” is a day or time that does not exist")
    }
    return fields.offset.map { time.timestamp(offset: $0) } ?? clock.moment(of: time)
  }

  /// Checks that the pattern can parse text.
  func expectReadable() throws(EvaluationError) {
    for case .field(let letter, let count) in parts {
      var fields = ReadFields()
      var text = ""[...]
      if fields.take(letter, count, from: &text) == nil { throw Self.unreadable(letter) }
    }
  }

  private static func unreadable(_ letter: Character) -> EvaluationError {
    EvaluationError("“\(letter)” in a date pattern can only be written, not parsed")
  }

  private func mismatch(_ text: String) -> EvaluationError {
    EvaluationError("“\(text.prefix(40))” does not have the form of the date pattern")
  }
}

/// The date fields parsed so far.
private struct ReadFields {
  private var year: Int?
  private var month: Int?
  private var day: Int?
  private var hour = 0
  private var isHalfDay = false
  private var isAfternoon: Bool?
  private var minute = 0
  private var second = 0
  private var nanoseconds: Int32 = 0
  /// UTC offset in seconds; nil if absent.
  private(set) var offset: Int?

  /// Parses a field at the start of a text: whether it matches; nil if the field is not supported.
  mutating func take(_ letter: Character, _ count: Int, from text: inout Substring) -> Bool? {
    switch letter {
    case "y", "u":
      guard let number = number(&text, 1...(count == 2 ? 2 : 9), count) else { return false }
      // As in POSIX `%y` (strptime(3)).
      year = count == 2 ? number + (number < 69 ? 2000 : 1900) : number
    case "M", "L":
      guard count < 3 else {
        month = name(CalendarNames.months, &text).map { $0 + 1 }
        return month != nil
      }
      month = number(&text, 1...2, count)
      return month != nil
    case "d":
      day = number(&text, 1...2, count)
      return day != nil
    case "E": return name(CalendarNames.days, &text) != nil
    case "H", "k", "h", "K":
      guard let number = number(&text, 1...2, count) else { return false }
      isHalfDay = letter == "h" || letter == "K"
      hour = letter == "h" && number == 12 ? 0 : letter == "k" && number == 24 ? 0 : number
    case "a":
      isAfternoon = name(["AM", "PM"], &text).map { $0 == 1 }
      return isAfternoon != nil
    case "m", "s":
      guard let number = number(&text, 1...2, count) else { return false }
      if letter == "m" { minute = number } else { second = number }
    case "S":
      let digits = text.prefix(count).prefix { $0.isASCII && $0.isNumber }
      guard digits.count == count, let number = Int32(digits) else { return false }
      nanoseconds = (count..<9).reduce(number) { scaled, _ in scaled &* 10 }
      text = text.dropFirst(count)
    case "X", "x", "Z": return zone(&text)
    default: return nil
    }
    return true
  }

  /// Parses a number; in a field of several letters it has as many digits, so that `yyyyMMdd`
  /// works.
  private func number(
    _ text: inout Substring, _ digits: ClosedRange<Int>, _ count: Int
  ) -> Int? {
    let most = count > 1 ? max(count, digits.lowerBound) : digits.upperBound
    let run = text.prefix(most).prefix { $0.isASCII && $0.isNumber }
    guard run.count >= (count > 1 ? count : 1) else { return nil }
    text = text.dropFirst(run.count)
    return Int(run)
  }

  /// Index of the name at the start of a text, in full or by its first three letters.
  private func name(_ names: [String], _ text: inout Substring) -> Int? {
    let lowered = text.prefix(12).lowercased()
    for (index, name) in names.enumerated() {
      for form in [name.lowercased(), name.prefix(3).lowercased()] where lowered.hasPrefix(form) {
        text = text.dropFirst(form.count)
        return index
      }
    }
    return nil
  }

  /// Parses `Z`, `+01`, `+0100` or `+01:00`.
  private mutating func zone(_ text: inout Substring) -> Bool {
    if text.first == "Z" {
      text = text.dropFirst()
      offset = 0
      return true
    }
    guard let sign = text.first, sign == "+" || sign == "-" else { return false }
    text = text.dropFirst()
    guard let hours = number(&text, 1...2, 2) else { return false }
    if text.first == ":" { text = text.dropFirst() }
    let minutes = number(&text, 1...2, 2) ?? 0
    guard hours < 24, minutes < 60 else { return false }
    offset = (sign == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
    return true
  }

  /// Combines the fields; nil if there is no such date or time.
  func time(today: CivilDate) -> CivilTime? {
    let hasDay = year != nil || month != nil || day != nil
    guard
      let date = hasDay
        ? CivilDate(
          year: year ?? today.year, month: month ?? (year == nil ? today.month : 1), day: day ?? 1)
        : today
    else { return nil }
    guard !isHalfDay || hour < 12 else { return nil }
    let hour = isHalfDay && isAfternoon == true ? hour + 12 : hour
    return CivilTime(date, hour: hour, minute: minute, second: second, nanoseconds: nanoseconds)
  }
}

/// Formats the fields of one time, by Unicode date letters.
struct DateField {
  private let time: CivilTime
  private let offset: Int
  private let abbreviation: String
  private let zoneName: String
  private let language: Language

  init(_ moment: Timestamp, _ zone: TimeZoneRules, _ language: Language = .english) {
    self.language = language
    let period = zone.period(at: moment.seconds)
    offset = period.offset
    abbreviation = period.abbreviation
    zoneName = zone.name
    time = CivilTime(moment, offset: offset)
  }

  /// Formats the field of a letter that is repeated `count` times.
  func text(_ letter: Character, _ count: Int) -> String {
    switch letter {
    case "G": (count == 4 ? language.wideEras : language.eras)[isBC ? 0 : 1]
    case "y": year(isBC ? 1 - time.date.year : time.date.year, count)
    case "u": padded(time.date.year, count)
    case "Y": year(time.date.isoWeek.year, count)
    case "Q", "q": quarter(count)
    case "M": name(language.months, at: time.date.month - 1, time.date.month, count)
    case "L": name(language.monthsAlone, at: time.date.month - 1, time.date.month, count)
    case "w": padded(time.date.isoWeek.week, count)
    case "d": padded(time.date.day, count)
    case "D": padded(time.date.dayOfYear, count)
    case "E": dayOfWeek(max(count, 3))
    case "e", "c":
      count < 3 ? padded(time.date.daysSinceMonday + 1, count) : dayOfWeek(count)
    case "a": (count == 5 ? language.narrowHalves : language.halves)[isMorning ? 0 : 1]
    case "h": padded((time.hour + 11) % 12 + 1, count)
    case "H": padded(time.hour, count)
    case "K": padded(time.hour % 12, count)
    case "k": padded((time.hour + 23) % 24 + 1, count)
    case "m": padded(time.minute, count)
    case "s": padded(time.second, count)
    case "S": String(padded(Int(time.nanoseconds), 9).prefix(count))
    case "z": abbreviation.allSatisfy(\.isLetter) ? abbreviation : gmt(isLong: count == 4)
    case "O": gmt(isLong: count == 4)
    case "V": zoneName
    case "Z":
      count == 4
        ? gmt(isLong: true) : zone(count == 5 ? .extended : .basic, zulu: count == 5 && offset == 0)
    case "X": zone(form(count), zulu: offset == 0)
    default: zone(form(count), zulu: false)
    }
  }

  private var isBC: Bool { time.date.year < 1 }
  private var isMorning: Bool { time.hour < 12 }

  private func year(_ year: Int, _ count: Int) -> String {
    count == 2 ? padded(((year % 100) + 100) % 100, 2) : padded(year, count)
  }

  private func quarter(_ count: Int) -> String {
    let quarter = (time.date.month - 1) / 3 + 1
    return switch count {
    case 3: language.quarters[quarter - 1]
    case 4: language.wideQuarters[quarter - 1]
    default: padded(quarter, count == 5 ? 1 : count)
    }
  }

  private func dayOfWeek(_ count: Int) -> String {
    let day = time.date.dayOfWeek
    return switch count {
    case 4: language.days.wide[day]
    case 5: language.days.narrow[day]
    case 6: language.daysShort[day]
    default: language.days.short[day]
    }
  }

  private func name(_ names: Language.Names, at index: Int, _ number: Int, _ count: Int) -> String {
    switch count {
    case 3: names.short[index]
    case 4: names.wide[index]
    case 5: names.narrow[index]
    default: padded(number, count)
    }
  }

  /// Notation of a UTC offset: `+01`, `+0100` or `+01:00`.
  private enum ZoneForm {
    case hours, basic, extended
  }

  private func form(_ count: Int) -> ZoneForm {
    switch count {
    case 1: .hours
    case 2, 4: .basic
    default: .extended
    }
  }

  private func zone(_ form: ZoneForm, zulu: Bool) -> String {
    if zulu { return "Z" }
    let minutes = abs(offset) / 60
    let sign = offset < 0 ? "-" : "+"
    let hour = padded(minutes / 60, 2)
    let minute = padded(minutes % 60, 2)
    return switch form {
    case .hours: minutes % 60 == 0 ? sign + hour : sign + hour + minute
    case .basic: sign + hour + minute
    case .extended: sign + hour + ":" + minute
    }
  }

  private func gmt(isLong: Bool) -> String {
    if offset == 0 { return "GMT" }
    if isLong { return "GMT" + zone(.extended, zulu: false) }
    let minutes = abs(offset) / 60
    let rest = minutes % 60 == 0 ? "" : ":" + padded(minutes % 60, 2)
    return "GMT\(offset < 0 ? "-" : "+")\(minutes / 60)\(rest)"
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(abs(number))
    let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
    return (number < 0 ? "-" : "") + zeros + digits
  }
}
