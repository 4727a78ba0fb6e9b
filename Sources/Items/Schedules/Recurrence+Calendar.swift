package import CEL

/// Rules as calendars write them (RFC 5545 §3.3.10).
extension Recurrence {
  /// Creates the rule that a calendar's rule means; nil for one that words cannot say.
  ///
  /// - Parameters:
  ///   - start: The start of the series, in local time.
  ///   - until: The last time of the series, in local time.
  ///   - exceptions: The days that are left out.
  package init?(
    _ rule: CalendarRule, from start: CivilTime, until: CivilTime?,
    exceptions: Set<CivilDate> = []
  ) {
    let units: [CalendarRule.Frequency: Unit] = [
      .daily: .day, .weekly: .week, .monthly: .month, .yearly: .year,
    ]
    guard let unit = units[rule.frequency], (rule.count ?? 1) <= Self.mostTimes,
      exceptions.count <= Self.mostExceptions
    else { return nil }
    var numbers = rule.numbers
    let places = numbers.removeValue(forKey: "BYSETPOS")
    let monthDays = numbers.removeValue(forKey: "BYMONTHDAY")
    let months = numbers.removeValue(forKey: "BYMONTH")
    guard numbers.isEmpty else { return nil }
    let days: Days?
    switch unit {
    case .day:
      guard rule.weekdays.isEmpty, monthDays == nil, months == nil, places == nil else {
        return nil
      }
      days = nil
    case .week:
      guard monthDays == nil, months == nil, places == nil,
        // Weeks begin on Mondays here, which matters only for longer intervals.
        rule.interval == 1 || rule.weekStart == 1
          || rule.weekdays.allSatisfy({ $0.day == start.date.dayOfWeek })
      else { return nil }
      days = rule.weekdays.isEmpty ? nil : .weekdays(Set(rule.weekdays.map(\.day)))
    case .month, .year:
      guard months == nil || unit == .year, months?.count ?? 1 == 1 else { return nil }
      let place = places?.count == 1 ? places?[0] : places == nil ? 0 : nil
      guard let place, rule.weekdays.isEmpty || monthDays == nil else { return nil }
      var found: [MonthDay] = []
      if let monthDays {
        switch (place, monthDays.sorted()) {
        // Within a short month, its last day.
        case (-1, [28, 29]): found = [.number(29)]
        case (-1, [28, 29, 30]): found = [.number(30)]
        case (-1, [28, 29, 30, 31]): found = [.number(31)]
        case (0, let days) where days.allSatisfy({ $0 <= 28 }):
          found = days.map { $0 > 0 ? .number($0) : .fromEnd(-$0) }
        default: return nil
        }
      } else if !rule.weekdays.isEmpty {
        // A yearly rule without a month counts through the year.
        guard unit == .month || months != nil else { return nil }
        let workdays = Self.workdays.map { CalendarRule.Weekday(day: $0, place: 0) }
        if place != 0, Set(rule.weekdays) == Set(workdays), abs(place) <= 23 {
          found = [.workday(place: place)]
        } else if rule.weekdays.count == 1, place != 0, rule.weekdays[0].place == 0 {
          found = [.weekday(rule.weekdays[0].day, place: place)]
        } else {
          guard place == 0 else { return nil }
          found = rule.weekdays.map { .weekday($0.day, place: $0.place) }
        }
        let isSaid = found.allSatisfy { day in
          if case .weekday(_, let place) = day { (1...5).contains(abs(place)) } else { true }
        }
        guard isSaid else { return nil }
      } else if place != 0 || start.date.day > 28 {
        return nil
      }
      if unit == .month {
        days = found.isEmpty ? nil : .monthDays(Set(found))
      } else if let months {
        if found.isEmpty { found = [.number(start.date.day)] }
        let isOwn = months[0] == start.date.month && found == [.number(start.date.day)]
        days = isOwn ? nil : .yearDays(Set(found.map { YearDay(month: months[0], day: $0) }))
      } else {
        guard found.isEmpty || found == [.number(start.date.day)] else { return nil }
        days = nil
      }
    }
    guard var made = Recurrence(every: rule.interval, unit) else { return nil }
    if let days {
      if case .weekdays(let weekdays) = days, weekdays == Self.workdays, rule.interval == 1 {
        made = Recurrence(weekdays: weekdays)
      } else {
        guard let named = made.on(days) else { return nil }
        made = named
      }
    }
    made.count = rule.count
    if let until {
      // The last day on which the series may still take place.
      let isOver = until.secondOfDay < start.secondOfDay
      made.until = isOver ? until.date.adding(days: -1) : until.date
    }
    made.exceptions = exceptions
    guard let known = Recurrence(made.text), known == made else { return nil }
    self = made
  }

  /// The rule without its end and exceptions as calendars write it; nil if they cannot.
  private func calendarDays(from start: CivilDate) -> String? {
    func names(_ days: some Sequence<Int>) -> String {
      days.sorted { ($0 + 6) % 7 < ($1 + 6) % 7 }.map { CalendarRule.weekdayNames[$0] }
        .joined(separator: ",")
    }
    func monthly(_ days: [MonthDay]) -> String? {
      if days.count == 1 {
        switch days[0] {
        case .number(let day) where day > 28:
          return ";BYMONTHDAY=\((28...day).map(String.init).joined(separator: ","));BYSETPOS=-1"
        case .workday(let place): return ";BYDAY=\(names(Self.workdays));BYSETPOS=\(place)"
        default: break
        }
      }
      var numbers: [String] = []
      var weekdays: [String] = []
      for day in days.sorted(by: { $0.order.lexicographicallyPrecedes($1.order) }) {
        switch day {
        case .number(let day) where day <= 28: numbers.append("\(day)")
        case .fromEnd(let day): numbers.append("-\(day)")
        case .weekday(let day, let place):
          weekdays.append("\(place)\(CalendarRule.weekdayNames[day])")
        case .number, .workday, .nearestWeekday: return nil
        }
      }
      guard numbers.isEmpty || weekdays.isEmpty else { return nil }
      return numbers.isEmpty
        ? ";BYDAY=" + weekdays.joined(separator: ",")
        : ";BYMONTHDAY=" + numbers.joined(separator: ",")
    }
    var text =
      "FREQ=" + ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"][Unit.allCases.firstIndex(of: unit) ?? 0]
    if interval > 1 { text += ";INTERVAL=\(interval)" }
    switch unit {
    case .day: return text
    case .week: return weekdays.isEmpty ? text : text + ";BYDAY=" + names(weekdays)
    case .month:
      // Without a day, one that a short month does not have would be left out.
      if monthDays.isEmpty, start.day <= 28 { return text }
      return monthly(monthDays.isEmpty ? [.number(start.day)] : Array(monthDays)).map { text + $0 }
    case .year:
      if yearDays.isEmpty, start.day <= 28 { return text }
      let days =
        yearDays.isEmpty
        ? [YearDay(month: start.month, day: .number(start.day))] : Array(yearDays)
      let months = Set(days.map(\.month))
      guard months.count == 1, let month = months.first else { return nil }
      return monthly(days.map(\.day)).map { "\(text);BYMONTH=\(month)\($0)" }
    }
  }

  /// The rule as calendars write it, without its exceptions; nil if they cannot.
  ///
  /// - Parameter until: Returns the text of the end of a day, in the form of the start of the series.
  package func calendarRule(from start: CivilDate, until: (CivilDate) -> String) -> String? {
    calendarDays(from: start).map { text in
      text + (self.until.map { ";UNTIL=" + until($0) } ?? "") + (count.map { ";COUNT=\($0)" } ?? "")
    }
  }

  /// The days of a series within a range, in order, at most as many as a limit.
  ///
  /// - Complexity: O(days in the range); with a count, O(days from the start).
  package func days(
    from start: CivilDate, in range: ClosedRange<CivilDate>, limit: Int,
    _ holidays: Holidays = .none
  ) -> [CivilDate] {
    var days: [CivilDate] = []
    var rule = self
    var left = count ?? .max
    rule.count = nil
    let first = count == nil ? max(start, range.lowerBound) : start
    guard first <= range.upperBound else { return [] }
    for number in first.daysSinceEpoch...range.upperBound.daysSinceEpoch where left > 0 {
      let day = CivilDate(daysSinceEpoch: number)
      if rule.matches(day, from: start, holidays) { left -= 1 } else { continue }
      if day >= range.lowerBound, rule.isKept(day, holidays) { days.append(day) }
      if days.count == limit { break }
    }
    return days
  }
}
