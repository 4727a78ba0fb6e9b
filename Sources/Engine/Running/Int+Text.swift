extension Int {
  /// The number with a comma before every three digits, as people read large ones.
  package var grouped: String {
    var text = ""
    for (position, digit) in String(magnitude).reversed().enumerated() {
      if position > 0, position.isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + String(text.reversed())
  }
}
