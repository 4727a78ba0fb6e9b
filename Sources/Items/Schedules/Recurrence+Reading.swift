import CEL

/// The forms in which rules are written.
extension Recurrence {
  /// Examples for messages and help.
  package static let examples =
    "every 3 days, every monday, every 2 weeks, every month on 15, every month on last friday"

  /// The longest text of a rule, in bytes.
  private static let longest = 1_500

  /// Parses `every 3 days`, `every mon, thu`, `every 2 weeks on monday`, `every first friday`, `every month
  /// on last workday`, `every year on 29 feb` or `weekly`, each perhaps with `until 2027-06-30`, `10 times`
  /// and `except 2026-12-25, holidays`; nil for any other text.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    var words = Self.words(of: text)[...]
    if let first = words.first, ["every", "each"].contains(first) { words.removeFirst() }
    let days = words.prefix { !["until", "except"].contains($0) }
    let hasCount = days.count > 2 && ["time", "times"].contains(days.last)
    let named = hasCount ? days.dropLast(2) : days
    guard var rule = Self.recurring(named), rule.limit(words[named.endIndex...]),
      rule.text.utf8.count <= Self.longest
    else { return nil }
    self = rule
  }

  /// The rule on days given as text, such as `mon, thu`, `1, 15, last`, `2nd tuesday` or `29 feb`; nil if
  /// they are invalid for its unit, or it has days already.
  package func on(_ text: String) -> Recurrence? {
    hasDays ? nil : Self.days(Self.words(of: text)[...]).flatMap(on)
  }

  /// The words of a text; a comma is one of them.
  static func words(of text: String) -> [String] {
    text.lowercased().replacing(",", with: " , ").split(whereSeparator: \.isWhitespace)
      .map { String($0) }
  }

  /// Parses the days of a rule: those after `on`, or all of it.
  private static func recurring(_ words: ArraySlice<String>) -> Recurrence? {
    if let mark = words.firstIndex(of: "on") {
      return plain(words[..<mark]).flatMap { rule in
        rule.hasDays ? nil : Self.days(words[(mark + 1)...]).flatMap(rule.on)
      }
    }
    if let rule = plain(words) { return rule }
    // `first friday of the month`, `last workday of every month`.
    var days = words
    let ending = ["of", "in", "month", "each", "every", "the", "a"]
    while let last = days.last, ending.contains(last) { days.removeLast() }
    guard words.contains("month"), case .monthDays(let named)? = Self.days(days) else { return nil }
    return Recurrence(every: 1, .month, monthDays: named)
  }

  /// Parses the end and the exceptions; false if they are none.
  private mutating func limit(_ words: ArraySlice<String>) -> Bool {
    var words = words
    while let word = words.popFirst() {
      switch word {
      case "until":
        guard until == nil, let day = words.popFirst().flatMap(CivilDate.init(iso8601:)) else {
          return false
        }
        until = day
      case "except":
        let first = words
        while let word = words.first, word != "until" {
          if word == "holidays" {
            skipsHolidays = true
          } else if let day = CivilDate(iso8601: word) {
            exceptions.insert(day)
          } else if word != "and", word != "," {
            break
          }
          words.removeFirst()
        }
        guard words.count < first.count, exceptions.count <= Self.mostExceptions else {
          return false
        }
      default:
        guard count == nil, let number = word[...].decimal(digits: 1...5), number > 0,
          number <= Self.mostTimes, let unit = words.popFirst(), ["time", "times"].contains(unit)
        else { return false }
        count = number
      }
    }
    return true
  }

  /// Parses a rule without `on`: a number of units, or days of the week or month.
  private static func plain(_ words: ArraySlice<String>) -> Recurrence? {
    // `other day`, `3rd week`
    if words.count == 2, let first = words.first,
      let unit = words.last.flatMap(Unit.init(rawValue:)),
      !first.allSatisfy(\.isNumber), first != "last",
      let count = first == "other" ? 2 : MonthDay.place(first)
    {
      return Recurrence(every: count, unit)
    }
    let text = words.joined()
    switch text {
    case "day", "daily": return Recurrence(every: 1, .day)
    case "week", "weekly": return Recurrence(every: 1, .week)
    case "month", "monthly": return Recurrence(every: 1, .month)
    case "year", "yearly": return Recurrence(every: 1, .year)
    default: break
    }
    if text.first?.isNumber == true, let period = Period(text) { return Recurrence(period) }
    if words.first == "other", case .weekdays(let days)? = days(words.dropFirst()) {
      return Recurrence(every: 2, .week, weekdays: days)
    }
    switch days(words) {
    case .weekdays(let days)?: return Recurrence(weekdays: days)
    case .monthDays(let days)?: return Recurrence(every: 1, .month, monthDays: days)
    case .yearDays(let days)?: return Recurrence(every: 1, .year)?.on(.yearDays(days))
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

  /// Parses days of the week, such as `mon and thu`, of the month, such as `1, 15, last friday`, or of the
  /// year, such as `29 feb` or `4th thursday of november`; nil for any other text or a mix of them.
  static func days(_ words: ArraySlice<String>) -> Days? {
    var weekdays: Set<Int> = []
    var monthDays: Set<MonthDay> = []
    var yearDays: Set<YearDay> = []
    var rest = words
    // `first` of `first and third monday`
    var pending: [Int] = []
    while let word = rest.first {
      if ["and", "the", ","].contains(word) {
        rest.removeFirst()
      } else if let days = Self.weekdays(named: word) {
        weekdays.formUnion(days)
        rest.removeFirst()
      } else if let month = CalendarNames.month(named: word) {
        // `feb 29`
        rest.removeFirst()
        guard let day = MonthDay.take(from: &rest) else { return nil }
        yearDays.insert(YearDay(month: month, day: day))
      } else if let place = Self.pendingPlace(rest) {
        pending.append(place)
        rest.removeFirst()
      } else if let day = MonthDay.take(from: &rest) {
        let all = pending.compactMap(day.at) + [day]
        guard all.count == pending.count + 1 else { return nil }
        pending = []
        let named = ["of", "in"].contains(rest.first) ? rest.dropFirst() : rest
        guard let month = named.first.flatMap(CalendarNames.month) else {
          monthDays.formUnion(all)
          continue
        }
        yearDays.formUnion(all.map { YearDay(month: month, day: $0) })
        rest = named.dropFirst()
      } else {
        return nil
      }
    }
    guard pending.isEmpty else { return nil }
    switch (weekdays.isEmpty, monthDays.isEmpty, yearDays.isEmpty) {
    case (false, true, true): return .weekdays(weekdays)
    case (true, false, true): return .monthDays(monthDays)
    case (true, true, false) where yearDays.allSatisfy(\.exists): return .yearDays(yearDays)
    default: return nil
    }
  }

  /// The number of an ordinal before which another one names what both count; nil for other words.
  private static func pendingPlace(_ words: ArraySlice<String>) -> Int? {
    guard let word = words.first, !word.allSatisfy(\.isNumber), word != "last",
      let place = MonthDay.place(word), let mark = words.dropFirst().first,
      ["and", ","].contains(mark),
      let next = words.dropFirst().first(where: { !["and", ",", "the"].contains($0) }),
      MonthDay.place(next) != nil
    else { return nil }
    return place
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
}
