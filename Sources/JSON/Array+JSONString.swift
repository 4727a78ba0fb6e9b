extension [UInt8] {
  /// Appends a text as a JSON string, quoted and escaped.
  mutating func appendJSONString(_ text: String) {
    append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      for (index, byte) in bytes.enumerated() {
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
          continue
        }
        append(contentsOf: bytes[start..<index])
        appendEscape(of: byte)
        start = index + 1
      }
      append(contentsOf: bytes[start...])
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscape(of byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    case 0x20...: append(byte)
    default:
      append(contentsOf: byte < 0x10 ? "u000".utf8 : "u00".utf8)
      append(contentsOf: String(byte, radix: 16).utf8)
    }
  }

  /// The bytes in base64 with padding (RFC 4648 §4).
  package func base64() -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var output: [UInt8] = []
    output.reserveCapacity((count + 2) / 3 * 4)
    for start in stride(from: 0, to: count, by: 3) {
      let group = self[start..<Swift.min(start + 3, count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for position in 0..<4 {
        let isPadding = position > group.count
        output.append(isPadding ? UInt8(ascii: "=") : digits[bits >> (18 - 6 * position) & 0x3F])
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
