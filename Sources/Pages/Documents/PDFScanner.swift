import ForeignText

/// Parses objects of a PDF at given offsets (ISO 32000-1 §7.2, §7.3).
struct PDFScanner {
  private let bytes: Bytes
  private(set) var position: Int
  /// The end of the readable range.
  private let end: Int
  /// The remaining budget of objects.
  private var left = 20_000

  /// The maximum nesting depth.
  private static let maxDepth = 32

  /// - Parameter length: The maximum number of bytes to read.
  init(_ bytes: Bytes, at position: Int, length: Int = 1 << 20) {
    self.bytes = bytes
    self.position = position
    end = min(bytes.count, min(position, bytes.count) + length)
  }

  /// Parses the object at the current position; `other` if it is of another type or invalid.
  mutating func value(depth: Int = 0) -> PDFValue {
    skipSpaces()
    left -= 1
    guard position < end, depth < Self.maxDepth, left > 0 else { return .other }
    switch bytes[position] {
    case UInt8(ascii: "/"): return .name(parseName())
    case UInt8(ascii: "("): return .text(parseString())
    case UInt8(ascii: "["): return list(depth)
    case UInt8(ascii: "<"):
      return bytes[position + 1] == UInt8(ascii: "<") ? map(depth) : .text(parseHexString())
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      return number()
    default:
      let start = position
      while position < end, !Self.isDelimiter(bytes[position]) { position += 1 }
      if position == start { position += 1 }
      return .other
    }
  }

  mutating func skipSpaces() {
    while position < end {
      let byte = bytes[position]
      if byte == UInt8(ascii: "%") {
        while position < end, bytes[position] != 0x0A, bytes[position] != 0x0D {
          position += 1
        }
      } else if byte == 0 || byte.isBlank {
        position += 1
      } else {
        return
      }
    }
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    byte == 0 || byte.isBlank || "()<>[]{}/%".utf8.contains(byte)
  }

  private mutating func parseName() -> String {
    position += 1
    let start = position
    while position < end, !Self.isDelimiter(bytes[position]) { position += 1 }
    return String(decoding: bytes.slice(start, position - start), as: UTF8.self)
  }

  private mutating func integer() -> Int? {
    let start = position
    while position < end, (0x30...0x39).contains(bytes[position]) { position += 1 }
    guard position > start, position - start < 12 else { return nil }
    return Int(String(decoding: bytes.slice(start, position - start), as: UTF8.self))
  }

  /// Parses a number or a reference such as `12 0 R`.
  private mutating func number() -> PDFValue {
    let start = position
    if let first = integer(), Self.isDelimiter(bytes[position]) {
      let end = position
      skipSpaces()
      if integer() != nil, Self.isDelimiter(bytes[position]) {
        skipSpaces()
        if bytes[position] == UInt8(ascii: "R"), Self.isDelimiter(bytes[position + 1]) {
          position += 1
          return .reference(first)
        }
      }
      position = end
      return .number(first)
    }
    position = start + 1
    while position < end, !Self.isDelimiter(bytes[position]) { position += 1 }
    return .other
  }

  private mutating func list(_ depth: Int) -> PDFValue {
    position += 1
    var items: [PDFValue] = []
    while true {
      skipSpaces()
      guard position < end, left > 0 else { return .list(items) }
      if bytes[position] == UInt8(ascii: "]") {
        position += 1
        return .list(items)
      }
      items.append(value(depth: depth + 1))
      if depth + 1 >= Self.maxDepth { return .list(items) }
    }
  }

  private mutating func map(_ depth: Int) -> PDFValue {
    position += 2
    var map: [String: PDFValue] = [:]
    while true {
      skipSpaces()
      guard position < end, left > 0 else { return .map(map) }
      if bytes.has(">>", at: position) {
        position += 2
        return .map(map)
      }
      guard bytes[position] == UInt8(ascii: "/") else {
        // Skip a key that is not a name, so that one mistake does not lose the rest.
        _ = value(depth: depth + 1)
        if depth + 1 >= Self.maxDepth { return .map(map) }
        continue
      }
      let name = parseName()
      map[name] = value(depth: depth + 1)
      if depth + 1 >= Self.maxDepth { return .map(map) }
    }
  }

  private mutating func parseString() -> [UInt8] {
    position += 1
    var result: [UInt8] = []
    var depth = 1
    while position < end, result.count < 64 << 10 {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return result }
      case UInt8(ascii: "\\"):
        if let escaped = parseEscape() { result.append(escaped) }
        continue
      default: break
      }
      result.append(byte)
    }
    return result
  }

  /// The byte of an escape sequence; nil for a line continuation (§7.3.4.2).
  private mutating func parseEscape() -> UInt8? {
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case 0x0A: return nil
    case 0x0D:
      if bytes[position] == 0x0A { position += 1 }
      return nil
    case 0x30...0x37:
      var code = Int(byte) - 0x30
      for _ in 0..<2 where (0x30...0x37).contains(bytes[position]) {
        code = code * 8 + Int(bytes[position]) - 0x30
        position += 1
      }
      return UInt8(truncatingIfNeeded: code)
    default: return byte
    }
  }

  private mutating func parseHexString() -> [UInt8] {
    position += 1
    var digits: [UInt8] = []
    while position < end, bytes[position] != UInt8(ascii: ">"), digits.count < 128 << 10 {
      switch bytes[position] {
      case let byte where (0x30...0x39).contains(byte): digits.append(byte - 0x30)
      case let byte where (0x61...0x66).contains(byte | 0x20): digits.append((byte | 0x20) - 0x57)
      default: break
      }
      position += 1
    }
    position += 1
    if digits.count % 2 == 1 { digits.append(0) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
