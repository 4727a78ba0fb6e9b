extension RecurringRule {
  /// Parses a POSIX `TZ` string; nil if it is empty or invalid.
  init?(_ text: String) {
    var reader = DigitReader(text)
    guard let name = reader.name(), let west = reader.time() else { return nil }
    // POSIX offsets are positive west of Greenwich.
    let offset = -west
    standard = TimeZoneRules.Period(
      offset: offset, isDaylightSaving: false, abbreviation: name)
    if reader.isAtEnd {
      daylight = nil
      return
    }
    guard let summerName = reader.name() else { return nil }
    var summerOffset = offset + 3_600
    if !reader.isNext(",") {
      guard let west = reader.time() else { return nil }
      summerOffset = -west
    }
    guard reader.take(","), let start = reader.change(), reader.take(","),
      let end = reader.change(), reader.isAtEnd
    else { return nil }
    let period = TimeZoneRules.Period(
      offset: summerOffset, isDaylightSaving: true, abbreviation: summerName)
    daylight = (period, start, end)
  }
}

extension DigitReader {
  /// Consumes letters, or anything in angle brackets.
  fileprivate mutating func name() -> String? {
    let isQuoted = take("<")
    let name = prefix { byte in
      isQuoted ? byte != UInt8(ascii: ">") : (0x61...0x7A).contains(byte | 0x20)
    }
    if isQuoted, !take(">") { return nil }
    return name.count >= 3 ? String(decoding: name, as: UTF8.self) : nil
  }

  /// Consumes `[+-]hh[:mm[:ss]]` and returns seconds.
  fileprivate mutating func time() -> Int? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard let hours = number(), hours <= 167 else { return nil }
    var seconds = hours * 3_600
    for unit in [60, 1] where take(":") {
      guard let part = number(), part < 60 else { return nil }
      seconds += part * unit
    }
    return isNegative ? -seconds : seconds
  }

  /// Consumes `Mm.w.d`, `Jn` or `n`, with an optional `/time` (02:00 by default).
  fileprivate mutating func change() -> RecurringRule.Change? {
    let day: RecurringRule.Change.Day
    if take("M") {
      guard let month = number(), take("."), let week = number(), take("."),
        let weekday = number(), (1...12).contains(month), (1...5).contains(week), weekday < 7
      else { return nil }
      day = .weekday(month: month, week: week, day: weekday)
    } else if take("J") {
      guard let number = number(), (1...365).contains(number) else { return nil }
      day = .julian(number)
    } else {
      guard let number = number(), number <= 365 else { return nil }
      day = .ordinal(number)
    }
    guard take("/") else { return RecurringRule.Change(day: day, time: 7_200) }
    return time().map { RecurringRule.Change(day: day, time: $0) }
  }

  private mutating func number() -> Int? {
    Int(String(decoding: prefix(4) { (0x30...0x39).contains($0) }, as: UTF8.self))
  }
}
