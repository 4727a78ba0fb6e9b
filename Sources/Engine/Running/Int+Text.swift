extension Int {
  /// The number with commas as thousands separators.
  package var grouped: String {
    let digits = String(magnitude).utf8
    var text = self < 0 ? "-" : ""
    for (position, digit) in digits.enumerated() {
      if position > 0, (digits.count - position).isMultiple(of: 3) { text.append(",") }
      text.unicodeScalars.append(Unicode.Scalar(digit))
    }
    return text
  }
}
