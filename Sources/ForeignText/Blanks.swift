extension UInt8 {
  /// The byte with ASCII letters lowercased.
  package var loweredASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

  /// Whether it is an ASCII space, tab or line break.
  package var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  /// Whether it is an ASCII letter.
  package var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

  /// Whether it is an ASCII digit.
  package var isDigit: Bool { (0x30...0x39).contains(self) }
}

extension String {
  /// The text without ASCII white space at its ends.
  package var trimmingBlanks: String {
    guard let first = utf8.firstIndex(where: { !$0.isBlank }),
      let last = utf8.lastIndex(where: { !$0.isBlank })
    else { return "" }
    return String(self[first...last])
  }
}
