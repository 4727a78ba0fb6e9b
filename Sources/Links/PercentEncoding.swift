/// Encoding, decoding and normalization of percent-encoding (RFC 3986 §2.1).
package enum PercentEncoding {
  /// Whether a byte is unreserved: equivalent with and without encoding (RFC 3986 §2.3).
  static func isUnreserved(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "-._~".utf8.contains(byte)
  }

  /// Whether a byte is an ASCII letter or digit.
  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  /// Whether every percent sign is followed by two hexadecimal digits.
  static func isWellFormed(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.indices.allSatisfy {
      bytes[$0] != UInt8(ascii: "%") || octet(in: bytes, at: $0) != nil
    }
  }

  /// Encodes a text as a segment of a path or a value of a query.
  ///
  /// - Parameter kept: Reserved characters to keep, such as `/` for a path.
  package static func encode(_ text: String, keeping kept: String = "") -> String {
    var output: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) || kept.utf8.contains(byte) {
        output.append(byte)
      } else {
        appendEncoded(byte, to: &output)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Decodes a text; invalid UTF-8 becomes U+FFFD.
  package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
    String(decoding: decodedBytes(text, plusIsSpace: plusIsSpace), as: UTF8.self)
  }

  /// Decodes a text to bytes.
  package static func decodedBytes(_ text: some StringProtocol, plusIsSpace: Bool = false)
    -> [UInt8]
  {
    let bytes = text.utf8
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index != bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%"), let octet = octet(in: bytes, at: index) {
        output.append(octet)
        bytes.formIndex(&index, offsetBy: 3)
      } else {
        output.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        bytes.formIndex(after: &index)
      }
    }
    return output
  }

  /// Normalizes a component of a URL (RFC 3986 §6.2.2).
  ///
  /// Decodes unreserved bytes, writes hexadecimal digits in upper case, and encodes bytes that are
  /// not allowed in a URI. A backslash is not changed, since browsers treat `%5C` differently. A
  /// component with a stray percent sign is not decoded, since the result could contain a new
  /// escape.
  static func normalized(_ part: some Collection<UInt8>, keepingNonASCII: Bool = false) -> String {
    var output: [UInt8] = []
    let decodes = isWellFormed(part)
    var index = part.startIndex
    while index != part.endIndex {
      let byte = part[index]
      if byte == UInt8(ascii: "%"), let octet = octet(in: part, at: index) {
        if decodes, isUnreserved(octet) {
          output.append(octet)
        } else {
          appendEncoded(octet, to: &output)
        }
        part.formIndex(&index, offsetBy: 3)
        continue
      }
      if byte >= 0x80 ? !keepingNonASCII : isForbidden(byte) {
        appendEncoded(byte, to: &output)
      } else {
        output.append(byte)
      }
      part.formIndex(after: &index)
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends a percent-encoded byte.
  static func appendEncoded(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "%"))
    output.append(digit(byte >> 4))
    output.append(digit(byte & 0xF))
  }

  private static func isForbidden(_ byte: UInt8) -> Bool { "\"<>^`{|}".utf8.contains(byte) }

  /// The byte encoded by a percent sign and the two digits after it.
  private static func octet<Bytes: Collection<UInt8>>(
    in bytes: Bytes, at percent: Bytes.Index
  ) -> UInt8? {
    let first = bytes.index(after: percent)
    guard first != bytes.endIndex, let high = nibble(bytes[first]) else { return nil }
    let second = bytes.index(after: first)
    guard second != bytes.endIndex, let low = nibble(bytes[second]) else { return nil }
    return high << 4 | low
  }

  private static func nibble(_ digit: UInt8) -> UInt8? {
    Character(Unicode.Scalar(digit)).hexDigitValue.map(UInt8.init)
  }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
  }
}
