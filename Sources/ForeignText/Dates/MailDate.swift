package import CEL

/// Dates in the format of mails and feeds (RFC 5322 §3.3).
package enum MailDate {
  /// Formats a timestamp in UTC, to the second; nil before 1900 and after 9999.
  package static func text(_ moment: Timestamp) -> String? {
    let time = TimeZoneRules.utc.civilTime(at: moment)
    let date = time.date
    guard (1900...9999).contains(date.year) else { return nil }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let weekday = CalendarNames.days[date.dayOfWeek].prefix(3)
    let month = CalendarNames.months[date.month - 1].prefix(3)
    return "\(weekday), \(two(date.day)) \(month) "
      + "\(date.year) \(two(time.hour)):\(two(time.minute)):\(two(time.second)) +0000"
  }

  /// Whether a text has a day, the English name of a month and a time, as programs write it.
  static func isWritten(_ text: [UInt8]) -> Bool {
    let words = text.prefix(100).split { !$0.isLetter && !$0.isDigit && $0 != 0x3A }
    return words.contains { $0.contains(0x3A) && $0.first?.isDigit == true }
      && words.contains { word in
        CalendarNames.months.contains {
          word.count >= 3 && word.elementsEqual($0.utf8.prefix(word.count))
        }
      }
  }
}
