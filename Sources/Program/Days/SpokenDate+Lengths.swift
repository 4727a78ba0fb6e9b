import CEL
import Items
import Phrases

/// A length of time as it is said: months and days of the calendar, and seconds.
struct SpokenLength {
  private(set) var months = 0
  private(set) var days = 0
  private(set) var seconds: Int64 = 0

  /// Whether it consists of whole days.
  var isOfDays: Bool { seconds == 0 }

  /// Adds a number of units such as `d`, `mo` or `15m`; false for a part of a month or of a second.
  fileprivate mutating func add(_ number: Double, _ unit: String) -> Bool {
    let digits = unit.prefix { $0.isNumber }
    let count = number * (Double(digits) ?? 1)
    func whole(_ number: Double) -> Int? {
      abs(number - number.rounded()) < 1e-6 ? Int(number.rounded()) : nil
    }
    switch unit[digits.endIndex...] {
    case "y", "mo":
      guard let whole = whole(unit.hasSuffix("y") ? 12 * count : count) else { return false }
      months += whole
    case "w", "d":
      let all = unit.hasSuffix("w") ? 7 * count : count
      days += Int(all)
      guard let rest = whole((all - all.rounded(.towardZero)) * 86_400) else { return false }
      seconds += Int64(rest)
    case "h", "m":
      guard let whole = whole(count * (unit.hasSuffix("h") ? 3_600 : 60)) else { return false }
      seconds += Int64(whole)
    default: return false
    }
    return true
  }
}

extension SpokenDate {
  /// Reads a length such as `one and a half hours`, `2 Stunden und 30 Minuten` or `une heure et demie`; nil
  /// for other words.
  func length(_ text: String) -> SpokenLength? {
    var rest = text[...]
    var length = SpokenLength()
    var last: String?
    while !rest.isEmpty {
      if last != nil { _ = Self.plus.contains { take($0, from: &rest) } }
      // `quinze jours` and `hora y media` have their number.
      var after = rest
      if let unit = take(words.units, from: &after) {
        let isMany = unit.first?.isNumber ?? false
        guard isMany || take(dayWords.halves, from: &after) != nil,
          length.add(isMany ? 1 : 1.5, unit)
        else { return nil }
        (rest, last) = (after, unit)
        continue
      }
      guard var number = count(from: &rest) else { return nil }
      if take(dayWords.halves, from: &rest) != nil { number += 0.5 }
      // `1 h 30`
      let isRest = last == "h" && rest.isEmpty && number < 60
      guard let unit = take(words.units, from: &rest) ?? (isRest ? "m" : nil) else { return nil }
      if take(dayWords.halves, from: &rest) != nil { number += 0.5 }
      guard length.add(number, unit) else { return nil }
      last = unit
    }
    return last == nil ? nil : length
  }

  /// Words between the parts of a length.
  private static let plus = ["and", "und", "et", "y"]

  /// The value of the longest key of a table that a text begins with, and the text after it.
  private func take<Value>(_ table: [String: Value], from rest: inout Substring) -> Value? {
    let start = rest
    let keys = table.keys.filter { start.hasPrefix($0) }.sorted { $0.count > $1.count }
    for key in keys where take(key, from: &rest) { return table[key] }
    return nil
  }

  private func take(_ word: String, from rest: inout Substring) -> Bool {
    guard !word.isEmpty, rest.hasPrefix(word) else { return false }
    let after = rest.dropFirst(word.count)
    guard isDense || after.first.map({ $0 == " " || $0.isNumber }) ?? true else { return false }
    rest = after.drop { $0 == " " }
    return true
  }

  /// A number in digits or words.
  private func count(from rest: inout Substring) -> Double? {
    let digits = rest.prefix { $0.isASCII && ($0.isNumber || ".,".contains($0)) }
    if digits.first?.isNumber ?? false {
      rest = rest.dropFirst(digits.count).drop { $0 == " " }
      return Double(digits.replacing(",", with: ".")).flatMap { $0 < 10_000 ? $0 : nil }
    }
    return take(dayWords.counts, from: &rest) ?? take(numbers, from: &rest)
  }

  /// Reads a length from now, such as `in two weeks` or `3 days from now`; nil for other words.
  func lengthFromNow(_ text: String) -> SpokenLength? {
    if isDense {
      let rest = text.hasSuffix("に") ? String(text.dropLast()) : text
      return rest.hasSuffix("後") ? length(String(rest.dropLast())) : nil
    }
    var rest = text[...]
    if let end = words.fromNow.first(where: { text.hasSuffix(" " + $0) }) {
      return length(String(rest.dropLast(end.count + 1)))
    }
    guard words.inWords.contains(where: { take($0, from: &rest) }) else { return nil }
    if language.code == "es" { _ = take("de", from: &rest) }
    return length(String(rest))
  }

  /// The day that is a length after another; nil unless it is one of days.
  func day(_ length: SpokenLength?, after day: CivilDate) -> CivilDate? {
    length.flatMap { $0.isOfDays ? day.adding(days: $0.days, months: $0.months) : nil }
  }

  /// The local time after a length from now that has hours or minutes.
  func time(after length: SpokenLength) -> CivilTime? {
    var start = now
    start.date = today.adding(days: length.days, months: length.months)
    return zone.moment(of: start).adding(DurationValue(seconds: length.seconds))
      .map { CalendarUnit.minute.start(of: zone.time(at: $0)) }
  }

  /// Reads a duration, in the form of the command line; nil if the text is not a duration.
  package func duration(_ text: String) -> String? {
    if let length = spokenLength(text), length.months == 0 {
      return DurationText.text(
        for: DurationValue(seconds: Int64(length.days) * 86_400 + length.seconds))
    }
    return DurationReader.duration(text) == nil ? nil : text
  }

  /// Reads a period of days or months, in the form of the command line; nil if the text is not one.
  package func period(_ text: String) -> String? {
    guard let length = spokenLength(text), length.isOfDays else { return Period(text)?.text }
    return Period("\(length.months)mo\(length.days)d")?.text
  }

  /// Reads a reminder such as `2 Std. vorher`, in the form of the command line; nil if the text is not one.
  func reminder(_ text: String) -> String? {
    let text = Self.tokens(text).joined(separator: gap)
    let end = dayWords.before.keys.filter { text.hasSuffix(gap + $0) }.max { $0.count < $1.count }
    guard let end, let length = length(String(text.dropLast(end.count + gap.count))) else {
      return nil
    }
    let seconds = length.seconds + (length.isOfDays ? 0 : Int64(length.days) * 86_400)
    guard seconds == 0 || length.months == 0 else { return nil }
    return ReminderRule(seconds > 0 ? "\(seconds)s" : "\(length.months)mo\(length.days)d")?.text
  }

  private func spokenLength(_ text: String) -> SpokenLength? {
    guard text.utf8.count <= Self.longest else { return nil }
    return length(Self.tokens(text).joined(separator: isDense ? "" : " "))
  }
}
