package import CEL

/// Times on days that recur: the days by a rule, the time by the clock or the sun.
package struct DaySchedule: Hashable, Sendable {
  /// A time of a day.
  package enum Time: Hashable, Sendable {
    /// Seconds from midnight.
    case clock(Int)
    /// What the sun tells at a place; nil for the place where the person is.
    case sun(SunTime, Coordinates?)
  }

  package let days: Recurrence
  /// The day from which the days count.
  package let start: CivilDate
  package let time: Time

  /// The day from which days count where nothing else is said.
  package static let epoch = CivilDate(daysSinceEpoch: 0)

  package init(_ days: Recurrence, from start: CivilDate = epoch, at time: Time) {
    self.days = days
    self.start = start
    self.time = time
  }

  /// Whether the place is wanted where the person is.
  package var needsPlace: Bool { if case .sun(_, nil) = time { true } else { false } }

  /// The first time after a moment; nil where there is none within about ten years.
  ///
  /// - Parameter home: where the person is, for the sun; without it no such time comes.
  package func next(
    after moment: Timestamp, in zone: TimeZoneRules, home: Coordinates? = nil
  ) -> Timestamp? {
    let today = zone.civilTime(at: moment).date.daysSinceEpoch
    return ((today - 1)..<(today + Recurrence.horizon)).lazy.compactMap { day -> Timestamp? in
      let date = CivilDate(daysSinceEpoch: day)
      guard days.contains(date, from: start) else { return nil }
      return moments(on: date, zone, home).filter { $0 > moment }.min()
    }.first { _ in true }
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

  /// The time of day in one spelling, with the place where it is given.
  package var timeText: String {
    switch time {
    case .clock(let second): TimeOfDay.text(ofSecond: second)
    case .sun(let time, nil): time.text
    case .sun(let time, let place?): "\(time.text) (\(place.text))"
    }
  }
}
