/// A day or a time of calendars (RFC 5545 §3.3.4, §3.3.5): `20261224`, `20261224T090000`, perhaps with `Z`.
package struct CalendarStamp: Hashable, Sendable {
  /// The forms of a stamp.
  package enum Form: Hashable, Sendable {
    case day, local, utc
  }

  package let time: CivilTime
  package let form: Form

  package init(_ time: CivilTime, _ form: Form) {
    self.time = time
    self.form = form
  }

  /// Parses a stamp, also with the separators of ISO 8601, which some programs write; nil if invalid.
  package init?(_ text: String) {
    var digits = text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
    let isUTC = digits.last.map { $0 | 0x20 == UInt8(ascii: "z") } ?? false
    if isUTC { digits.removeLast() }
    if digits.count == 15, digits[8] | 0x20 == UInt8(ascii: "t") { digits.remove(at: 8) }
    guard digits.count == 8 && !isUTC || digits.count == 14,
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + Int($1) - 0x30 } }
    guard let date = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8)) else {
      return nil
    }
    if digits.count == 8 {
      self.init(CivilTime(date: date), .day)
      return
    }
    // A leap second is the one before (§3.3.12).
    guard
      let time = CivilTime(
        date, hour: number(8..<10), minute: number(10..<12), second: min(number(12..<14), 59))
    else { return nil }
    self.init(time, isUTC ? .utc : .local)
  }

  /// The text of a stamp.
  package var text: String {
    func digits(_ number: Int, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let day = digits(time.date.year, 4) + digits(time.date.month, 2) + digits(time.date.day, 2)
    if form == .day { return day }
    return day + "T" + digits(time.hour, 2) + digits(time.minute, 2) + digits(time.second, 2)
      + (form == .utc ? "Z" : "")
  }
}
