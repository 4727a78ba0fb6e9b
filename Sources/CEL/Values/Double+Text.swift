extension Double {
  /// The shortest text that parses to the same number, with an exponent if it is below -4 or above 20, as in `1e+21`.
  var shortestText: String { text(withExponent: true) }

  /// The shortest digits that parse to the same number, without an exponent.
  var plainText: String { text(withExponent: false) }

  private func text(withExponent: Bool) -> String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    // `description` is the shortest text that round-trips, with an exponent for small and large numbers.
    let text = description
    guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...])
    else { return text.hasSuffix(".0") ? String(text.dropLast(2)) : text }
    if withExponent, !(-4...20).contains(exponent) { return text }
    let sign = self < 0 ? "-" : ""
    let digits = text[..<mark].filter { $0.isNumber }
    if exponent < 0 {
      return "\(sign)0.\(String(repeating: "0", count: -exponent - 1))\(digits)"
    }
    return sign + digits + String(repeating: "0", count: exponent + 1 - digits.count)
  }
}
