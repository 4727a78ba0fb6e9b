extension Double {
  /// The shortest text that reads as the same number; plain digits unless the exponent is below
  /// -4 or above 20, as in `1e+21`.
  var shortestText: String { text(withExponent: true) }

  /// The shortest digits that read as the same number, all of them written out.
  var plainText: String { text(withExponent: false) }

  private func text(withExponent: Bool) -> String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    if let whole = Int64(exactly: self), abs(self) < 1e15, !(self == 0 && sign == .minus) {
      return String(whole)
    }
    let sign = self.sign == .minus ? "-" : ""
    let (digits, exponent) = Self.digits(magnitude)
    if withExponent, exponent < -4 || exponent > 20 {
      let head = String(decoding: digits.prefix(1), as: UTF8.self)
      let tail = digits.count > 1 ? "." + String(decoding: digits.dropFirst(), as: UTF8.self) : ""
      let power = exponent.magnitude < 10 ? "0\(exponent.magnitude)" : "\(exponent.magnitude)"
      return "\(sign)\(head)\(tail)e\(exponent < 0 ? "-" : "+")\(power)"
    }
    if exponent < 0 {
      let zeros = String(repeating: "0", count: -exponent - 1)
      return "\(sign)0.\(zeros)\(String(decoding: digits, as: UTF8.self))"
    }
    let whole = digits.prefix(exponent + 1)
    let zeros = String(repeating: "0", count: max(0, exponent + 1 - digits.count))
    let rest = digits.dropFirst(exponent + 1)
    let fraction = rest.isEmpty ? "" : "." + String(decoding: rest, as: UTF8.self)
    return sign + String(decoding: whole, as: UTF8.self) + zeros + fraction
  }

  /// The significant digits, and the power of ten of the first of them.
  private static func digits(_ value: Double) -> (digits: [UInt8], exponent: Int) {
    var digits: [UInt8] = []
    var exponent = -1
    var power = 0
    var sawPoint = false
    var bytes = Array(value.description.utf8)[...]
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "."): sawPoint = true
      case UInt8(ascii: "e"):
        power = Int(String(decoding: bytes, as: UTF8.self)) ?? 0
        bytes = []
      default:
        if digits.isEmpty, byte == UInt8(ascii: "0") {
          if sawPoint { exponent -= 1 }
        } else {
          digits.append(byte)
          if !sawPoint { exponent += 1 }
        }
      }
    }
    while digits.count > 1, digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return digits.isEmpty ? ([0x30], 0) : (digits, exponent + power)
  }
}
