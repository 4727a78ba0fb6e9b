package import CEL

/// A repetition rule: on recurring days, some time after completion, or as a calendar gives it.
package enum RepeatRule: Hashable, Sendable {
  case recurrence(Recurrence)
  case afterDone(Period)
  /// A rule of a calendar that words cannot say.
  case calendar(CalendarRule)

  /// The mark of a rule of a calendar.
  private static let calendarMark = "RRULE:"

  /// Examples for messages and help.
  package static let examples =
    "every monday, every 2 weeks, every month on last friday, 3d after done"

  /// Parses `every monday`, `every 2 weeks` or `3d after done`; nil for any other text.
  package init?(_ text: String) {
    if text.prefix(Self.calendarMark.count).uppercased() == Self.calendarMark {
      guard let rule = CalendarRule(String(text.dropFirst(Self.calendarMark.count))) else {
        return nil
      }
      self = .calendar(rule)
      return
    }
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    if words.count > 2, words.suffix(2) == ["after", "done"] {
      let period = words.dropLast(2).drop { $0 == "every" }.joined()
      guard let period = Period(period), period.months >= 0, period.days >= 0,
        period != Period("0d")
      else { return nil }
      self = .afterDone(period)
    } else {
      guard let rule = Recurrence(text) else { return nil }
      self = .recurrence(rule)
    }
  }

  /// The canonical text.
  package var text: String {
    switch self {
    case .recurrence(let rule): rule.text
    case .afterDone(let period): "\(period.text) after done"
    case .calendar(let rule): Self.calendarMark + rule.text
    }
  }

  /// Whether it depends on holidays.
  package var needsHolidays: Bool {
    if case .recurrence(let rule) = self { rule.skipsHolidays } else { false }
  }

  /// Returns the next due day, given the last due day and the day of completion, and the rule from
  /// then on.
  ///
  /// Recurring days are counted from the due day, and those before completion are skipped. Nil at the
  /// end of the rule.
  package func next(
    due: CivilDate, done: CivilDate, _ holidays: Holidays = .none
  ) -> (day: CivilDate, rule: RepeatRule)? {
    switch self {
    case .recurrence(let rule):
      guard let day = rule.next(after: max(due, done), from: due, holidays),
        let left = rule.beginning(day, after: due, holidays)
      else { return nil }
      return (day, .recurrence(left))
    case .calendar(let rule):
      let start = CivilTime(date: due)
      let after = CivilTime(date: max(due, done).adding(days: 1))
      func times(_ range: Range<CivilTime>, _ limit: Int) -> [CivilTime] {
        rule.times(
          from: start, until: rule.until.map { CivilTime(date: $0.time.date) }, in: range,
          limit: limit)
      }
      let end = CivilTime(date: after.date.adding(days: Recurrence.horizon))
      guard let next = times(after..<end, 1).first else { return nil }
      guard let count = rule.count else { return (next.date, self) }
      let passed = max(1, times(start..<next, count).count)
      return rule.counting(count - passed).map { (next.date, .calendar($0)) }
    case .afterDone(let period):
      return (done.adding(days: period.days, months: period.months), self)
    }
  }
}
