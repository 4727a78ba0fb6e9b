extension RecurringRule {
  /// Reads a `TZ` string; nil for an empty or a broken one.
  init?(_ text: String) {
    var reader = RuleReader(bytes: Array(text.utf8))
    guard let name = reader.name(), let west = reader.time() else { return nil }
    // POSIX counts west of Greenwich, everyone else east.
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

private struct RuleReader {
  let bytes: [UInt8]
  var position = 0

  var isAtEnd: Bool { position == bytes.count }

  func isNext(_ character: Unicode.Scalar) -> Bool {
    position < bytes.count && bytes[position] == UInt8(ascii: character)
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard isNext(character) else { return false }
    position += 1
    return true
  }

  /// Letters, or anything in angle brackets.
  mutating func name() -> String? {
    let isQuoted = take("<")
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      let isLetter = (0x61...0x7A).contains(byte | 0x20)
      if isQuoted ? byte == UInt8(ascii: ">") : !isLetter { break }
      position += 1
    }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    if isQuoted, !take(">") { return nil }
    return name.utf8.count >= 3 ? name : nil
  }

  /// `[+-]hh[:mm[:ss]]` in seconds.
  mutating func time() -> Int? {
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

  /// `Mm.w.d`, `Jn` or `n`, with `/time` unless it is at 02:00.
  mutating func change() -> RecurringRule.Change? {
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
    var value = 0
    let start = position
    while position < bytes.count, position - start < 4, (0x30...0x39).contains(bytes[position]) {
      value = value * 10 + Int(bytes[position] - 0x30)
      position += 1
    }
    return position == start ? nil : value
  }
}
