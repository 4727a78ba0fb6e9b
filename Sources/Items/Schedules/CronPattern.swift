package import CEL

/// A cron schedule of five fields, as in Vixie cron (crontab(5)), with the days `L`, `L-3`, `15W`, `LW`,
/// `5#3` and `5L` of other programs.
package struct CronPattern: Hashable, Sendable {
  /// The fields, separated by single spaces.
  package let text: String
  private var minutes: UInt64 = 0
  private var hours: UInt64 = 0
  private var days: UInt64 = 0
  private var months: UInt64 = 0
  private var weekdays: UInt64 = 0
  /// The days that depend on the month.
  private var placedDays: Set<MonthDay> = []
  private var placedWeekdays: Set<MonthDay> = []
  /// Whether the day of the month or the day of the week begins with `*`.
  private var hasFreeDay: Bool
  /// Whether the minute or the hour begins with `*`.
  ///
  /// Such a schedule follows the wall clock: it skips times that a clock change skips, and repeats
  /// those it repeats. Any other runs once a day.
  private let followsClock: Bool

  /// Parses five fields.
  package init(_ text: String) throws(ScheduleProblem) {
    let fields = text.split(whereSeparator: \.isWhitespace).map { String($0) }
    self.text = fields.joined(separator: " ")
    if fields.count == 1, let nickname = Self.nicknames[fields[0].lowercased()] {
      throw ScheduleProblem("`cron` must have five fields", help: "write `cron: '\(nickname)'`")
    }
    guard fields.count == 5 else {
      throw ScheduleProblem(
        "`cron` must have five fields; “\(self.text)” has \(fields.count)",
        help: "minute, hour, day of the month, month, day of the week: `cron: '0 9 * * 1-5'`")
    }
    let isFree = fields.map { $0.hasPrefix("*") }
    hasFreeDay = isFree[2] || isFree[4]
    followsClock = isFree[0] || isFree[1]
    minutes = try CronField("minute", 0...59).bits(fields[0])
    hours = try CronField("hour", 0...23).bits(fields[1])
    let dayField = Self.placed(fields[2], Self.monthDay)
    placedDays = dayField.placed
    days = try dayField.rest.map(CronField("day of the month", 1...31).bits) ?? 0
    months = try CronField("month", 1...12, names: CalendarNames.months, first: 1).bits(fields[3])
    let weekdayField = Self.placed(fields[4], Self.weekday)
    placedWeekdays = weekdayField.placed
    weekdays =
      try weekdayField.rest.map(
        CronField("day of the week", 0...7, names: CalendarNames.days).bits) ?? 0
    if weekdays.hasBit(7) { weekdays |= 1 }
    let longest =
      (1...12).filter { months.hasBit($0) }
      .map { CivilDate.days(inMonth: $0, of: 2000) }.max() ?? 0
    let mayCome = placedDays.contains { day in
      switch day {
      case .nearestWeekday(let number), .fromEnd(let number): number <= longest
      case .number, .weekday, .workday: true
      }
    }
    if isFree[4], !mayCome, days.trailingZeroBitCount > longest {
      throw ScheduleProblem(
        "`cron`: “\(self.text)” never occurs: no such month has the day \(fields[2])",
        help: "for the last day of a month write `L`, as in `cron: '0 9 L * *'`")
    }
  }

  /// The elements of a field that depend on the month, and the others; nil without others.
  private static func placed(
    _ field: String, _ read: (Substring) -> MonthDay?
  ) -> (placed: Set<MonthDay>, rest: String?) {
    let parts = field.split(separator: ",", omittingEmptySubsequences: false)
    let rest = parts.filter { read($0) == nil }
    return (Set(parts.compactMap(read)), rest.isEmpty ? nil : rest.joined(separator: ","))
  }

  /// Reads `L`, `L-3`, `LW` or `15W`; nil for other texts.
  private static func monthDay(_ text: Substring) -> MonthDay? {
    let text = text.uppercased()
    if text == "L" { return .fromEnd(1) }
    if text == "LW" { return .workday(place: -1) }
    if text.hasPrefix("L-"), let days = text.dropFirst(2).decimal(digits: 1...2), days < 31 {
      return .fromEnd(days + 1)
    }
    guard text.hasSuffix("W"), let day = text.dropLast().decimal(digits: 1...2),
      (1...31).contains(day)
    else { return nil }
    return .nearestWeekday(day)
  }

  /// Reads `5#3` or `5L`, with a name or a number of a day of the week; nil for other texts.
  private static func weekday(_ text: Substring) -> MonthDay? {
    let parts = text.split(separator: "#", maxSplits: 1)
    let isLast = parts.count == 1 && text.count > 1 && text.uppercased().hasSuffix("L")
    let name = (isLast ? text.dropLast() : parts.first ?? "").lowercased()
    guard let day = CalendarNames.dayOfWeek(named: name) ?? name[...].decimal(digits: 1...1),
      (0...7).contains(day)
    else {
      return nil
    }
    if isLast { return .weekday(day % 7, place: -1) }
    guard parts.count == 2, let place = Int(parts[1]), (1...5).contains(place) else { return nil }
    return .weekday(day % 7, place: place)
  }

  /// A problem of a pattern that means something else than it seems to, and what to write; nil for none.
  package var doubt: ScheduleProblem? {
    let fields = text.split(separator: " ").map(String.init)
    let rest = fields.dropFirst(2).joined(separator: " ")
    if fields[0] == "*", Int(fields[1]) != nil {
      return ScheduleProblem(
        "this runs in every minute of the hour", help: "for once write `0 \(fields[1]) \(rest)`")
    }
    func step(_ index: Int) -> Int? {
      guard fields[index].hasPrefix("*/") else { return nil }
      return Int(fields[index].dropFirst(2))
    }
    let isMinuteFree = fields[1...].allSatisfy { $0 == "*" }
    if let step = step(0), 60 % step != 0, isMinuteFree {
      return ScheduleProblem(
        "`*/\(step)` begins anew with each hour, so that the last step is shorter",
        help: "for an even distance write `every: \(step)m`")
    }
    if let step = step(1), 24 % step != 0, fields[0] == "0", fields[2...].allSatisfy({ $0 == "*" })
    {
      return ScheduleProblem(
        "`*/\(step)` begins anew with each day, so that the last step is shorter",
        help: "for an even distance write `every: \(step)h`")
    }
    if let step = step(2), step > 1, fields[3] == "*", fields[4] == "*" {
      return ScheduleProblem(
        "`*/\(step)` begins anew on the first of each month, so that the last step is shorter",
        help: "for an even distance write `every: {days: \(step), at: …}`")
    }
    guard !hasFreeDay else { return nil }
    let number = CalendarNames.dayOfWeek(named: fields[4].lowercased()) ?? Int(fields[4])
    let day = number.map { CalendarNames.days[$0 % 7].lowercased() }
    let weeks = ["1-7": 1, "8-14": 2, "15-21": 3, "22-28": 4]
    var help = "write two entries of `on` if both are meant"
    if let day, let place = weeks[fields[2]] {
      help =
        "for the \(MonthDay.ordinal(place)) \(day) of a month "
        + "write `\(fields[0]) \(fields[1]) * \(fields[3]) \(fields[4])#\(place)`"
    }
    return ScheduleProblem(
      "this runs on the days of the month and on the days of the week", help: help)
  }

  private static let nicknames = [
    "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
  ]

  /// The number of days within which every pattern matches, unless it never does: 29 February on a
  /// given day of the week comes every 28 years, or 40 around 2100.
  private static let horizon = 15_000

  private func contains(_ date: CivilDate) -> Bool {
    guard months.hasBit(date.month) else { return false }
    let isDay =
      days.hasBit(date.day) || placedDays.contains { $0.contains(date, .none) }
    let isWeekday =
      weekdays.hasBit(date.dayOfWeek) || placedWeekdays.contains { $0.contains(date, .none) }
    return hasFreeDay ? isDay && isWeekday : isDay || isWeekday
  }

  /// The seconds of a day at which it matches, in order.
  package var secondsOfDay: [Int] {
    let minutesOfHour = (0..<60).filter { minutes.hasBit($0) }
    return (0..<24).filter { hours.hasBit($0) }
      .flatMap { hour in minutesOfHour.map { hour * 3_600 + $0 * 60 } }
  }

  /// Returns the first time after a moment; nil if there is none.
  package func next(after moment: Timestamp, in zone: TimeZoneRules) -> Timestamp? {
    followsClock ? nextOnTheClock(moment, zone) : nextOnce(moment, zone)
  }

  private func nextOnce(_ moment: Timestamp, _ zone: TimeZoneRules) -> Timestamp? {
    let today = zone.civilTime(at: moment).date.daysSinceEpoch
    let seconds = secondsOfDay
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
      // A clock change in between requires another look at the time.
      let change = step > 60 ? zone.nextTransition(after: second) : nil
      second = min(second + Int64(step), change ?? .max)
    }
    return nil
  }
}

extension UInt64 {
  /// Whether the given bit is set.
  fileprivate func hasBit(_ number: Int) -> Bool { self >> UInt64(number) & 1 == 1 }
}

extension Int64 {
  /// The non-negative remainder.
  fileprivate func remainder(_ divisor: Int64) -> Int64 { ((self % divisor) + divisor) % divisor }
}

/// A field of a cron schedule: a list of numbers, ranges and steps.
private struct CronField {
  private let name: String
  private let range: ClosedRange<Int>
  private let names: [String]
  private let first: Int
  /// Whether 7 means Sunday, like 0.
  private var isWeekday: Bool { range.upperBound == 7 }

  init(_ name: String, _ range: ClosedRange<Int>, names: [String] = [], first: Int = 0) {
    self.name = name
    self.range = range
    self.names = names
    self.first = first
  }

  /// Parses a field into a bit set.
  func bits(_ text: String) throws(ScheduleProblem) -> UInt64 {
    var bits: UInt64 = 0
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: "/", omittingEmptySubsequences: false)
      guard pieces.count <= 2, let ends = ends(pieces[0]) else { throw problem(part) }
      var step = 1
      if pieces.count == 2 {
        // In crontab(5), a step must follow `*` or a range.
        guard pieces[0] == "*" || pieces[0].contains("-"),
          let given = pieces[1].decimal(digits: 1...2), given > 0, given <= range.upperBound + 1
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
    // Sunday also ends a range that begins earlier in the week.
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
      "`cron`: “\(part)” is not a valid \(name)",
      help: "write `*`, a number from \(range.lowerBound) to \(range.upperBound)"
        + (names.isEmpty ? "" : ", a name such as \(names[first].lowercased().prefix(3))")
        + ", a range such as \(range.lowerBound + 1)-\(range.lowerBound + 5), a step such as */2, "
        + (range.upperBound == 31 ? "`L` for the last day, `15W` for the nearest weekday, " : "")
        + (range.upperBound == 7 ? "`5#3` for the third Friday, `5L` for the last one, " : "")
        + "or a list of them separated by commas")
  }
}
