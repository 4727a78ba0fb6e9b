/// Percent-encoding (RFC 3986 §2.1): reading it, and bringing it into one form.
enum PercentEncoding {
  /// Whether a byte means the same encoded and plain (RFC 3986 §2.3).
  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Whether two hexadecimal digits follow every percent sign.
  static func isWellFormed(_ bytes: some Collection<UInt8>) -> Bool {
    var index = bytes.startIndex
    while index != bytes.endIndex {
      if bytes[index] == UInt8(ascii: "%") {
        guard octet(in: bytes, at: index) != nil else { return false }
        bytes.formIndex(&index, offsetBy: 3)
      } else {
        bytes.formIndex(after: &index)
      }
    }
    return true
  }

  /// The text with every percent-encoded byte replaced; invalid UTF-8 becomes U+FFFD.
  static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
    String(decoding: decodedBytes(text, plusIsSpace: plusIsSpace), as: UTF8.self)
  }

  /// The bytes of a text with every percent-encoded one replaced.
  static func decodedBytes(_ text: some StringProtocol, plusIsSpace: Bool = false) -> [UInt8] {
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

  /// Appends a part of a URL in one form of all that mean the same (RFC 3986 §6.2.2).
  ///
  /// Encoded unreserved bytes are decoded, hexadecimal digits are in upper case, and what no URI
  /// holds is encoded. A backslash stays, since browsers do not take `%5C` for it. A part with a
  /// stray percent sign is not decoded: what is plain after one pass could be an escape in the
  /// next.
  static func appendNormalized(
    _ part: some Collection<UInt8>, keepingNonASCII: Bool = false, to output: inout [UInt8]
  ) {
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
  }

  /// Appends a byte as a percent sign and two digits.
  static func appendEncoded(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "%"))
    output.append(digit(byte >> 4))
    output.append(digit(byte & 0xF))
  }

  private static func isForbidden(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "^"),
      UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      true
    default: false
    }
  }

  /// The byte that a percent sign and the two digits after it stand for.
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
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
  }
}
