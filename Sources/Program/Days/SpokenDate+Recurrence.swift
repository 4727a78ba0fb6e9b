import CEL
import Items

/// Rules of repetition.
extension SpokenDate {
  /// Reads a recurrence such as `jeden Montag` or `le dernier vendredi de chaque mois`, in the form of the
  /// command line; nil if the text is not one.
  package func recurrence(_ text: String) -> String? {
    guard text.utf8.count <= Self.longest else { return nil }
    if isDense { return denseRecurrence(Self.plain(text)) }
    let tokens = Self.tokens(text)
    if tokens.contains(where: words.every.contains) { return rule(tokens) }
    // `weekly on friday`
    if tokens.count > 1, let code = dayWords.rules[tokens[0]], code.hasPrefix("every "),
      let rule = rule(Array(tokens.dropFirst()), of: String(code.dropFirst(6)))
    {
      return rule
    }
    return isHabit(tokens) ? rule(tokens) : nil
  }

  /// The rule of `every morning`, and its part of the day, as in `daily` and `every morning`; nil for others.
  func shortRule(_ text: String) -> (rule: String, part: String)? {
    guard let code = dayWords.rules[text]?.split(separator: ";") else { return nil }
    return valid(String(code[0])).map { ($0, code.count > 1 ? String(code[1]) : "") }
  }

  /// Whether days of the week are those of all weeks, as in `mondays`, `montags` and `los lunes`.
  private func isHabit(_ tokens: [String]) -> Bool {
    let named = tokens.filter { !words.and.contains($0) }
    if let habit = dayWords.habit {
      return named.first == habit && named.count > 1 && named.dropFirst().allSatisfy(isWeekday)
    }
    let days = ["on", "am"].contains(named.first) ? named.dropFirst() : named[...]
    return !days.isEmpty && days.allSatisfy { dayOfWeek($0) == nil && isWeekday($0) }
  }

  private func isWeekday(_ token: String) -> Bool {
    dayOfWeek(token) != nil || token.hasSuffix("s") && dayOfWeek(String(token.dropLast())) != nil
  }

  /// The one day of a month that words name, as a rule; nil for a bare number and other words.
  func rule(ofMonth text: String) -> Recurrence? {
    let tokens = Self.tokens(text)
    if !isDense, tokens.count == 1, Int(text) != nil || words.ordinals[text] != nil { return nil }
    let rule =
      isDense
      ? denseRecurrence("毎月" + (text.hasSuffix("の") ? String(text.dropLast()) : text))
      : self.rule(tokens, of: "month")
    guard let rule, rule.hasPrefix("every month on "), !rule.contains(",") else { return nil }
    return Recurrence(rule)
  }

  /// The rule of words, perhaps with a given unit.
  private func rule(_ tokens: [String], of given: String? = nil) -> String? {
    var unit = given
    var count: Int?
    var days: [String] = []
    for (place, token) in tokens.enumerated() {
      let previous = place > 0 ? tokens[place - 1] : ""
      if let code = words.units[token], let name = Self.unitNames[code] {
        let isCounted = !words.before.contains(previous)
        let isOfMonth =
          given == "month" || tokens[(place + 1)...].contains { words.units[$0] == "mo" }
        if code == "d", isOfMonth, days.last?.hasSuffix("th") == true || days.last == "last" {
          continue
        }
        guard unit == nil else { return nil }
        unit = name
        // A number right before the unit counts it.
        if isCounted,
          let number = Self.others.contains(previous)
            ? 2 : number(previous) ?? words.ordinals[previous].flatMap({ $0 > 0 ? $0 : nil })
        {
          count = number
          if days.popLast() == nil { return nil }
        }
      } else if words.and.contains(token), !days.isEmpty {
        days.append("and")
      } else if let day = recurringDay(token) {
        days.append(day)
      } else if !words.every.contains(token), !words.before.contains(token),
        !words.and.contains(token), !Self.fillers.contains(token)
      {
        return nil
      }
    }
    if unit == nil, days.count == 2, let mark = tokens.first(where: { !words.every.contains($0) }),
      Self.everyOther.contains(mark)
    {
      return valid("every 2 weeks on \(days[1])")
    }
    guard let unit else { return valid("every " + days.joined(separator: " ")) }
    let units = count.map { "\($0) \(unit)s" } ?? unit
    return valid("every \(units)" + (days.isEmpty ? "" : " on " + days.joined(separator: " ")))
  }

  /// The canonical text of a rule if it is one.
  private func valid(_ rule: String) -> String? { Recurrence(rule)?.text }

  /// The word of the command line for a day of the week, a month, a working day or a place among them;
  /// nil for other words.
  private func recurringDay(_ token: String) -> String? {
    if let day = dayOfWeek(token)
      ?? (token.hasSuffix("s") ? dayOfWeek(String(token.dropLast())) : nil)
    {
      return CalendarNames.days[day].lowercased()
    }
    if Self.workdays.contains(token) { return "workday" }
    if let place = words.ordinals[token] { return place < 0 ? "last" : "\(place)th" }
    if let month = month(token) { return CalendarNames.months[month - 1].lowercased() }
    if Self.others.contains(token) { return "2" }
    return (dayOfMonth(token, isPlaced: true) ?? number(token)).map { "\($0)" }
  }

  /// Words within a rule that say nothing more, besides those before a date.
  static let fillers: Set = [
    "of", "in", "the", "im", "des", "de", "du", "del", "les", "los",
  ]

  /// Words for a working day.
  static let workdays: Set = [
    "workday", "workdays", "weekday", "weekdays", "werktag", "werktags", "arbeitstag",
    "arbeitstags",
    "werktage", "arbeitstage",
  ]

  /// Reads `毎週月曜日`, `毎月第2火曜日`, `毎月末` or `毎年12月24日`.
  private func denseRecurrence(_ text: String) -> String? {
    var text = text
    if let last = text.last, "のにはも".contains(last) { text.removeLast() }
    if text == "隔週" { return "every 2 weeks" }
    if text.hasPrefix("隔週"), let day = daysOfWeek(dense: text.dropFirst(2)) {
      return "every 2 weeks on \(day)"
    }
    for end in ["ごと", "ごとに"] where text.hasSuffix(end) {
      guard let length = dense(text.dropLast(end.count)), let unit = Self.unitNames[length.unit]
      else {
        return nil
      }
      return valid("every \(length.count) \(unit)s")
    }
    guard text.hasPrefix("毎") else { return nil }
    let rest = text.dropFirst()
    if rest == "日" { return "every day" }
    if rest == "週" || rest == "月" || rest == "年" {
      return "every " + (rest == "週" ? "week" : rest == "月" ? "month" : "year")
    }
    let days = rest.dropFirst()
    switch rest.first {
    case "週": return daysOfWeek(dense: days).flatMap { valid("every " + $0) }
    case "月":
      if days == "末" || days == "の最終日" { return "every month on last" }
      if days.hasSuffix("日"), let day = Int(days.dropLast()) {
        return valid("every month on \(day)")
      }
      var named = days
      var place: String?
      for last in ["最後の", "最終"] where named.hasPrefix(last) {
        named = named.dropFirst(last.count)
        place = "last"
      }
      if named.hasPrefix("第"), let number = named.dropFirst().first?.wholeNumberValue {
        named = named.dropFirst(2)
        place = "\(number)th"
      }
      guard let place, let day = named == "営業日" ? "workday" : daysOfWeek(dense: named) else {
        return nil
      }
      return valid("every month on \(place) \(day)")
    case "年":
      let parts = days.split(separator: "月", maxSplits: 1)
      guard parts.count == 2, parts[1].hasSuffix("日"), let month = Int(parts[0]),
        (1...12).contains(month), let day = Int(parts[1].dropLast())
      else { return nil }
      return valid("every year on \(day) \(CalendarNames.months[month - 1].lowercased())")
    default: return nil
    }
  }

  /// The days of the week of `火曜日と金曜日`, as the command line names them.
  private func daysOfWeek(dense text: Substring) -> String? {
    let days = text.split { "と、・".contains($0) }.map { dayOfWeek(dense: $0) }
    guard !days.isEmpty, !days.contains(nil) else { return nil }
    return days.compactMap { $0.map { CalendarNames.days[$0].lowercased() } }.joined(
      separator: ", ")
  }

  /// Words for the second one each time, as in `every other tuesday` and `jeden zweiten Dienstag`.
  private static let everyOther: Set = ["other", "zweiten", "zweite", "zweiter", "zweites"]

  /// Words for the second one each time before a unit, as in `every second week`.
  private static let others: Set = everyOther.union(["second", "2nd"])

  private static let unitNames = ["d": "day", "w": "week", "mo": "month", "y": "year"]
}
