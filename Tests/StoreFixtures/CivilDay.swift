package import CEL

/// A day in UTC, counted from 1970-01-01.
package struct CivilDay {
  package let number: Int64

  package init(_ moment: Timestamp) {
    number = (moment.seconds - (moment.seconds % 86_400 + 86_400) % 86_400) / 86_400
  }

  /// Reads `YYYY-MM-DD`.
  package init?(text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      (1...12).contains(month), (1...31).contains(day), (1...9999).contains(year)
    else { return nil }
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    guard self.text == text else { return nil }
  }

  package var midnight: Timestamp { Timestamp(seconds: number * 86_400) }

  package var text: String {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func padded(_ number: Int64, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}
