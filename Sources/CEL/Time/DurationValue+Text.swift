extension DurationValue {
  /// Parses signed decimal numbers with units, such as `1h30m`, `-1.5s` or `250ms`; nil if invalid or out of range.
  ///
  /// Units are `h`, `m`, `s`, `ms`, `us`, `µs` and `ns`; a bare `0` needs none.
  package init?(text: String) {
    var reader = DigitReader(text)
    let isNegative = reader.take("-")
    if !isNegative { _ = reader.take("+") }
    if reader.bytes[reader.position...].elementsEqual("0".utf8) {
      self.init(seconds: 0)
      return
    }
    if reader.isAtEnd { return nil }
    var total: UInt64 = 0
    while !reader.isAtEnd {
      guard let part = reader.lengthOfTime() else { return nil }
      let (sum, overflow) = total.addingReportingOverflow(part)
      if overflow { return nil }
      total = sum
    }
    guard total <= (isNegative ? Int64.min.magnitude : Int64.max.magnitude) else { return nil }
    self.init(totalNanoseconds: Int64(bitPattern: isNegative ? 0 &- total : total))
  }

  /// The duration in seconds with as many decimals as needed, such as `90s` or `-0.5s`.
  package var text: String {
    if seconds >= 0 || nanoseconds == 0 { return "\(seconds)\(Self.fraction(nanoseconds))s" }
    let whole = seconds + 1
    return "-\(whole.magnitude)\(Self.fraction(1_000_000_000 - nanoseconds))s"
  }

  /// Returns the decimal point and digits of nanoseconds without trailing zeros; empty for zero.
  static func fraction(_ nanoseconds: Int32) -> String {
    if nanoseconds == 0 { return "" }
    var digits = Array(String(1_000_000_000 + Int64(nanoseconds)).utf8.dropFirst())
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return "." + String(decoding: digits, as: UTF8.self)
  }
}

extension DigitReader {
  /// Consumes a decimal number with its unit and returns nanoseconds.
  fileprivate mutating func lengthOfTime() -> UInt64? {
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    let digits = prefix(while: isDigit)
    let decimals = take(".") ? prefix(while: isDigit) : []
    let name = prefix { !isDigit($0) && $0 != UInt8(ascii: ".") }
    let unit: UInt64
    switch String(decoding: name, as: UTF8.self) {
    case "h": unit = 3_600_000_000_000
    case "m": unit = 60_000_000_000
    case "s": unit = 1_000_000_000
    case "ms": unit = 1_000_000
    case "us", "µs", "μs": unit = 1_000
    case "ns": unit = 1
    default: return nil
    }
    guard !digits.isEmpty || !decimals.isEmpty,
      let whole = digits.isEmpty ? 0 : UInt64(String(decoding: digits, as: UTF8.self))
    else { return nil }
    let (scaled, overflow) = whole.multipliedReportingOverflow(by: unit)
    var scale = unit
    var rest: UInt64 = 0
    for decimal in decimals {
      // A tenth of the unit is an integer for every unit but the nanosecond.
      scale /= 10
      rest += UInt64(decimal - 0x30) * scale
    }
    let (sum, carried) = scaled.addingReportingOverflow(rest)
    return overflow || carried ? nil : sum
  }
}
