extension CivilDate {
  /// Days since the last Monday: 0 for Monday to 6 for Sunday.
  package var daysSinceMonday: Int { (dayOfWeek + 6) % 7 }

  /// The day some months and then some days later; a day that the month lacks is its last.
  package func adding(days: Int = 0, months: Int = 0) -> CivilDate {
    let bound = 100_000_000
    let monthIndex = year * 12 + month - 1 + min(max(months, -bound), bound)
    let month = ((monthIndex % 12) + 12) % 12 + 1
    let year = (monthIndex - (month - 1)) / 12
    let day = min(day, CivilDate.days(inMonth: month, of: year))
    let moved = CivilDate(year: year, month: month, day: day) ?? self
    return CivilDate(daysSinceEpoch: moved.daysSinceEpoch + min(max(days, -bound), bound))
  }

  /// The week of ISO 8601 and the year that it belongs to: week 1 holds the first Thursday.
  package var isoWeek: (year: Int, week: Int) {
    let thursday = adding(days: 3 - daysSinceMonday)
    return (thursday.year, (thursday.dayOfYear - 1) / 7 + 1)
  }
}
