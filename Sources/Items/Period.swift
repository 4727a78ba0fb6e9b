/// A calendar period of months and days, whose length in time varies.
package struct Period: Hashable, Sendable {
  /// The months, including twelve for each year.
  package private(set) var months = 0
  /// The days, including seven for each week.
  package private(set) var days = 0

  /// Examples for messages and help.
  package static let examples = "1d, 2w, 1mo, 1y6mo"

  /// Parses `1mo`, `1y6mo`, `-2w` or `3 months`; nil for any other text.
  package init?(_ text: String) {
    guard text.utf8.count <= 64 else { return nil }
    var rest = text.lowercased().filter { !$0.isWhitespace }[...]
    let sign = rest.hasPrefix("-") ? -1 : 1
    if sign < 0 || rest.hasPrefix("+") { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      let unit = rest[digits.endIndex...].prefix { $0.isLetter }
      rest = rest[unit.endIndex...]
      guard (1...6).contains(digits.utf8.count), let count = Int(digits) else { return nil }
      switch unit {
      case "y", "year", "years": months += sign * 12 * count
      case "mo", "month", "months": months += sign * count
      case "w", "week", "weeks": days += sign * 7 * count
      case "d", "day", "days": days += sign * count
      default: return nil
      }
    }
  }

  /// The canonical form: years, months, and weeks or days, without zero parts.
  package var text: String {
    guard months != 0 || days != 0 else { return "0d" }
    // Both have the same sign, that of the parsed text.
    let isWeeks = days % 7 == 0
    let parts = [
      (abs(months) / 12, "y"), (abs(months) % 12, "mo"),
      (isWeeks ? abs(days) / 7 : abs(days), isWeeks ? "w" : "d"),
    ]
    return (min(months, days) < 0 ? "-" : "")
      + parts.filter { $0.0 != 0 }.map { "\($0.0)\($0.1)" }.joined()
  }
}
