package import CEL

/// The global id of an item: a UUID version 7 (RFC 9562 §5.7).
package struct GlobalID: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates an id from milliseconds since 1970 and at least ten random bytes.
  package init(milliseconds: Int64, random: ArraySlice<UInt8>) {
    func bits(_ range: Range<Int>) -> UInt64 {
      random.dropFirst(range.lowerBound).prefix(range.count).reduce(0) { $0 << 8 | UInt64($1) }
    }
    high =
      UInt64(truncatingIfNeeded: milliseconds) << 16 | 0x7000 | bits(0..<2) & 0x0FFF
    low = 0x8000_0000_0000_0000 | bits(2..<10) & 0x3FFF_FFFF_FFFF_FFFF
  }

  /// Decodes sixteen bytes, as stored; nil for another length.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Parses the standard form of 32 hexadecimal digits and four hyphens.
  package init?(text: String) {
    var high: UInt64 = 0
    var low: UInt64 = 0
    var digits = 0
    for (index, byte) in text.utf8.enumerated() {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard digits < 32, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        return nil
      }
      if digits < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
      digits += 1
    }
    guard digits == 32 else { return nil }
    self.high = high
    self.low = low
  }

  /// The id of what follows an item on a day: the same on each machine, and of version 8
  /// (RFC 9562 §5.8).
  package func successor(on day: CivilDate) -> GlobalID {
    let number = UInt64(bitPattern: Int64(day.daysSinceEpoch))
    let first = Self.mixed(high ^ Self.mixed(number))
    let second = Self.mixed(low ^ Self.mixed(first))
    return GlobalID(
      high: first & ~0xF000 | 0x8000,
      low: 0x8000_0000_0000_0000 | second & 0x3FFF_FFFF_FFFF_FFFF)
  }

  /// A number whose bits all depend on those of another (the finaliser of SplitMix64, Steele, Lea and
  /// Flood 2014).
  private static func mixed(_ number: UInt64) -> UInt64 {
    var bits = number &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }

  /// The sixteen bytes, most significant first.
  package var bytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * $0)) }
      + (0..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * $0)) }
  }

  /// The standard form in lower case.
  package var text: String {
    let digits = Array("0123456789abcdef".utf8)
    var result: [UInt8] = []
    result.reserveCapacity(36)
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { result.append(UInt8(ascii: "-")) }
      result.append(digits[Int(byte >> 4)])
      result.append(digits[Int(byte & 15)])
    }
    return String(decoding: result, as: UTF8.self)
  }
}
