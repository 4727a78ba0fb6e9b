/// What a TZif file says of the far future: the `TZ` string of POSIX, such as
/// `CET-1CEST,M3.5.0,M10.5.0/3` (IEEE 1003.1, chapter 8.3; RFC 8536, section 3.3).
struct RecurringRule: Sendable {
  /// The day and time of a change, each year.
  struct Change: Sendable {
    /// The ways to name a day of every year.
    enum Day: Sendable {
      /// The day of the year, 1 ... 365; 29 February is not counted.
      case julian(Int)
      /// The day of the year, 0 ... 365, leap days counted.
      case ordinal(Int)
      /// The weekday (0 for Sunday) in the week (5 for the last) of a month.
      case weekday(month: Int, week: Int, day: Int)
    }

    /// The day.
    let day: Day
    /// Seconds after midnight on the clock before the change; may be negative or past the day.
    let time: Int

    /// Seconds since the epoch on the wall at which it happens in a year.
    func localSeconds(in year: Int) -> Int64 {
      Int64(dayNumber(in: year)) * 86_400 + Int64(time)
    }

    private func dayNumber(in year: Int) -> Int {
      let isLeap = CivilDate.isLeap(year)
      let newYear = CivilDate(year: year, month: 1, day: 1)?.daysSinceEpoch ?? 0
      switch day {
      case .julian(let day): return newYear + day - 1 + (isLeap && day >= 60 ? 1 : 0)
      case .ordinal(let day): return newYear + day
      case .weekday(let month, let week, let day):
        guard let first = CivilDate(year: year, month: month, day: 1) else { return newYear }
        var offset = (day - first.dayOfWeek + 7) % 7 + (week - 1) * 7
        let length = CivilDate.days(inMonth: month, of: year)
        while offset >= length { offset -= 7 }
        return first.daysSinceEpoch + offset
      }
    }
  }

  /// How clocks stand out of summer time.
  let standard: TimeZoneRules.Period
  /// How they stand in summer, from when and till when; nil when they never change.
  let daylight: (period: TimeZoneRules.Period, start: Change, end: Change)?

  /// How clocks stand at a moment.
  func period(at seconds: Int64) -> TimeZoneRules.Period {
    guard let daylight else { return standard }
    // The last change at or before the moment decides; the year before covers New Year.
    let year = CivilTime(Timestamp(seconds: seconds), offset: standard.offset).date.year
    var best: (at: Int64, period: TimeZoneRules.Period) = (.min, standard)
    for candidate in year - 1...year + 1 {
      let (start, end) = changes(in: candidate, daylight)
      if start <= seconds, start > best.at { best = (start, daylight.period) }
      if end <= seconds, end > best.at { best = (end, standard) }
    }
    return best.period
  }

  /// The next change after a moment.
  func nextTransition(after seconds: Int64) -> Int64? {
    guard let daylight else { return nil }
    let year = CivilTime(Timestamp(seconds: seconds), offset: standard.offset).date.year
    var next: Int64?
    for candidate in year - 1...year + 2 {
      let (start, end) = changes(in: candidate, daylight)
      for moment in [start, end] where moment > seconds { next = min(next ?? moment, moment) }
    }
    return next
  }

  private func changes(
    in year: Int, _ daylight: (period: TimeZoneRules.Period, start: Change, end: Change)
  ) -> (start: Int64, end: Int64) {
    (
      daylight.start.localSeconds(in: year) - Int64(standard.offset),
      daylight.end.localSeconds(in: year) - Int64(daylight.period.offset)
    )
  }
}
