package import CEL
import ForeignText

/// Parses dates of pages, documents and feeds, in all forms that people write.
package struct PageDate {
  /// Converts local time to a timestamp, for dates without a time zone.
  let moment: @Sendable (CivilTime) -> Timestamp

  package init(moment: @escaping @Sendable (CivilTime) -> Timestamp) {
    self.moment = moment
  }

  /// Parses a date; nil if it cannot be determined.
  package func timestamp(_ text: String?) -> Timestamp? {
    text.flatMap { ForeignDate($0) }?.moment(local: moment)
  }

  /// Parses a text that is only a date, in any of the forms used in feeds.
  package func timestamp(ofFeed text: String?) -> Timestamp? {
    text.flatMap { ForeignDate(feed: $0) }?.moment(local: moment)
  }

  /// Parses a date within a line of other words; nil if its day or year is missing.
  func shown(_ line: String, isDayFirst: Bool) -> Timestamp? {
    let numbers = Self.numbers(line)
    guard numbers.count > 1, let date = ForeignDate(line, isDayFirst: isDayFirst) else {
      return nil
    }
    let day = date.time.date
    guard (1990...2099).contains(day.year), numbers.contains(day.day),
      numbers.contains(day.year)
        || line.utf8.count < 80 && numbers.count < 5 && numbers.contains(day.year % 100)
    else { return nil }
    return date.moment(local: moment)
  }

  /// The numbers in a line, of at most four digits.
  private static func numbers(_ line: String) -> Set<Int> {
    Set(
      line.utf8.split { !$0.isDigit }.filter { $0.count <= 4 }.compactMap { Int(String($0) ?? "") })
  }
}
