package import CEL

/// A unit of the calendar or clock, by its name in `startOf`.
package enum CalendarUnit: String, CaseIterable, Sendable {
  case second, minute, hour, day, week, month, quarter, year

  /// Whether it begins with a day.
  package var isOfDays: Bool { ![.second, .minute, .hour].contains(self) }

  /// The local start of the unit that contains a time; weeks start on Monday.
  package func start(of time: CivilTime) -> CivilTime {
    switch self {
    case .second: CivilTime(date: time.date, secondOfDay: time.secondOfDay)
    case .minute: CivilTime(date: time.date, secondOfDay: time.secondOfDay / 60 * 60)
    case .hour: CivilTime(date: time.date, secondOfDay: time.secondOfDay / 3_600 * 3_600)
    case .day: CivilTime(date: time.date)
    case .week: CivilTime(date: time.date.adding(days: -time.date.daysSinceMonday))
    case .month: CivilTime(date: time.date.adding(days: 1 - time.date.day))
    case .quarter:
      CivilTime(
        date: time.date.adding(days: 1 - time.date.day, months: -((time.date.month - 1) % 3)))
    case .year: CivilTime(date: time.date.adding(days: 1 - time.date.dayOfYear))
    }
  }
}
