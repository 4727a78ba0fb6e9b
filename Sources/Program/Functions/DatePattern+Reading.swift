import CEL

extension DatePattern {
  /// The moment that a text tells, which has the form of the pattern.
  ///
  /// Without a zone it is that of the clock, without a year this year, without any day today, and
  /// without a time midnight.
  func moment(
    in text: String, now: Timestamp, clock: LocalClock
  ) throws(Failure) -> Timestamp {
    var rest = text[...]
    var fields = ReadFields()
    for part in parts {
      switch part {
      case .literal(let literal):
        guard rest.hasPrefix(literal) else { throw misfit(text) }
        rest = rest.dropFirst(literal.count)
      case .field(let letter, let count):
        guard let isTaken = fields.take(letter, count, from: &rest) else {
          throw Self.unreadable(letter)
        }
        guard isTaken else { throw misfit(text) }
      }
    }
    let today = clock.time(at: now).date
    guard rest.isEmpty, let time = fields.time(today: today) else { throw misfit(text) }
    return fields.offset.map { time.timestamp(offset: $0) } ?? clock.moment(of: time)
  }

  /// Expects that a text can be read by the pattern.
  func expectReadable() throws(Failure) {
    for case .field(let letter, let count) in parts {
      var fields = ReadFields()
      var text = ""[...]
      if fields.take(letter, count, from: &text) == nil { throw Self.unreadable(letter) }
    }
  }

  private static func unreadable(_ letter: Character) -> Failure {
    Failure(message: "“\(letter)” of a date pattern can be written, and not read")
  }

  private func misfit(_ text: String) -> Failure {
    Failure(message: "“\(text.prefix(40))” does not have the form of the date pattern")
  }
}

/// The fields of a date that were read so far.
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
  /// Seconds ahead of UTC; nil where the text does not tell.
  private(set) var offset: Int?

  /// Takes a field from the beginning of a text: whether it is there; nil for one that is not read.
  mutating func take(_ letter: Character, _ count: Int, from text: inout Substring) -> Bool? {
    switch letter {
    case "y", "u":
      guard let number = number(&text, 1...(count == 2 ? 2 : 9), count) else { return false }
      // As POSIX has it for `%y` (strptime(3)).
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

  /// A number; one of a field with several letters has as many digits, so that `yyyyMMdd` can be
  /// read.
  private func number(
    _ text: inout Substring, _ digits: ClosedRange<Int>, _ count: Int
  ) -> Int? {
    let most = count > 1 ? max(count, digits.lowerBound) : digits.upperBound
    let run = text.prefix(most).prefix { $0.isASCII && $0.isNumber }
    guard run.count >= (count > 1 ? count : 1) else { return nil }
    text = text.dropFirst(run.count)
    return Int(run)
  }

  /// The place of the name that a text begins with, whole or by its first three letters.
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

  /// `Z`, `+01`, `+0100` or `+01:00`.
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

  /// What the fields say together; nil when no calendar or clock shows it.
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
    return CivilTime(
      date, hour: hour, minute: minute, second: second, nanoseconds: nanoseconds)
  }
}
