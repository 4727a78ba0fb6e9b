/// Takes a short text of digits and marks apart, such as a date.
struct DigitScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Takes a number of up to so many digits; nil when there is none.
  mutating func number(_ most: Int) -> Int? {
    var result = 0
    var count = 0
    while count < most, let byte = rest.first, (0x30...0x39).contains(byte) {
      result = result * 10 + Int(byte - 0x30)
      count += 1
      rest.removeFirst()
    }
    return count > 0 ? result : nil
  }

  /// Takes all digits that follow.
  mutating func digits() -> String {
    var result = ""
    while let byte = rest.first, (0x30...0x39).contains(byte) {
      result.unicodeScalars.append(Unicode.Scalar(byte))
      rest.removeFirst()
    }
    return result
  }

  /// Takes a character of ASCII; whether it was there.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let byte = rest.first, UInt32(byte) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes a word of ASCII; whether it was there.
  mutating func takeWord(_ word: String) -> Bool {
    guard rest.starts(with: word.utf8) else { return false }
    rest.removeFirst(word.utf8.count)
    return true
  }

  /// Takes `+` or `-`.
  mutating func takeSign() -> String? { take("+") ? "+" : take("-") ? "-" : nil }

  /// Takes the ASCII letters that follow.
  mutating func letters() -> String {
    var result = ""
    while let byte = rest.first, (0x61...0x7A).contains(byte | 0x20) {
      result.unicodeScalars.append(Unicode.Scalar(byte))
      rest.removeFirst()
    }
    return result
  }

  /// Passes over spaces and commas.
  mutating func skipSpaces() {
    while let byte = rest.first, byte.isBlank || byte == UInt8(ascii: ",") { rest.removeFirst() }
  }
}
