/// A recurrence rule of calendars (RFC 5545 §3.3.10), such as `FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1`.
package struct CalendarRule: Hashable, Sendable {
  /// The unit of the interval, from the shortest.
  package enum Frequency: String, CaseIterable, Sendable {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly

    /// The length of a unit shorter than a day, in seconds.
    package var seconds: Int? { [.secondly: 1, .minutely: 60, .hourly: 3_600][self] }
  }

  /// A day of the week, and its place in the month or the year; 0 for each of them.
  package struct Weekday: Hashable, Sendable {
    /// The day, with Sunday as 0.
    package let day: Int
    package let place: Int

    package init(day: Int, place: Int) { (self.day, self.place) = (day, place) }
  }

  /// The rule as it came, without its name and in upper case.
  package let text: String
  package let frequency: Frequency
  package private(set) var interval = 1
  package private(set) var count: Int?
  package private(set) var until: CalendarStamp?
  package private(set) var weekdays: [Weekday] = []
  /// The first day of weeks, with Sunday as 0.
  package private(set) var weekStart = 1
  /// The numbers of its other parts, by names such as `BYMONTH`.
  package private(set) var numbers: [String: [Int]] = [:]

  private static let bounds = [
    "BYSECOND": 0...60, "BYMINUTE": 0...59, "BYHOUR": 0...23, "BYMONTHDAY": -31...31,
    "BYYEARDAY": -366...366, "BYWEEKNO": -53...53, "BYMONTH": 1...12, "BYSETPOS": -366...366,
  ]
  /// The names of the days of the week, from Sunday.
  package static let weekdayNames = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
  private static let maxLength = 4_000

  /// Parses a rule; nil if it is invalid or has a part that the standard does not know.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.maxLength else { return nil }
    let text = text.uppercased()
    var frequency: Frequency?
    var seen: Set<String> = []
    for part in text.split(separator: ";") {
      let pair = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard pair.count == 2, seen.insert(pair[0]).inserted else { return nil }
      let values = pair[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      switch pair[0] {
      case "FREQ": frequency = Frequency(rawValue: pair[1].lowercased())
      case "INTERVAL":
        guard let number = Int(pair[1]), (1...1_000_000).contains(number) else { return nil }
        interval = number
      case "COUNT":
        guard let number = Int(pair[1]), number > 0 else { return nil }
        count = number
      case "UNTIL":
        guard let stamp = CalendarStamp(pair[1]) else { return nil }
        until = stamp
      case "WKST":
        guard let day = Self.weekdayNames.firstIndex(of: pair[1]) else { return nil }
        weekStart = day
      case "BYDAY":
        weekdays = values.compactMap(Self.weekday)
        guard weekdays.count == values.count else { return nil }
      case let name:
        guard let bounds = Self.bounds[name] else { return nil }
        let numbers = values.compactMap { Int($0) }
          .filter { bounds.contains($0) && ($0 != 0 || bounds.lowerBound == 0) }
        guard numbers.count == values.count else { return nil }
        self.numbers[name] = numbers
      }
    }
    guard let frequency else { return nil }
    self.frequency = frequency
    self.text = text
  }

  private static func weekday(_ text: String) -> Weekday? {
    guard let day = weekdayNames.firstIndex(of: String(text.suffix(2))) else { return nil }
    let place = text.count == 2 ? 0 : Int(text.dropLast(2)) ?? .max
    return (-53...53).contains(place) && (place != 0 || text.count == 2)
      ? Weekday(day: day, place: place) : nil
  }

  /// The rule with another count.
  package func counting(_ count: Int) -> CalendarRule? {
    let parts = text.split(separator: ";").map { $0.hasPrefix("COUNT=") ? "COUNT=\(count)" : $0 }
    return CalendarRule(parts.joined(separator: ";"))
  }

  // MARK: - Occurrences

  /// The most periods and times that are looked at.
  private static let maxSteps = 200_000

  /// The local times of a rule within a range, in order.
  ///
  /// - Parameters:
  ///   - start: The start of the series, from which periods are counted.
  ///   - until: The last time that may be, in local time.
  ///   - limit: The most times.
  /// - Complexity: O(periods in the range); with a count, O(periods from the start).
  package func times(
    from start: CivilTime, until: CivilTime?, in range: Range<CivilTime>, limit: Int
  ) -> [CivilTime] {
    var found: [CivilTime] = []
    var left = count ?? .max
    // A period of hours or less has one time if nothing is said of days and times, so that its times are counted.
    let isEven = frequency.seconds != nil && numbers.isEmpty && weekdays.isEmpty
    let first = max(0, period(of: range.lowerBound, from: start) - 1)
    var number = count == nil || isEven ? first : 0
    if count != nil, isEven { left = max(0, left - first) }
    var steps = 0
    while steps < Self.maxSteps, let first = periodStart(number, from: start),
      first < range.upperBound
    {
      let (times, next) = times(from: first, number, start)
      steps += 1 + times.count
      for time in times where time >= start {
        if left == 0 || time >= range.upperBound || until.map({ time > $0 }) ?? false {
          return found
        }
        left -= 1
        guard time >= range.lowerBound else { continue }
        found.append(time)
        if found.count == limit { return found }
      }
      number = next
    }
    return found
  }

  /// The number of the period that a time is in.
  private func period(of time: CivilTime, from start: CivilTime) -> Int {
    let days = time.date.daysSinceEpoch - start.date.daysSinceEpoch
    let units =
      switch frequency {
      case .yearly: time.date.year - start.date.year
      case .monthly: (time.date.year - start.date.year) * 12 + time.date.month - start.date.month
      case .weekly: days / 7
      case .daily: days
      default:
        Int(time.secondsSinceEpoch - start.secondsSinceEpoch) / (frequency.seconds ?? 1)
      }
    return units / interval
  }

  /// The first time of a period; nil beyond the years of the calendar.
  private func periodStart(_ number: Int, from start: CivilTime) -> CivilTime? {
    let (units, isBeyond) = number.multipliedReportingOverflow(by: interval)
    guard !isBeyond, units < 1 << 40 else { return nil }
    let day = start.date.daysSinceEpoch
    if let seconds = frequency.seconds {
      let first = Int(start.secondsSinceEpoch) / seconds * seconds
      return CivilTime(Timestamp(seconds: Int64(first + units * seconds)))
    }
    let date: CivilDate? =
      switch frequency {
      case .yearly: CivilDate(year: start.date.year + units, month: 1, day: 1)
      case .monthly:
        CivilDate(year: start.date.year, month: start.date.month, day: 1)?.adding(months: units)
      case .weekly: CivilDate(daysSinceEpoch: day - offset(of: start.date) + 7 * units)
      default: CivilDate(daysSinceEpoch: day + units)
      }
    return date.flatMap { $0.year < 10_000 ? CivilTime(date: $0) : nil }
  }

  /// The times of a period, and the number of the next one that may have some.
  private func times(
    from first: CivilTime, _ number: Int, _ start: CivilTime
  ) -> (times: [CivilTime], next: Int) {
    func values(_ part: String, else own: Int) -> [Int] { numbers[part] ?? [own] }
    let date = first.date
    var seconds: [Int] = []
    let length: Int
    if let unit = frequency.seconds {
      guard isDay(date, start.date) else {
        // The periods of the rest of the day have no times either.
        let skipped = (86_400 - first.secondOfDay + unit * interval - 1) / (unit * interval)
        return ([], number + max(1, skipped))
      }
      func isFree(_ part: String, _ value: Int) -> Bool { numbers[part]?.contains(value) ?? true }
      if isFree("BYHOUR", first.hour), frequency == .hourly || isFree("BYMINUTE", first.minute),
        frequency != .secondly || isFree("BYSECOND", first.second)
      {
        let minutes =
          frequency == .hourly ? values("BYMINUTE", else: start.minute) : [first.minute]
        for minute in minutes {
          let own = frequency == .secondly ? [first.second] : values("BYSECOND", else: start.second)
          seconds += own.map { first.hour * 3_600 + minute * 60 + min($0, 59) }
        }
      }
      length = 1
    } else {
      for hour in values("BYHOUR", else: start.hour) {
        for minute in values("BYMINUTE", else: start.minute) {
          for second in values("BYSECOND", else: start.second) {
            seconds.append(hour * 3_600 + minute * 60 + min(second, 59))
          }
        }
      }
      length =
        switch frequency {
        case .yearly: CivilDate.isLeap(date.year) ? 366 : 365
        case .monthly: CivilDate.days(inMonth: date.month, of: date.year)
        case .weekly: 7
        default: 1
        }
    }
    let order = Set(seconds).sorted()
    var times: [CivilTime] = []
    for day in 0..<length {
      let date = CivilDate(daysSinceEpoch: first.date.daysSinceEpoch + day)
      guard length == 1 && frequency.seconds != nil || isDay(date, start.date) else { continue }
      times += order.map { CivilTime(date: date, secondOfDay: $0) }
    }
    if let places = numbers["BYSETPOS"] {
      let indices = Set(places.map { $0 > 0 ? $0 - 1 : times.count + $0 })
      times = indices.sorted().filter(times.indices.contains).map { times[$0] }
    }
    return (times, number + 1)
  }

  /// Whether the parts about days let a day pass; those that are not given are those of the start.
  private func isDay(_ date: CivilDate, _ start: CivilDate) -> Bool {
    let isYearly = frequency == .yearly
    let yearLength = CivilDate.isLeap(date.year) ? 366 : 365
    let monthLength = CivilDate.days(inMonth: date.month, of: date.year)
    func fits(_ part: String, _ value: Int, of length: Int) -> Bool {
      numbers[part].map { $0.contains(value) || $0.contains(value - length - 1) } ?? true
    }
    guard numbers["BYMONTH"]?.contains(date.month) ?? true,
      fits("BYMONTHDAY", date.day, of: monthLength),
      fits("BYYEARDAY", date.dayOfYear, of: yearLength)
    else { return false }
    if numbers["BYWEEKNO"] != nil {
      let (week, count) = week(of: date)
      guard fits("BYWEEKNO", week, of: count) else { return false }
    }
    if !weekdays.isEmpty {
      let isOfYear = isYearly && numbers["BYMONTH"] == nil
      let (day, length) = isOfYear ? (date.dayOfYear, yearLength) : (date.day, monthLength)
      let hasPlaces = isYearly || frequency == .monthly
      return weekdays.contains { weekday in
        weekday.day == date.dayOfWeek
          && (weekday.place == 0 || !hasPlaces || weekday.place == (day + 6) / 7
            || weekday.place == -((length - day) / 7 + 1))
      }
    }
    if numbers["BYMONTHDAY"] != nil || numbers["BYYEARDAY"] != nil { return true }
    switch frequency {
    case .yearly where numbers["BYWEEKNO"] != nil: return date.dayOfWeek == start.dayOfWeek
    case .yearly:
      return date.day == start.day && (numbers["BYMONTH"] != nil || date.month == start.month)
    case .monthly: return date.day == start.day
    case .weekly: return date.dayOfWeek == start.dayOfWeek
    default: return true
    }
  }

  /// The days since the start of the week.
  private func offset(of date: CivilDate) -> Int { (date.dayOfWeek - weekStart + 7) % 7 }

  /// The number of the week, the first with four days of its year, and the weeks of that year.
  private func week(of date: CivilDate) -> (number: Int, count: Int) {
    func middle(_ date: CivilDate) -> CivilDate { date.adding(days: 3 - offset(of: date)) }
    let day = middle(date)
    let last = CivilDate(year: day.year, month: 12, day: 28).map(middle) ?? day
    return ((day.dayOfYear - 1) / 7 + 1, (last.dayOfYear - 1) / 7 + 1)
  }
}
