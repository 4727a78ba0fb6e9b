extension [UInt8] {
  /// Appends a text as a JSON string, quoted and escaped.
  ///
  /// - Parameter escapesInvisible: whether to also escape characters that are valid in JSON but
  ///   invisible: U+007F to U+009F and bidirectional marks.
  mutating func appendJSONString(_ text: String, escapesInvisible: Bool = false) {
    append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
          append(contentsOf: bytes[start..<index])
          appendEscape(of: byte)
          start = index + 1
        } else if escapesInvisible, byte >= 0x7F,
          let (code, length) = Self.invisible(bytes, at: index)
        {
          append(contentsOf: bytes[start..<index])
          appendEscape(of: code)
          start = index + length
          index = start - 1
        }
        index += 1
      }
      append(contentsOf: bytes[start...])
    }
    append(UInt8(ascii: "\""))
  }

  /// Returns the invisible character at an index and its length in bytes; nil for others.
  private static func invisible(
    _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (code: UInt16, length: Int)? {
    switch bytes[index] {
    case 0x7F: return (0x7F, 1)
    case 0xC2 where bytes[index + 1] < 0xA0: return (UInt16(bytes[index + 1]), 2)
    // U+061C, the Arabic letter mark.
    case 0xD8 where bytes[index + 1] == 0x9C: return (0x061C, 2)
    case 0xE2:
      let code = 0x2000 | UInt16(bytes[index + 1] & 0x3F) << 6 | UInt16(bytes[index + 2] & 0x3F)
      switch code {
      case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: return (code, 3)
      default: return nil
      }
    default: return nil
    }
  }

  private mutating func appendEscape(of code: UInt16) {
    let digits = String(code, radix: 16)
    append(contentsOf: "\\u".utf8)
    append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
    append(contentsOf: digits.utf8)
  }

  private mutating func appendEscape(of byte: UInt8) {
    let letter: UInt8
    switch byte {
    case 0x08: letter = UInt8(ascii: "b")
    case 0x09: letter = UInt8(ascii: "t")
    case 0x0A: letter = UInt8(ascii: "n")
    case 0x0C: letter = UInt8(ascii: "f")
    case 0x0D: letter = UInt8(ascii: "r")
    case 0x20...: letter = byte
    default: return appendEscape(of: UInt16(byte))
    }
    append(UInt8(ascii: "\\"))
    append(letter)
  }
}
