import CEL

extension Recurrence {
  /// Ways to write a rule, for messages and help.
  package static let examples = "every 3 days, every monday, every 2 weeks, every month on 15"

  /// Reads `every 3 days`, `every mon, thu`, `every 2 weeks on monday`, `every month on last` or
  /// `weekly`; nil for anything else.
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

  /// A rule without `on`: a number of units, or days of the week or the month.
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

  /// The rule of a period that has only days, or only months.
  private init?(_ period: Period) {
    switch (period.months, period.days) {
    case (0, let days) where days > 0 && days % 7 == 0: self.init(every: days / 7, .week)
    case (0, let days) where days > 0: self.init(every: days, .day)
    case (let months, 0) where months > 0 && months % 12 == 0: self.init(every: months / 12, .year)
    case (let months, 0) where months > 0: self.init(every: months, .month)
    default: return nil
    }
  }

  /// Days of the week such as `mon and thu`, or of the month such as `1, 15, last`; nil for anything
  /// else, and for both at once.
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

  /// The days that a word means: `mon`, `monday`, `weekdays` or `weekend`.
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

  /// The day of a month that a word means: `15`, `15th` or `last`.
  private static func monthDay(_ word: String) -> Int? {
    if word == "last" { return lastDay }
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    guard ["", "st", "nd", "rd", "th"].contains(String(word[digits.endIndex...])),
      let day = digits.decimal(digits: 1...2), (1...31).contains(day)
    else { return nil }
    return day
  }
}
