package import CEL

/// The five fields of a line of cron, as Paul Vixie's cron takes them (crontab(5)).
package struct CronPattern: Hashable, Sendable {
  /// The fields as they were written, a space between two of them.
  package let text: String
  private var minutes: UInt64 = 0
  private var hours: UInt64 = 0
  private var days: UInt64 = 0
  private var months: UInt64 = 0
  private var weekdays: UInt64 = 0
  /// Whether the day of the month, or that of the week, begins with `*`.
  private var hasFreeDay: Bool
  /// Whether the minute or the hour begins with `*`.
  ///
  /// Such a line follows the clock as it goes: it leaves out what the clock leaves out, and comes
  /// twice where the clock shows a time twice. Any other comes once a day.
  private let followsClock: Bool

  /// Reads five fields.
  package init(_ text: String) throws(ScheduleProblem) {
    let fields = text.split(whereSeparator: \.isWhitespace).map { String($0) }
    self.text = fields.joined(separator: " ")
    if fields.count == 1, let nickname = Self.nicknames[fields[0].lowercased()] {
      throw ScheduleProblem("`cron` takes five fields", help: "write `cron: '\(nickname)'`")
    }
    guard fields.count == 5 else {
      throw ScheduleProblem(
        "`cron` takes five fields, and “\(self.text)” has \(fields.count)",
        help: "minute, hour, day of the month, month, day of the week: `cron: '0 9 * * 1-5'`")
    }
    let isFree = fields.map { $0.hasPrefix("*") }
    hasFreeDay = isFree[2] || isFree[4]
    followsClock = isFree[0] || isFree[1]
    minutes = try CronField("minute", 0...59).bits(fields[0])
    hours = try CronField("hour", 0...23).bits(fields[1])
    days = try CronField("day of the month", 1...31).bits(fields[2])
    months = try CronField("month", 1...12, names: CalendarNames.months, first: 1).bits(fields[3])
    weekdays = try CronField("day of the week", 0...7, names: CalendarNames.days).bits(fields[4])
    if weekdays.hasBit(7) { weekdays |= 1 }
    let longest =
      (1...12).filter { months.hasBit($0) }
      .map { CivilDate.days(inMonth: $0, of: 2000) }.max() ?? 0
    if isFree[4], days.trailingZeroBitCount > longest {
      throw ScheduleProblem(
        "`cron`: “\(self.text)” never comes, as no such month has a day "
          + "\(days.trailingZeroBitCount)")
    }
  }

  private static let nicknames = [
    "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
  ]

  /// Number of days in which each pattern comes, unless it never does: 29 February on a certain day of
  /// the week comes every 28 years, or 40 around 2100.
  private static let horizon = 15_000

  private func contains(_ date: CivilDate) -> Bool {
    guard months.hasBit(date.month) else { return false }
    let isDay = days.hasBit(date.day)
    let isWeekday = weekdays.hasBit(date.dayOfWeek)
    return hasFreeDay ? isDay && isWeekday : isDay || isWeekday
  }

  /// The first time after a moment; nil where it never comes.
  package func next(after moment: Timestamp, in zone: TimeZoneRules) -> Timestamp? {
    followsClock ? nextOnTheClock(moment, zone) : nextOnce(moment, zone)
  }

  private func nextOnce(_ moment: Timestamp, _ zone: TimeZoneRules) -> Timestamp? {
    let today = zone.civilTime(at: moment).date.daysSinceEpoch
    let minutesOfHour = (0..<60).filter { minutes.hasBit($0) }
    var seconds: [Int] = []
    for hour in 0..<24 where hours.hasBit(hour) {
      seconds += minutesOfHour.map { hour * 3_600 + $0 * 60 }
    }
    for day in (today - 1)..<(today + Self.horizon) {
      let date = CivilDate(daysSinceEpoch: day)
      guard contains(date) else { continue }
      let times = seconds.lazy.map { zone.timestamp(of: CivilTime(date: date, secondOfDay: $0)) }
      if let next = times.filter({ $0 > moment }).min() { return next }
    }
    return nil
  }

  private func nextOnTheClock(_ moment: Timestamp, _ zone: TimeZoneRules) -> Timestamp? {
    var second = moment.seconds - moment.seconds.remainder(60) + 60
    let end = second + Int64(Self.horizon) * 86_400
    while second < end {
      let time = zone.civilTime(at: Timestamp(seconds: second))
      let step: Int
      if !contains(time.date) {
        step = 86_400 - time.secondOfDay
      } else if !hours.hasBit(time.hour) {
        step = 3_600 - time.secondOfDay % 3_600
      } else if !minutes.hasBit(time.minute) {
        step = 60 - time.second
      } else {
        return Timestamp(seconds: second)
      }
      // What the clock shows after a change is looked at anew.
      let change = step > 60 ? zone.nextTransition(after: second) : nil
      second = min(second + Int64(step), change ?? .max)
    }
    return nil
  }
}

extension UInt64 {
  /// Whether the bit of a number is set.
  fileprivate func hasBit(_ number: Int) -> Bool { self >> UInt64(number) & 1 == 1 }
}

extension Int64 {
  /// The remainder that is not negative.
  fileprivate func remainder(_ divisor: Int64) -> Int64 { ((self % divisor) + divisor) % divisor }
}

/// One field of a line of cron: a list of numbers, ranges and steps.
private struct CronField {
  private let name: String
  private let range: ClosedRange<Int>
  private let names: [String]
  private let first: Int
  /// Whether 7 stands for Sunday, as 0 does.
  private var isWeekday: Bool { range.upperBound == 7 }

  init(_ name: String, _ range: ClosedRange<Int>, names: [String] = [], first: Int = 0) {
    self.name = name
    self.range = range
    self.names = names
    self.first = first
  }

  /// The numbers that a field means, as bits.
  func bits(_ text: String) throws(ScheduleProblem) -> UInt64 {
    var bits: UInt64 = 0
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: "/", omittingEmptySubsequences: false)
      guard pieces.count <= 2, let ends = ends(pieces[0]) else { throw problem(part) }
      var step = 1
      if pieces.count == 2 {
        // In crontab(5) a step follows `*` or a range.
        guard pieces[0] == "*" || pieces[0].contains("-"),
          let given = pieces[1].decimal(digits: 1...2), given > 0
        else { throw problem(part) }
        step = given
      }
      for number in stride(from: ends.lowerBound, through: ends.upperBound, by: step) {
        bits |= 1 << UInt64(number)
      }
    }
    return bits
  }

  private func ends(_ text: Substring) -> ClosedRange<Int>? {
    if text == "*" { return range.lowerBound...(isWeekday ? 6 : range.upperBound) }
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard let low = number(ends[0]), var high = number(ends[ends.count - 1]) else { return nil }
    // Sunday ends a week that began before it.
    if high == 0, low > 0, isWeekday { high = 7 }
    return low <= high ? low...high : nil
  }

  private func number(_ text: Substring) -> Int? {
    if let number = text.decimal(digits: 1...2) { return range.contains(number) ? number : nil }
    let name = text.lowercased()
    return name.utf8.count < 3
      ? nil
      : names.firstIndex { $0.lowercased() == name || $0.lowercased().prefix(3) == name }
        .map { $0 + first }
  }

  private func problem(_ part: Substring) -> ScheduleProblem {
    ScheduleProblem(
      "`cron`: “\(part)” isn't a valid \(name)",
      help: "a field is `*`, a number from \(range.lowerBound) to \(range.upperBound)"
        + (names.isEmpty ? "" : ", a name such as \(names[first].lowercased().prefix(3))")
        + ", a range such as \(range.lowerBound + 1)-\(range.lowerBound + 5), a step such as */2, "
        + "or a list of them with commas")
  }
}
