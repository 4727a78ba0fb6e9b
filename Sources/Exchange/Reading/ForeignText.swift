/// Text of other programs, whose letters may be in an older encoding.
enum ForeignText {
  /// The text of bytes: UTF-8, else the encoding of old Windows browsers, which covers Latin-1.
  static func decoded(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(
      String.UnicodeScalarView(
        bytes.map { byte in
          (0x80..<0xA0).contains(byte)
            ? windows1252[Int(byte) - 0x80] : Unicode.Scalar(byte)
        }))
  }

  /// The letters of windows-1252 from 0x80 to 0x9F.
  private static let windows1252 = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

  /// A text on one line: runs of white space become a space, other control characters are left out.
  static func line(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var isSpaceDue = false
    for scalar in text.unicodeScalars {
      if scalar.value < 0x21 || (0x7F..<0xA0).contains(scalar.value) {
        if scalar == " " || (0x09...0x0D).contains(scalar.value) { isSpaceDue = true }
        continue
      }
      if isSpaceDue, !result.isEmpty { result.append(" ") }
      isSpaceDue = false
      result.append(scalar)
    }
    return String(result)
  }

  /// A text of several lines without blanks at its ends or of its lines, and without control
  /// characters but tabs and line breaks.
  static func paragraph(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var wasReturn = false
    for scalar in text.unicodeScalars {
      defer { wasReturn = scalar == "\r" }
      switch scalar.value {
      case 0x0A where wasReturn: continue
      case 0x0D, 0x0A: scalars.append("\n")
      case 0x09: scalars.append("\t")
      case 0..<0x20, 0x7F..<0xA0: continue
      default: scalars.append(scalar)
      }
    }
    let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\n" || scalar == "\t" }
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(scalars[first...last])
  }
}
