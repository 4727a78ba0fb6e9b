extension Duration {
  /// Reads a signed run of decimal numbers with units, such as `1h30m`, `-1.5s` or `250ms`; nil
  /// for anything else or out of range.
  ///
  /// Units are `h`, `m`, `s`, `ms`, `us`, `µs` and `ns`; a bare `0` needs none.
  package init?(text: String) {
    let bytes = Array(text.utf8)
    var position = 0
    var negative = false
    if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      negative = first == UInt8(ascii: "-")
      position = 1
    }
    if bytes[position...].elementsEqual([UInt8(ascii: "0")]) {
      self.init(seconds: 0)
      return
    }
    guard position < bytes.count else { return nil }
    var total: UInt64 = 0
    while position < bytes.count {
      guard let part = Self.part(of: bytes, at: &position) else { return nil }
      let (sum, overflow) = total.addingReportingOverflow(part)
      if overflow { return nil }
      total = sum
    }
    guard total <= (negative ? Int64.min.magnitude : Int64.max.magnitude) else { return nil }
    let signed = Int64(bitPattern: negative ? 0 &- total : total)
    self.init(totalNanoseconds: signed)
  }

  /// Seconds with as many decimals as are needed, such as `90s` or `-0.5s`.
  package var text: String {
    if seconds >= 0 || nanoseconds == 0 { return "\(seconds)\(Self.fraction(nanoseconds))s" }
    let whole = seconds + 1
    return "-\(whole.magnitude)\(Self.fraction(1_000_000_000 - nanoseconds))s"
  }

  /// A decimal point and the digits of nanoseconds without trailing zeros; nothing for zero.
  static func fraction(_ nanoseconds: Int32) -> String {
    if nanoseconds == 0 { return "" }
    var digits = Array(String(1_000_000_000 + Int64(nanoseconds)).utf8.dropFirst())
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return "." + String(decoding: digits, as: UTF8.self)
  }

  private static func part(of bytes: [UInt8], at position: inout Int) -> UInt64? {
    let start = position
    var whole: UInt64 = 0
    var decimals: [UInt8] = []
    func digit(_ at: Int) -> UInt8? {
      at < bytes.count && (0x30...0x39).contains(bytes[at]) ? bytes[at] - 0x30 : nil
    }
    while let next = digit(position) {
      let (product, overflow) = whole.multipliedReportingOverflow(by: 10)
      let (sum, carried) = product.addingReportingOverflow(UInt64(next))
      if overflow || carried { return nil }
      whole = sum
      position += 1
    }
    var sawDigit = position > start
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      while let next = digit(position) {
        decimals.append(next)
        sawDigit = true
        position += 1
      }
    }
    guard sawDigit, let unit = unit(of: bytes, at: &position) else { return nil }
    let (scaled, overflow) = whole.multipliedReportingOverflow(by: unit)
    if overflow { return nil }
    var scale = unit
    var rest: UInt64 = 0
    for decimal in decimals {
      // A tenth of the unit is whole for every unit but the nanosecond.
      scale /= 10
      rest += UInt64(decimal) * scale
    }
    let (sum, carried) = scaled.addingReportingOverflow(rest)
    return carried ? nil : sum
  }

  /// The nanoseconds of the unit that stands next.
  private static func unit(of bytes: [UInt8], at position: inout Int) -> UInt64? {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "."),
      !(0x30...0x39).contains(bytes[position])
    {
      position += 1
    }
    switch String(decoding: bytes[start..<position], as: UTF8.self) {
    case "h": return 3_600_000_000_000
    case "m": return 60_000_000_000
    case "s": return 1_000_000_000
    case "ms": return 1_000_000
    case "us", "µs", "μs": return 1_000
    case "ns": return 1
    default: return nil
    }
  }
}
