import CEL

/// The time of day, and its zone.
extension ForeignDate {
  mutating func timeOfDay(_ date: CivilDate, from rest: Int) -> CivilTime? {
    if let (value, digits) = number(at: rest), digits == 14 || digits == 12 {
      let seconds = digits == 14 ? value % 1_000_000 : value % 10_000 * 100
      use(rest..<rest + 1)
      return time(date, seconds, from: rest + 1)
    }
    // The time may precede the year, as in `Fri Nov 20 14:00:00 2026`.
    for start in tokens.indices {
      guard let (hour, digits) = number(at: start), digits <= 2 else {
        if start >= rest, case (let value, 6)? = number(at: start), word(at: start - 1) == "t" {
          use(start - 1..<start + 1)
          return time(date, value, from: start + 1)
        }
        continue
      }
      if isSymbol(":", at: start + 1) || word(at: start + 1) == "h",
        case (let minute, 2)? = number(at: start + 2)
      {
        // In Korean and Chinese, am/pm precedes the time.
        let half = Half(word(at: start - 1)).map { $0.hour(hour) }
        use(start - (half == nil ? 0 : 1)..<start + 3)
        return clock(date, half ?? hour, minute, from: start + 3)
      }
      if start >= rest, let half = Half(word(at: start + 1)) {
        use(start..<start + 2)
        takeOffset(from: start + 2)
        return CivilTime(date, hour: half.hour(hour), minute: 0)
      }
    }
    return nil
  }

  /// Parses a six-digit time, optionally followed by a zone.
  mutating func time(_ date: CivilDate, _ digits: Int, from index: Int) -> CivilTime? {
    takeOffset(from: index)
    return CivilTime(
      date, hour: digits / 10_000, minute: digits / 100 % 100, second: digits % 100)
  }

  mutating func clock(
    _ date: CivilDate, _ hour: Int, _ minute: Int, from index: Int
  ) -> CivilTime? {
    var next = index
    var second = 0
    var nanoseconds = 0
    if isSymbol(":", at: next), let (value, _) = number(at: next + 1) {
      second = value
      next += 2
      if isSymbol(".", at: next) || isSymbol(",", at: next),
        let (value, digits) = number(at: next + 1)
      {
        nanoseconds = value
        for _ in 0..<max(0, 9 - digits) where nanoseconds < 1_000_000_000 { nanoseconds *= 10 }
        for _ in 0..<max(0, digits - 9) { nanoseconds /= 10 }
        next += 2
      }
    }
    var hour = hour
    if let half = Half(word(at: next)) {
      hour = half.hour(hour)
      next += 1
      // `p.m.`
    } else if let letter = word(at: next), letter == "a" || letter == "p",
      isSymbol(".", at: next + 1), word(at: next + 2) == "m"
    {
      hour = (letter == "a" ? Half.morning : .afternoon).hour(hour)
      next += 4
    }
    use(index..<next)
    takeOffset(from: next)
    // A leap second is mapped to the second before.
    return CivilTime(
      date, hour: hour == 24 && minute == 0 ? 0 : hour, minute: minute, second: min(second, 59),
      nanoseconds: Int32(clamping: min(nanoseconds, 999_999_999)))
  }

  /// The half of the day of a 12-hour clock.
  enum Half {
    case morning, afternoon

    init?(_ word: String?) {
      switch word {
      case "am", "오전", "上午": self = .morning
      case "pm", "오후", "下午": self = .afternoon
      default: return nil
      }
    }

    func hour(_ hour: Int) -> Int {
      self == .morning ? (hour == 12 ? 0 : hour) : (hour == 12 ? 12 : hour + 12)
    }
  }

  mutating func takeOffset(from index: Int) {
    var next = index
    // `14:00:00 2026 +0100`, as in `git log`.
    while next < tokens.count, isUsed[next] { next += 1 }
    if isSymbol("(", at: next) { next += 1 }
    if let word = word(at: next) {
      offset = ZoneNames.offset(of: word, on: time.date)
      // Unknown zones in mails mean UTC (RFC 5322 §4.3).
      if isOfFeed, offset == nil { offset = 0 }
      if offset != nil { isUsed[next] = true }
      // `GMT+0100`
      guard offset == 0, word != "z" else { return }
      // `Etc/GMT`
      if isOfFeed, isSymbol("/", at: next + 1) { return }
      next += 1
    }
    guard tokens.indices.contains(next), case .symbol(let sign) = tokens[next],
      sign == "+" || sign == "-" || sign == "−", let (value, digits) = number(at: next + 1)
    else { return }
    var minutes = digits <= 2 ? value * 60 : value / 100 * 60 + value % 100
    var end = next + 2
    if digits <= 2, isSymbol(":", at: end) || isSymbol("'", at: end),
      case (let more, 2)? = number(at: end + 1)
    {
      minutes += more
      end += 2
    }
    guard minutes < 24 * 60 else { return }
    offset = (sign == "+" ? 60 : -60) * minutes
    use(next..<end)
  }
}
