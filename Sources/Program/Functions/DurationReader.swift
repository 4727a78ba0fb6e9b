package import CEL

/// Reads the lengths of time that people type: `90s`, `1h30m`, `2 days`, `1.5h`.
package enum DurationReader {
  /// What can be written, for messages and help.
  package static let examples = "90s, 1h30m, 2d, 1w"

  /// The length that a text means; nil when it means none.
  package static func duration(_ text: String) -> Duration? {
    guard text.utf8.count <= 64 else { return nil }
    let words = text.lowercased().replacing(",", with: " ").split(whereSeparator: \.isWhitespace)
    var rest = words.filter { $0 != "and" }.map { ["a", "an"].contains($0) ? "1" : $0 }.joined()[
      ...]
    let isNegative = rest.hasPrefix("-")
    if isNegative || rest.hasPrefix("+") { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return nil }
    if rest == "0" { return Duration(seconds: 0) }
    var total = Duration(seconds: 0)
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest[number.endIndex...]
      let name = rest.prefix { $0.isLetter }
      rest = rest[name.endIndex...]
      guard let (unit, times) = unit(named: name),
        let part = Duration(text: number + unit)?.totalNanoseconds
      else { return nil }
      let (nanoseconds, overflow) = part.multipliedReportingOverflow(by: times)
      guard !overflow, let sum = total.adding(Duration(totalNanoseconds: nanoseconds)) else {
        return nil
      }
      total = sum
    }
    return isNegative ? total.negated : total
  }

  /// The unit of CEL that a name means, and how many of them it is.
  private static func unit(named name: Substring) -> (unit: String, times: Int64)? {
    switch name {
    case "ns", "us", "µs", "μs", "ms": (String(name), 1)
    case "s", "sec", "secs", "second", "seconds": ("s", 1)
    case "m", "min", "mins", "minute", "minutes": ("m", 1)
    case "h", "hr", "hrs", "hour", "hours": ("h", 1)
    case "d", "day", "days": ("h", 24)
    case "w", "wk", "week", "weeks": ("h", 168)
    default: nil
    }
  }
}
