package import CEL

extension CivilDate {
  /// The day as `YYYY-MM-DD` (ISO 8601 §5.2.1).
  package var iso8601: String {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}
