package import CEL

extension DurationValue {
  /// Parses a length of time of calendars, such as `PT1H30M` or `-P1D` (RFC 5545 §3.3.6); nil if invalid.
  package init?(calendarText text: String) {
    var total: Int64 = 0
    var number: Int64?
    var rest = text.uppercased()[...]
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest = rest.dropFirst() }
    guard rest.popFirst() == "P", !rest.isEmpty else { return nil }
    for character in rest {
      if let digit = character.wholeNumberValue, character.isASCII {
        number = min((number ?? 0) * 10 + Int64(digit), 1_000_000_000)
        continue
      }
      if character == "T", number == nil { continue }
      let units: [Character: Int64] = ["W": 604_800, "D": 86_400, "H": 3_600, "M": 60, "S": 1]
      guard let unit = units[character], let count = number else { return nil }
      total += count * unit
      number = nil
    }
    guard number == nil else { return nil }
    self.init(seconds: isNegative ? -total : total)
  }

  /// The length of time as calendars write it.
  package var calendarText: String {
    let seconds = abs(seconds)
    let sign = self.seconds < 0 ? "-" : ""
    if seconds > 0, seconds % 86_400 == 0 { return "\(sign)P\(seconds / 86_400)D" }
    let parts = [(seconds / 3_600, "H"), (seconds / 60 % 60, "M"), (seconds % 60, "S")]
    let text = parts.map { $0.0 == 0 ? "" : "\($0.0)\($0.1)" }.joined()
    return "\(sign)PT" + (text.isEmpty ? "0S" : text)
  }
}
