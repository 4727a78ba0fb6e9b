/// A calendar day with its number for calculations.
struct Day: Comparable {
  /// The days since 1970-01-01.
  let number: Int
  let year: Int
  let month: Int
  let day: Int

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let longMonths = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let weekdays = [
    "Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday",
  ]

  /// Parses the start of a text such as `2026-11-23T18:35`; nil if it is not a date.
  init?(_ text: String) {
    let bytes = Array(text.utf8.prefix(10))
    guard bytes.count == 10, let year = Int(text.prefix(4)),
      let month = Int(text.dropFirst(5).prefix(2)), let day = Int(text.dropFirst(8).prefix(2)),
      (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    // Days of the Gregorian calendar from March on, so that a leap day is a year's last.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let ofEra = shifted - era * 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    number = era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }

  /// The day as in the library, such as `2026-11-23`.
  var text: String {
    let digits = [year / 1000 % 10, year / 100 % 10, year / 10 % 10, year % 10]
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(digits.map(String.init).joined())-\(two(month))-\(two(day))"
  }

  /// The name of the weekday.
  var weekday: String { Self.weekdays[((number % 7) + 7) % 7] }

  /// The number of days since Monday.
  var daysSinceMonday: Int { (((number + 3) % 7) + 7) % 7 }

  /// The day without its year, such as `17 Nov`.
  var date: String { "\(day) \(Self.months[month - 1])" }

  /// The day in full, such as `Monday 23 November 2026`.
  var title: String { "\(weekday) \(day) \(Self.longMonths[month - 1]) \(year)" }

  static func < (left: Day, right: Day) -> Bool { left.number < right.number }

  static func == (left: Day, right: Day) -> Bool { left.number == right.number }

  /// The day in words, from another day: `Today`, `Yesterday`, `Friday`, `17 Nov`, `12 Sep 2024`.
  func words(from today: Day) -> String {
    switch number - today.number {
    case 0: "Today"
    case 1: "Tomorrow"
    case -1: "Yesterday"
    case 2...6: weekday
    default:
      date + (year == today.year ? "" : " \(year)")
    }
  }

  /// The group of a list that the day belongs to.
  func group(from today: Day) -> String {
    switch today.number - number {
    case ...0: "Today"
    case 1: "Yesterday"
    case 2...6: "Last 7 days"
    default: year == today.year ? Self.longMonths[month - 1] : "\(year)"
    }
  }

  /// The time of day of a text such as `2026-11-23T18:35`; nil for a day alone.
  static func time(_ text: String) -> String? {
    text.utf8.count >= 16 ? String(text.dropFirst(11).prefix(5)) : nil
  }

  /// A due day in words, perhaps with its time: `Today`, `Friday 17:00`, `2 days late`.
  func due(from today: Day, at time: String? = nil) -> String {
    let late = today.number - number
    if late > 0 { return late == 1 ? "1 day late" : "\(late) days late" }
    return words(from: today) + (time.map { " \($0)" } ?? "")
  }
}
