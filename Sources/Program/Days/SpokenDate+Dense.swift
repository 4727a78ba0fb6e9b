import CEL

/// Dates in Japanese, which has no spaces between words.
extension SpokenDate {
  /// Reads a date; nil for another text.
  func denseDate(_ text: String) -> CivilDate? {
    var text = text
    for ending in ["までに", "まで", "から", "に", "の", "は"] where text.hasSuffix(ending) {
      text.removeLast(ending.count)
      break
    }
    if let days = words.days[text] { return today.adding(days: days) }
    if let date = relative([text]) { return date }
    for prefix in ["次の", "今度の"] where text.hasPrefix(prefix) { text.removeFirst(prefix.count) }
    return dayOfWeek(dense: text[...]).map(next) ?? numbered(dense: text)
  }

  /// `12月4日`, `2026年12月4日` or `12/4`.
  func numbered(dense text: String) -> CivilDate? {
    if text.contains("/") { return numeric(text, isPlaced: true) }
    var rest = text[...]
    func take(_ mark: Character) -> Int? {
      guard let end = rest.firstIndex(of: mark) else { return nil }
      defer { rest = rest[rest.index(after: end)...] }
      return number(String(rest[..<end]))
    }
    let hasYear = rest.contains("年")
    let year = take("年")
    guard hasYear == (year != nil), let month = take("月"), let day = take("日"), rest.isEmpty else {
      return CivilDate(iso8601: text)
    }
    return (year.map { $0...$0 } ?? today.year...(today.year + 8)).lazy
      .compactMap { CivilDate(year: $0, month: month, day: day) }
      .first { year != nil || $0 >= today }
  }

  /// The day of the week of `火曜日`, `火曜` or `（火）`.
  func dayOfWeek(dense text: Substring) -> Int? {
    if text.first == "(", text.last == ")" {
      return language.days.short.firstIndex { $0 == text.dropFirst().dropLast() }
    }
    return language.days.wide.firstIndex { $0 == text || $0.dropLast() == text }
  }

  /// The count and the unit of `2週間`.
  func dense(_ text: Substring) -> (count: Int, unit: String)? {
    let unit = words.units.keys.filter(text.hasSuffix).max { $0.count < $1.count }
    guard let unit, let code = words.units[unit],
      let count = number(String(text.dropLast(unit.count)))
    else { return nil }
    return (count, code)
  }
}
