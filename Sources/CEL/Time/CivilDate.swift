/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Comparable, Sendable {
  /// The astronomical year; 0 is the year before 1.
  package let year: Int
  /// The month: 1 ... 12.
  package let month: Int
  /// The day of the month: 1 ... 31.
  package let day: Int

  /// Creates a date; nil if it does not exist, such as 30 February.
  package init?(year: Int, month: Int, day: Int) {
    guard (-5_000_000...5_000_000).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.days(inMonth: month, of: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the date a number of days after 1970-01-01.
  ///
  /// After Howard Hinnant, “chrono-compatible low-level date algorithms”: eras of 400 years, years beginning in March.
  package init(daysSinceEpoch days: Int) {
    let bounded = min(max(days, -1_800_000_000), 1_800_000_000)
    let shifted = bounded + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of days since 1970-01-01.
  package var daysSinceEpoch: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The day of the week: 0 for Sunday to 6 for Saturday.
  package var dayOfWeek: Int {
    let sinceSunday = (daysSinceEpoch + 4) % 7
    return sinceSunday < 0 ? sinceSunday + 7 : sinceSunday
  }

  /// The day of the year: 1 ... 366.
  package var dayOfYear: Int {
    let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334][month - 1]
    return before + day + (month > 2 && Self.isLeap(year) ? 1 : 0)
  }

  /// Compares by time.
  package static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// Returns whether a year has 366 days.
  package static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// Returns the number of days of a month, 1 ... 12.
  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since the last Monday: 0 for Monday to 6 for Sunday.
  package var daysSinceMonday: Int { (dayOfWeek + 6) % 7 }

  /// Returns the date some months and then some days later; the day is clamped to the length of the month.
  package func adding(days: Int = 0, months: Int = 0) -> CivilDate {
    let bound = 100_000_000
    let monthIndex = year * 12 + month - 1 + min(max(months, -bound), bound)
    let month = ((monthIndex % 12) + 12) % 12 + 1
    let year = (monthIndex - (month - 1)) / 12
    let day = min(day, CivilDate.days(inMonth: month, of: year))
    let moved = CivilDate(year: year, month: month, day: day) ?? self
    return CivilDate(daysSinceEpoch: moved.daysSinceEpoch + min(max(days, -bound), bound))
  }

  /// The ISO 8601 week and its year: week 1 contains the first Thursday.
  package var isoWeek: (year: Int, week: Int) {
    let thursday = adding(days: 3 - daysSinceMonday)
    return (thursday.year, (thursday.dayOfYear - 1) / 7 + 1)
  }
}
