/// The rule for times after the last transition of a TZif file: a POSIX `TZ` string such as
/// `CET-1CEST,M3.5.0,M10.5.0/3` (IEEE 1003.1, chapter 8.3; RFC 8536, section 3.3).
struct RecurringRule: Sendable {
  /// The day and time of a yearly transition.
  struct Change: Sendable {
    /// The forms of a yearly recurring day.
    enum Day: Sendable {
      /// Day of the year, 1 ... 365, not counting 29 February.
      case julian(Int)
      /// Day of the year, 0 ... 365, counting leap days.
      case ordinal(Int)
      /// A weekday (0 for Sunday) in a week (5 for the last) of a month.
      case weekday(month: Int, week: Int, day: Int)
    }

    /// The day.
    let day: Day
    /// Seconds after midnight in local time before the transition; may be negative or exceed the day.
    let time: Int

    /// Returns the local time of the transition in a year, in seconds since the epoch.
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

  /// The standard-time period.
  let standard: TimeZoneRules.Period
  /// The daylight-saving period with its yearly transitions; nil if there is none.
  let daylight: (period: TimeZoneRules.Period, start: Change, end: Change)?

  /// Returns the period in effect at a time.
  func period(at seconds: Int64) -> TimeZoneRules.Period {
    // The last transition at or before the time decides; the year before covers New Year.
    changes(around: seconds).filter { $0.at <= seconds }.max { $0.at < $1.at }?.period ?? standard
  }

  /// Returns the next transition after a time.
  func nextTransition(after seconds: Int64) -> Int64? {
    changes(around: seconds).lazy.map(\.at).filter { $0 > seconds }.min()
  }

  private func changes(
    around seconds: Int64
  ) -> [(at: Int64, period: TimeZoneRules.Period)] {
    guard let daylight else { return [] }
    let year = CivilTime(Timestamp(seconds: seconds), offset: standard.offset).date.year
    return (year - 1...year + 2).flatMap { year in
      [
        (daylight.start.localSeconds(in: year) - Int64(standard.offset), daylight.period),
        (daylight.end.localSeconds(in: year) - Int64(daylight.period.offset), standard),
      ]
    }
  }
}
