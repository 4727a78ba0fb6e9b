/// A scanner for dates, times and time zone rules.
struct DigitReader {
  let bytes: [UInt8]
  private(set) var position = 0

  /// Starts at the beginning of a text.
  init(_ text: String) { bytes = Array(text.utf8) }

  /// Whether the whole text has been consumed.
  var isAtEnd: Bool { position == bytes.count }

  /// Returns whether the next character is this one.
  func isNext(_ character: Unicode.Scalar) -> Bool {
    position < bytes.count && bytes[position] == UInt8(ascii: character)
  }

  /// Consumes one character if it is next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard isNext(character) else { return false }
    position += 1
    return true
  }

  /// Consumes matching bytes, up to a maximum.
  mutating func prefix(_ most: Int = .max, while fits: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let taken = bytes[position...].prefix(most).prefix(while: fits)
    position = taken.endIndex
    return taken
  }

  /// Consumes a number of exactly `digits` digits.
  mutating func number(_ digits: Int) -> Int? {
    guard bytes.count - position >= digits else { return nil }
    var value = 0
    for byte in bytes[position..<position + digits] {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    position += digits
    return value
  }

  /// Consumes the digits after a decimal point and returns nanoseconds, truncated.
  mutating func fraction() -> Int? {
    var value = 0
    var scale = 100_000_000
    let start = position
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
      value += Int(bytes[position] - 0x30) * scale
      scale /= 10
      position += 1
    }
    return position == start ? nil : value
  }

  /// Consumes `Z` or `±hh:mm` and returns seconds ahead of UTC.
  mutating func offset() -> Int? {
    if take("Z") || take("z") { return 0 }
    return isNext("+") || isNext("-") ? shift() : nil
  }

  /// Consumes `hh:mm` with an optional sign and returns seconds.
  mutating func shift() -> Int? {
    let sign = take("-") ? -1 : 1
    if sign == 1 { _ = take("+") }
    guard let hours = number(2), take(":"), let minutes = number(2), hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }
}
