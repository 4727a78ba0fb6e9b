package import CEL

/// Days on which nobody works, besides weekends.
package struct Holidays: Hashable, Sendable {
  /// The days since the epoch.
  private let days: Set<Int>

  /// No holidays.
  package static let none = Holidays([])
  /// Advice if the person's holidays are not known.
  package static let help = "errand settings set holidays ~/holidays.ics"

  package init(_ dates: some Sequence<CivilDate>) {
    days = Set(dates.map(\.daysSinceEpoch))
  }

  /// Whether a day is one of them.
  package func contains(_ date: CivilDate) -> Bool { days.contains(date.daysSinceEpoch) }

  /// Whether a day is from Monday to Friday and no holiday.
  package func isWorkday(_ date: CivilDate) -> Bool {
    Recurrence.workdays.contains(date.dayOfWeek) && !contains(date)
  }

  /// Reads the days at the beginnings of lines, as in `2026-12-25 Christmas`, or separated by commas; nil
  /// if another text stands there.
  package init?(_ text: String) {
    var dates: [CivilDate] = []
    for line in text.split(whereSeparator: { $0.isNewline || $0 == "," }) {
      guard let word = line.split(whereSeparator: \.isWhitespace).first, !word.hasPrefix("#") else {
        continue
      }
      guard let date = CivilDate(iso8601: String(word)) else { return nil }
      dates.append(date)
    }
    self.init(dates)
  }
}
