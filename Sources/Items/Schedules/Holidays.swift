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

  /// Reads the days at the beginnings of lines, as in `2026-12-25 Christmas`, or days with commas between
  /// them; nil if another text stands there.
  package init?(_ text: String) {
    func day(_ text: Substring) -> CivilDate? {
      let words = text.split(whereSeparator: \.isWhitespace)
      return words.count == 1 ? CivilDate(iso8601: String(words[0])) : nil
    }
    var dates: [CivilDate] = []
    for line in text.split(whereSeparator: \.isNewline) {
      let pieces = line.split(separator: ",").map(day)
      if !pieces.contains(nil) {
        dates += pieces.compactMap { $0 }
        continue
      }
      let words = line.split(maxSplits: 2, whereSeparator: \.isWhitespace)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      guard let date = CivilDate(iso8601: String(first)),
        words.count < 2 || CivilDate(iso8601: String(words[1])) == nil
      else { return nil }
      dates.append(date)
    }
    self.init(dates)
  }
}
