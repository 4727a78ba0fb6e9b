package import CEL

extension Timestamp {
  /// The moment as RFC 3339 in UTC, to the microsecond, without trailing zeros.
  package var rfc3339: String {
    let days = seconds.flooringQuotient(by: 86_400)
    let second = Int(seconds - days * 86_400)
    let (year, month, day) = Self.civil(day: days)
    var text = ""
    text += year < 0 ? "-" : ""
    text += Self.padded(Int(year.magnitude), to: 4)
    text += "-" + Self.padded(month, to: 2) + "-" + Self.padded(day, to: 2)
    text += "T" + Self.padded(second / 3_600, to: 2)
    text += ":" + Self.padded(second / 60 % 60, to: 2) + ":" + Self.padded(second % 60, to: 2)
    text += fractionText(nanoseconds / 1_000, digits: 6)
    return text + "Z"
  }

  /// The date of a day counted from 1970-01-01, in the Gregorian calendar.
  ///
  /// Counted in eras of 400 years whose year begins in March, so that the leap day comes last.
  private static func civil(day: Int64) -> (year: Int64, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = shifted.flooringQuotient(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, Int(month), Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1))
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

extension Duration {
  /// The length as CEL's `string(duration)` writes it: seconds with a fraction, `1.5s`.
  package var jsonText: String {
    // The seconds are rounded down, so a negative length counts its fraction from above.
    let isNegative = seconds < 0
    let borrows = isNegative && nanoseconds > 0
    let whole = (borrows ? seconds + 1 : seconds).magnitude
    let fraction = borrows ? 1_000_000_000 - nanoseconds : nanoseconds
    return (isNegative ? "-" : "") + String(whole) + fractionText(fraction, digits: 9) + "s"
  }
}

/// A fraction of a second with its point, without trailing zeros; empty when it is zero.
private func fractionText(_ fraction: Int32, digits: Int) -> String {
  guard fraction > 0 else { return "" }
  let text = String(fraction)
  let padded = String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  let end = padded.lastIndex { $0 != "0" } ?? padded.startIndex
  return "." + padded[...end]
}

extension Int64 {
  fileprivate func flooringQuotient(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
