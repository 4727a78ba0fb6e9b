package import CEL

/// A rule for recurring days, such as every three days, every Monday, the last Friday of each month or
/// 29 February, perhaps with an end and exceptions.
///
/// The rules are those of RFC 5545 §3.3.10, but for a day beyond the end of a month, which means its
/// last day.
package struct Recurrence: Hashable, Sendable {
  /// The calendar unit of the interval.
  package enum Unit: String, CaseIterable, Sendable {
    case day, week, month, year

    /// The maximum interval: about ten years.
    var limit: Int {
      switch self {
      case .day: 3_660
      case .week: 520
      case .month: 120
      case .year: 10
      }
    }
  }

  package let unit: Unit
  /// The number of units between occurrences.
  package let interval: Int
  /// The days of the week, with Sunday as 0; if empty, the reference day's.
  package private(set) var weekdays: Set<Int>
  /// The days of the month; if empty, the reference day's.
  package private(set) var monthDays: Set<MonthDay>
  /// The days of the year; if empty, the reference day's.
  package private(set) var yearDays: Set<YearDay> = []
  /// The last day on which it may recur; nil for no end.
  package var until: CivilDate?
  /// The number of days from the reference day on; nil for no end. Days that are left out count.
  package var count: Int?
  /// The days that are left out.
  package var exceptions: Set<CivilDate> = []
  /// Whether holidays are left out.
  package var skipsHolidays = false

  /// The maximum number of `count`.
  static let mostTimes = 10_000
  /// The maximum number of exceptions.
  static let mostExceptions = 100

  /// Creates a rule; nil if the interval is not positive or exceeds about ten years.
  package init?(
    every interval: Int, _ unit: Unit, weekdays: Set<Int> = [], monthDays: Set<MonthDay> = []
  ) {
    guard (1...unit.limit).contains(interval) else { return nil }
    self.unit = unit
    self.interval = interval
    self.weekdays = weekdays
    self.monthDays = monthDays
  }

  /// Creates a rule for days of the week; all seven mean every day.
  package init(weekdays: Set<Int>) {
    unit = weekdays.count == 7 ? .day : .week
    interval = 1
    self.weekdays = weekdays.count == 7 ? [] : weekdays
    monthDays = []
  }

  /// The days on which a rule recurs within its unit.
  enum Days: Hashable {
    case weekdays(Set<Int>)
    case monthDays(Set<MonthDay>)
    case yearDays(Set<YearDay>)
  }

  /// The rule with other days of the week, month or year; nil if they do not apply to its unit.
  func on(_ days: Days) -> Recurrence? {
    var rule = self
    switch (days, unit) {
    case (.weekdays(let days), .week): rule.weekdays = days
    case (.monthDays(let days), .month): rule.monthDays = days
    case (.yearDays(let days), .year): rule.yearDays = days
    default: return nil
    }
    return rule
  }

  /// Whether it names its days.
  var hasDays: Bool { !weekdays.isEmpty || !monthDays.isEmpty || !yearDays.isEmpty }

  /// Whether it recurs on a day, counting from a reference day; without a count in both directions.
  ///
  /// Complexity: O(days from the reference day) with a count, otherwise O(1).
  package func contains(
    _ date: CivilDate, from start: CivilDate, _ holidays: Holidays = .none
  ) -> Bool {
    guard matches(date, from: start, holidays), isKept(date, holidays) else { return false }
    guard let count else { return true }
    guard date >= start else { return false }
    let days = start.daysSinceEpoch..<date.daysSinceEpoch
    return days.count { matches(CivilDate(daysSinceEpoch: $0), from: start, holidays) } < count
  }

  /// Whether neither its end nor an exception takes a day away.
  func isKept(_ date: CivilDate, _ holidays: Holidays) -> Bool {
    until.map { date <= $0 } ?? true
      && !exceptions.contains(date) && !(skipsHolidays && holidays.contains(date))
  }

  /// Whether a day is in the rule without its end and its exceptions.
  func matches(
    _ date: CivilDate, from start: CivilDate, _ holidays: Holidays
  ) -> Bool {
    switch unit {
    case .day: return (date.daysSinceEpoch - start.daysSinceEpoch) % interval == 0
    case .week:
      guard weekdays.isEmpty ? date.dayOfWeek == start.dayOfWeek : weekdays.contains(date.dayOfWeek)
      else { return false }
      let mondays = [date, start].map { $0.daysSinceEpoch - $0.daysSinceMonday }
      return (mondays[0] - mondays[1]) / 7 % interval == 0
    case .month:
      let months = (date.year - start.year) * 12 + date.month - start.month
      let days = monthDays.isEmpty ? [.number(start.day)] : monthDays
      return months % interval == 0 && days.contains { $0.contains(date, holidays) }
    case .year:
      let days =
        yearDays.isEmpty ? [YearDay(month: start.month, day: .number(start.day))] : yearDays
      return (date.year - start.year) % interval == 0
        && days.contains { $0.month == date.month && $0.day.contains(date, holidays) }
    }
  }

  /// Returns the first matching day after a day; nil if there is none within a century.
  ///
  /// Complexity: O(days between them), with a count O(days from the reference day).
  package func next(
    after day: CivilDate, from start: CivilDate, _ holidays: Holidays = .none
  ) -> CivilDate? {
    var left = count
    // What recurs a number of times is counted from its reference day.
    let first = left == nil ? day.daysSinceEpoch + 1 : start.daysSinceEpoch
    let end = until.map(\.daysSinceEpoch) ?? max(first, day.daysSinceEpoch) + Self.horizon
    guard first <= end else { return nil }
    for number in first...end where left != 0 {
      let date = CivilDate(daysSinceEpoch: number)
      guard matches(date, from: start, holidays) else { continue }
      left = left.map { $0 - 1 }
      if date > day, isKept(date, holidays) { return date }
    }
    return nil
  }

  /// The number of days within which a next day is looked for. A fifth Monday in February comes every 28
  /// years, or 40 around 2100; a longer interval may skip all of them.
  static let horizon = 36_600

  /// The rule that begins with the next day: the days that are left of its count, and the day that a
  /// short month changed, so that it does not drift.
  ///
  /// - Parameters:
  ///   - next: the next day, later than `start`.
  ///   - start: the reference day until now.
  /// - Returns: nil if its count was used up before the next day.
  func beginning(
    _ next: CivilDate, after start: CivilDate, _ holidays: Holidays
  ) -> Recurrence? {
    var rule = self
    if let count {
      let days = (start.daysSinceEpoch + 1)...next.daysSinceEpoch
      let passed = days.count { matches(CivilDate(daysSinceEpoch: $0), from: start, holidays) }
      guard passed < count else { return nil }
      rule.count = count - passed
    }
    rule.exceptions = exceptions.filter { $0 > next }
    if !hasDays, next.day != start.day {
      switch unit {
      case .month: rule.monthDays = [.number(start.day)]
      case .year: rule.yearDays = [YearDay(month: start.month, day: .number(start.day))]
      case .day, .week: break
      }
    }
    return rule
  }

  /// Monday to Friday.
  static let workdays: Set<Int> = [1, 2, 3, 4, 5]

  // MARK: - Text

  /// The canonical text.
  package var text: String {
    var text = daysText
    if let until { text += " until \(until.iso8601)" }
    if let count { text += count == 1 ? " 1 time" : " \(count) times" }
    let left = exceptions.sorted().map(\.iso8601) + (skipsHolidays ? ["holidays"] : [])
    return left.isEmpty ? text : text + " except " + left.joined(separator: ", ")
  }

  private var daysText: String {
    let units =
      interval == 1 ? "every \(unit.rawValue)" : "every \(interval) \(unit.rawValue)s"
    guard hasDays else { return units }
    if !monthDays.isEmpty {
      let days = monthDays.sorted { $0.order.lexicographicallyPrecedes($1.order) }
      return "\(units) on \(days.map(\.text).joined(separator: ", "))"
    }
    if !yearDays.isEmpty {
      let days = yearDays.sorted {
        ([$0.month] + $0.day.order).lexicographicallyPrecedes([$1.month] + $1.day.order)
      }
      return "\(units) on \(days.map(\.text).joined(separator: ", "))"
    }
    if interval == 1, weekdays == Self.workdays { return "every weekday" }
    let order = weekdays.sorted { ($0 + 6) % 7 < ($1 + 6) % 7 }
    let names = order.map { CalendarNames.days[$0].lowercased() }.joined(separator: ", ")
    return interval == 1 ? "every \(names)" : "\(units) on \(names)"
  }
}
