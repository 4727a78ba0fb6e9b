import CEL
import ForeignText
import JSON

/// Parses dates of other programs: numbers in any unit, and texts in several forms.
enum BookmarkDate {
  /// Converts a number, whose unit and epoch follow from its size; nil for 0 and implausible values.
  ///
  /// Numbers since 1601 are those of Chrome (microseconds) and Windows (100 nanoseconds); a date between 1970 and 2300
  /// is plausible in one unit only.
  static func moment(_ number: Int64) -> Timestamp? {
    guard number > 0 else { return nil }
    /// Seconds from 1601 to 1970.
    let shift: Int64 = 11_644_473_600
    let microseconds: Int64
    switch number {
    case ..<11_600_000_000: microseconds = number * 1_000_000
    case ..<22_000_000_000: microseconds = (number - shift) * 1_000_000
    case ..<11_600_000_000_000: microseconds = number * 1000
    case ..<22_000_000_000_000: microseconds = (number - shift * 1000) * 1000
    case ..<11_600_000_000_000_000: microseconds = number
    case ..<22_000_000_000_000_000: microseconds = number - shift * 1_000_000
    case ..<220_000_000_000_000_000: microseconds = number / 10 - shift * 1_000_000
    default: microseconds = number / 1000
    }
    let moment = Timestamp(microseconds: microseconds)
    return moment.isInRange ? moment : nil
  }

  /// Parses a date as a property value: a timestamp, or a day or local time as text to be interpreted in the user's
  /// time zone; nil if it is not a date.
  static func value(_ text: String) -> Value? {
    let text = text.trimmingBlanks
    if text.isEmpty || text == "0" { return nil }
    if let number = Int64(text) { return moment(number).map { .timestamp($0) } }
    if let number = Double(text), number > 1e8, number < 1e18 {
      return moment(Int64(number)).map { .timestamp($0) }
    }
    if let moment = Timestamp(rfc3339: text.uppercased()) { return .timestamp(moment) }
    guard let date = ForeignDate(text, isAlone: true, isDayFirst: true) else { return nil }
    if date.offset != nil { return date.moment { $0.timestamp() }.map { .timestamp($0) } }
    return .string(date.hasTime ? date.time.localText : String(date.time.localText.prefix(10)))
  }
}

extension CivilTime {
  /// The local time in ISO 8601, without a zone.
  var localText: String {
    // Remove the `Z`.
    String(timestamp().jsonText.dropLast())
  }
}
