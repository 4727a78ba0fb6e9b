package import CEL

/// Times on recurring days: the days by a rule, the time by the clock or the sun.
package struct DaySchedule: Hashable, Sendable {
  /// The time of day.
  package enum Time: Hashable, Sendable {
    /// Seconds after midnight.
    case clock(Int)
    /// A sun event at a place; nil for the person's location.
    case sun(SunTime, Coordinates?)
  }

  package let days: Recurrence
  /// The reference day for counting intervals.
  package let start: CivilDate
  package let time: Time

  /// The default reference day.
  package static let epoch = CivilDate(daysSinceEpoch: 0)

  package init(_ days: Recurrence, from start: CivilDate = epoch, at time: Time) {
    self.days = days
    self.start = start
    self.time = time
  }

  /// Whether the person's location is required.
  package var needsPlace: Bool { if case .sun(_, nil) = time { true } else { false } }

  /// Whether it depends on holidays.
  package var needsHolidays: Bool { days.skipsHolidays }

  /// Returns the first time after a moment; nil if there is none within a century.
  ///
  /// - Parameter home: The person's location for sun events; without it, they do not occur.
  package func next(
    after moment: Timestamp, in zone: TimeZoneRules, home: Coordinates? = nil,
    _ holidays: Holidays = .none
  ) -> Timestamp? {
    let end = zone.civilTime(at: moment).date.adding(days: Recurrence.horizon)
    var day = zone.civilTime(at: moment).date.adding(days: -2)
    // The sun stays above or below the horizon for at most half a year.
    for _ in 0..<400 {
      guard let date = days.next(after: day, from: start, holidays), date < end else { return nil }
      if let next = moments(on: date, zone, home).filter({ $0 > moment }).min() { return next }
      day = date
    }
    return nil
  }

  private func moments(
    on date: CivilDate, _ zone: TimeZoneRules, _ home: Coordinates?
  ) -> [Timestamp] {
    switch time {
    case .clock(let second):
      return [zone.timestamp(of: CivilTime(date: date, secondOfDay: second))]
    case .sun(let time, let place):
      return (place ?? home).map { time.moments(on: date, in: zone, at: $0) } ?? []
    }
  }

  /// The canonical text of the time of day, with the place if given.
  package var timeText: String {
    switch time {
    case .clock(let second): TimeOfDay.text(ofSecond: second)
    case .sun(let time, nil): time.text
    case .sun(let time, let place?): "\(time.text) (\(place.text))"
    }
  }
}
