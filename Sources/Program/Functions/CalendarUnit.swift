package import CEL

/// A unit of the calendar or the clock, by the name that `startOf` takes.
package enum CalendarUnit: String, CaseIterable, Sendable {
  case second, minute, hour, day, week, month, quarter, year

  /// What the wall showed when the unit began in which a time lies; weeks begin on Monday.
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
