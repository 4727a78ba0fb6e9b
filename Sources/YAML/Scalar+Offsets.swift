import Source

extension Scalar {
  /// Returns, for each UTF-8 byte of `text`, the offset of the byte in the file that it came from.
  ///
  /// The raw text is decoded again alongside the value: quotes and escapes are followed exactly;
  /// white space removed by folding or indentation is skipped.
  func offsetMap() -> [Int] {
    let raw = span.file.bytes
    var position = span.range.lowerBound
    let end = span.range.upperBound
    switch style {
    case .plain: break
    case .singleQuoted, .doubleQuoted: position += 1
    case .literal, .folded:
      // The header (`|-`, `>2`, a comment) ends with its line.
      while position < end, raw[position] != UInt8(ascii: "\n") { position += 1 }
      position += 1
    }
    var map: [Int] = []
    map.reserveCapacity(text.utf8.count)
    let value = Array(text.utf8)
    while map.count < value.count {
      guard position < end else {
        map.append(max(span.range.lowerBound, end - 1))
        continue
      }
      let wanted = value[map.count]
      let byte = raw[position]
      if style == .doubleQuoted, byte == UInt8(ascii: "\\") {
        let escape = Escape(raw, at: position, end: end)
        for _ in 0..<min(escape.valueLength, value.count - map.count) { map.append(position) }
        position += escape.length
      } else if style == .singleQuoted, byte == UInt8(ascii: "'"), wanted == byte {
        map.append(position)
        position += 2
      } else if byte == wanted {
        map.append(position)
        position += 1
      } else if wanted == UInt8(ascii: " "), byte == UInt8(ascii: "\n") {
        map.append(position)
        position += 1
        while position < end, Self.isSpace(raw[position]) { position += 1 }
      } else if Self.isSpace(byte) {
        position += 1
      } else {
        // Alignment lost: map everything left to this offset.
        map.append(position)
      }
    }
    return map
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}

/// An escape sequence of a double-quoted scalar (YAML 1.2.2 §5.7).
private struct Escape {
  /// Length in the file in bytes, including the backslash.
  let length: Int
  /// Length in the value in UTF-8 bytes.
  let valueLength: Int

  init(_ raw: [UInt8], at start: Int, end: Int) {
    func byte(_ offset: Int) -> UInt8 { start + offset < end ? raw[start + offset] : 0 }
    func digits(_ count: Int) -> (Int, Int) {
      var code: UInt32 = 0
      for offset in 2..<2 + count {
        code = code &* 16 &+ UInt32(Character(Unicode.Scalar(byte(offset))).hexDigitValue ?? 0)
      }
      return (2 + count, code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4)
    }
    switch byte(1) {
    case UInt8(ascii: "x"): (length, valueLength) = digits(2)
    case UInt8(ascii: "u"): (length, valueLength) = digits(4)
    case UInt8(ascii: "U"): (length, valueLength) = digits(8)
    case UInt8(ascii: "N"), UInt8(ascii: "_"): (length, valueLength) = (2, 2)
    case UInt8(ascii: "L"), UInt8(ascii: "P"): (length, valueLength) = (2, 3)
    case 0x0A, 0x0D:
      // A line continuation: the line break and the next line's indentation are removed.
      var next = 2
      while byte(next) == 0x20 || byte(next) == 0x09 { next += 1 }
      (length, valueLength) = (next, 0)
    default: (length, valueLength) = (2, 1)
    }
  }
}
