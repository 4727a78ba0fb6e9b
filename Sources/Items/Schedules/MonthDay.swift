import CEL

/// A day of a month: by its number, by its place among the days of the week or the working days, or
/// counted from the end.
package enum MonthDay: Hashable, Sendable {
  /// A day by its number, from 1 to 31; beyond the end of a month, its last day.
  case number(Int)
  /// A day counted from the end: 1 is the last one.
  case fromEnd(Int)
  /// The n-th day of the week, with Sunday as 0; -1 is the last one.
  case weekday(Int, place: Int)
  /// The n-th working day; -1 is the last one.
  case workday(place: Int)
  /// The day from Monday to Friday that is nearest to a day, within its month: `15W` of cron.
  case nearestWeekday(Int)

  /// The last day of a month.
  static let last = MonthDay.fromEnd(1)

  /// Whether a date is this day of its month.
  func contains(_ date: CivilDate, _ holidays: Holidays) -> Bool {
    let length = CivilDate.days(inMonth: date.month, of: date.year)
    switch self {
    case .number(let day): return date.day == min(day, length)
    case .fromEnd(let day): return date.day == length + 1 - day
    case .weekday(let weekday, let place):
      guard date.dayOfWeek == weekday else { return false }
      return place > 0 ? (date.day + 6) / 7 == place : (length - date.day + 7) / 7 == -place
    case .workday(let place):
      guard holidays.isWorkday(date) else { return false }
      // A month has at most 31 days, so they are counted.
      let days = place > 0 ? 1...date.day : date.day...length
      let first = date.daysSinceEpoch - date.day
      let count = days.count { holidays.isWorkday(CivilDate(daysSinceEpoch: first + $0)) }
      return count == abs(place)
    case .nearestWeekday(let day):
      guard day <= length, let wanted = CivilDate(year: date.year, month: date.month, day: day)
      else { return false }
      let shift =
        switch wanted.dayOfWeek {
        case 6: day == 1 ? 2 : -1
        case 0: day == length ? -2 : 1
        default: 0
        }
      return date.day == day + shift
    }
  }

  /// The same kind of day at another place; nil for one beyond its bounds.
  func at(_ place: Int) -> MonthDay? {
    switch self {
    case .number, .fromEnd, .nearestWeekday: (1...31).contains(place) ? .number(place) : nil
    case .weekday(let weekday, _): (1...5).contains(place) ? .weekday(weekday, place: place) : nil
    case .workday: (1...23).contains(place) ? .workday(place: place) : nil
    }
  }

  /// The canonical text, such as `15`, `last`, `2nd tuesday` or `last workday`.
  var text: String {
    switch self {
    case .number(let day): "\(day)"
    case .fromEnd(1): "last"
    case .fromEnd(let day): "\(Self.ordinal(day)) last"
    case .weekday(let weekday, let place):
      Self.placeText(place) + " " + CalendarNames.days[weekday].lowercased()
    case .workday(let place): Self.placeText(place) + " workday"
    case .nearestWeekday(let day): "weekday nearest to \(day)"
    }
  }

  private static func placeText(_ place: Int) -> String {
    place > 0 ? ordinal(place) : place == -1 ? "last" : ordinal(-place) + " last"
  }

  /// The English ordinal of a number, such as `2nd`.
  static func ordinal(_ number: Int) -> String {
    switch (number % 10, number % 100) {
    case (_, 11...13): "\(number)th"
    case (1, _): "\(number)st"
    case (2, _): "\(number)nd"
    case (3, _): "\(number)rd"
    default: "\(number)th"
    }
  }

  /// The order in texts: by number, from the end, days of the week, working days.
  var order: [Int] {
    switch self {
    case .number(let day): [0, day]
    case .fromEnd(let day): [1, -day]
    case .weekday(let weekday, let place): [2, place > 0 ? place : 100 + place, (weekday + 6) % 7]
    case .workday(let place): [3, place > 0 ? place : 100 + place]
    case .nearestWeekday(let day): [4, day]
    }
  }
}

// MARK: - Reading

extension MonthDay {
  /// Takes a day of a month off the front of words, such as `15th`, `last`, `2nd last`, `first monday`
  /// or `last working day`; nil if they begin with something else.
  static func take(from words: inout ArraySlice<String>) -> MonthDay? {
    guard let first = words.first, let place = place(first) else { return nil }
    var rest = words.dropFirst()
    // `15` alone is a number, and only `2nd` counts something.
    if first.allSatisfy(\.isNumber) {
      guard place <= 31 else { return nil }
      words = rest
      return .number(place)
    }
    let isFromEnd = first == "last" || rest.first == "last"
    if first != "last", isFromEnd { rest = rest.dropFirst() }
    let signed = isFromEnd ? -place : place
    if let word = rest.first {
      if let weekday = CalendarNames.dayOfWeek(named: word) {
        guard abs(signed) <= 5 else { return nil }
        words = rest.dropFirst()
        return .weekday(weekday, place: signed)
      }
      let isTwoWords =
        ["working", "business", "work"].contains(word) && rest.dropFirst().first == "day"
      if ["workday", "weekday"].contains(word) || isTwoWords {
        guard abs(signed) <= 23 else { return nil }
        words = rest.dropFirst(isTwoWords ? 2 : 1)
        return .workday(place: signed)
      }
      if word == "day" { rest = rest.dropFirst() }
    }
    // “every second” may be anything.
    if signed > 1, rest == words.dropFirst(), places[first] != nil { return nil }
    guard abs(signed) <= 31 else { return nil }
    words = rest
    return signed > 0 ? .number(signed) : .fromEnd(-signed)
  }

  private static let places = [
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": 1,
  ]

  /// The number that a word counts with: `15`, `15th`, `third`; nil for other words.
  static func place(_ word: String) -> Int? {
    if let place = places[word] { return place }
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    guard ["", "st", "nd", "rd", "th", "."].contains(String(word[digits.endIndex...])),
      let number = digits.decimal(digits: 1...2), number > 0
    else { return nil }
    return number
  }
}

/// A day of a year: a month, and a day of it.
package struct YearDay: Hashable, Sendable {
  let month: Int
  let day: MonthDay

  /// Whether a year has it: 30 February never comes.
  var exists: Bool {
    if case .number(let day) = day { day <= CivilDate.days(inMonth: month, of: 2000) } else { true }
  }

  /// The canonical text, such as `29 feb` or `last friday of november`.
  var text: String {
    let name = CalendarNames.months[month - 1].lowercased()
    if case .number(let day) = day { return "\(day) \(name)" }
    return "\(day.text) of \(name)"
  }
}
