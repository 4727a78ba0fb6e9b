package import CEL

/// A rule for recurring days, such as every three days, every Monday or the last day of each month.
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

  /// The value for the last day of a month.
  package static let lastDay = 31

  package let unit: Unit
  /// The number of units between occurrences.
  package let interval: Int
  /// The days of the week, with Sunday as 0; if empty, the reference day's.
  package private(set) var weekdays: Set<Int>
  /// The days of the month; if empty, the reference day's.
  ///
  /// A day beyond the end of a month means its last day.
  package private(set) var monthDays: Set<Int>

  /// Creates a rule; nil if the interval is not positive or exceeds about ten years.
  package init?(
    every interval: Int, _ unit: Unit, weekdays: Set<Int> = [], monthDays: Set<Int> = []
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

  /// The rule with other days of the week or month; nil if they do not apply to its unit.
  private func on(_ days: Days) -> Recurrence? {
    var rule = self
    switch (days, unit) {
    case (.weekdays(let days), .week): rule.weekdays = days
    case (.monthDays(let days), .month): rule.monthDays = days
    default: return nil
    }
    return rule
  }

  /// The rule on days given as text, such as `mon, thu` or `1, 15, last`; nil if they are invalid
  /// for its unit, or it has days already.
  package func on(_ text: String) -> Recurrence? {
    guard weekdays.isEmpty, monthDays.isEmpty, let days = Self.days(Self.words(of: text)) else {
      return nil
    }
    return on(days)
  }

  /// Days of the week or of the month.
  enum Days: Hashable {
    case weekdays(Set<Int>)
    case monthDays(Set<Int>)
  }

  /// Whether a day is in the rule, counting from a reference day in both directions.
  package func contains(_ date: CivilDate, from start: CivilDate) -> Bool {
    switch unit {
    case .day: return (date.daysSinceEpoch - start.daysSinceEpoch) % interval == 0
    case .week:
      guard weekdays.isEmpty ? date.dayOfWeek == start.dayOfWeek : weekdays.contains(date.dayOfWeek)
      else { return false }
      let mondays = [date, start].map { $0.daysSinceEpoch - $0.daysSinceMonday }
      return (mondays[0] - mondays[1]) / 7 % interval == 0
    case .month:
      let months = (date.year - start.year) * 12 + date.month - start.month
      return months % interval == 0
        && (monthDays.isEmpty ? isDay(start.day, date) : monthDays.contains { isDay($0, date) })
    case .year:
      return (date.year - start.year) % interval == 0 && date.month == start.month
        && isDay(start.day, date)
    }
  }

  private func isDay(_ day: Int, _ date: CivilDate) -> Bool {
    date.day == min(day, CivilDate.days(inMonth: date.month, of: date.year))
  }

  /// Returns the first matching day after a day; nil if there is none within about ten years.
  package func next(after day: CivilDate, from start: CivilDate) -> CivilDate? {
    let first = day.daysSinceEpoch + 1
    return (first..<first + Self.horizon).lazy.map { CivilDate(daysSinceEpoch: $0) }
      .first { contains($0, from: start) }
  }

  /// The number of days within which every rule matches.
  static let horizon = 4_100

  /// The canonical text.
  package var text: String {
    let units =
      interval == 1 ? "every \(unit.rawValue)" : "every \(interval) \(unit.rawValue)s"
    if !monthDays.isEmpty {
      let days = monthDays.sorted().map { $0 == Self.lastDay ? "last" : "\($0)" }
      return "\(units) on \(days.joined(separator: ", "))"
    }
    guard !weekdays.isEmpty else { return units }
    if interval == 1, weekdays == Self.workdays { return "every weekday" }
    let order = weekdays.sorted { ($0 + 6) % 7 < ($1 + 6) % 7 }
    let names = order.map { CalendarNames.days[$0].lowercased() }.joined(separator: ", ")
    return interval == 1 ? "every \(names)" : "\(units) on \(names)"
  }

  /// Monday to Friday.
  static let workdays: Set<Int> = [1, 2, 3, 4, 5]

  // MARK: - Reading

  /// Examples for messages and help.
  package static let examples = "every 3 days, every monday, every 2 weeks, every month on 15"

  /// Parses `every 3 days`, `every mon, thu`, `every 2 weeks on monday`, `every month on last` or
  /// `weekly`; nil for any other text.
  package init?(_ text: String) {
    guard text.utf8.count <= 128 else { return nil }
    var words = Self.words(of: text)
    if words.first == "every" || words.first == "each" { words.removeFirst() }
    let mark = words.firstIndex(of: "on") ?? words.endIndex
    guard let rule = Self.plain(Array(words[..<mark])) else { return nil }
    guard mark < words.endIndex else {
      self = rule
      return
    }
    guard let rule = rule.on(words[(mark + 1)...].joined(separator: " ")) else { return nil }
    self = rule
  }

  static func words(of text: String) -> [String] {
    text.lowercased().replacing(",", with: " ").split(whereSeparator: \.isWhitespace)
      .map { String($0) }
  }

  /// Parses a rule without `on`: a number of units, or days of the week or month.
  private static func plain(_ words: [String]) -> Recurrence? {
    let isOther = words.count == 2 && words[0] == "other"
    let text = isOther ? "2" + words[1] : words.joined()
    switch text {
    case "day", "daily": return Recurrence(every: 1, .day)
    case "week", "weekly": return Recurrence(every: 1, .week)
    case "month", "monthly": return Recurrence(every: 1, .month)
    case "year", "yearly": return Recurrence(every: 1, .year)
    default: break
    }
    if text.first?.isNumber == true, let period = Period(text) { return Recurrence(period) }
    switch days(words) {
    case .weekdays(let days)?: return Recurrence(weekdays: days)
    case .monthDays(let days)?: return Recurrence(every: 1, .month, monthDays: days)
    case nil: return nil
    }
  }

  /// Creates the rule for a period of only days or only months.
  private init?(_ period: Period) {
    switch (period.months, period.days) {
    case (0, let days) where days > 0 && days % 7 == 0: self.init(every: days / 7, .week)
    case (0, let days) where days > 0: self.init(every: days, .day)
    case (let months, 0) where months > 0 && months % 12 == 0: self.init(every: months / 12, .year)
    case (let months, 0) where months > 0: self.init(every: months, .month)
    default: return nil
    }
  }

  /// Parses days of the week, such as `mon and thu`, or of the month, such as `1, 15, last`; nil
  /// for any other text or a mix of both.
  static func days(_ words: [String]) -> Days? {
    var weekdays: Set<Int> = []
    var monthDays: Set<Int> = []
    for word in words where !["and", "the"].contains(word) {
      if let days = self.weekdays(named: word) {
        weekdays.formUnion(days)
      } else if let day = monthDay(word) {
        monthDays.insert(day)
      } else if word != "day" || !monthDays.contains(lastDay) {
        return nil
      }
    }
    switch (weekdays.isEmpty, monthDays.isEmpty) {
    case (false, true): return .weekdays(weekdays)
    case (true, false): return .monthDays(monthDays)
    default: return nil
    }
  }

  /// The days of the week that a word means: `mon`, `monday`, `weekdays` or `weekend`.
  package static func weekdays(named word: String) -> Set<Int>? {
    switch word {
    case "weekday", "weekdays", "workday", "workdays": return workdays
    case "weekend", "weekends": return [0, 6]
    default:
      return
        (CalendarNames.dayOfWeek(named: word)
        ?? CalendarNames.dayOfWeek(named: String(word.hasSuffix("s") ? word.dropLast() : word[...])))
        .map { [$0] }
    }
  }

  /// The day of the month that a word means: `15`, `15th` or `last`.
  private static func monthDay(_ word: String) -> Int? {
    if word == "last" { return lastDay }
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    guard ["", "st", "nd", "rd", "th"].contains(String(word[digits.endIndex...])),
      let day = digits.decimal(digits: 1...2), (1...31).contains(day)
    else { return nil }
    return day
  }
}
