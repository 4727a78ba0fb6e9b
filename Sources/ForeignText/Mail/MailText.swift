/// The text encodings used in mails.
package enum MailText {
  /// Decodes bytes in a named encoding; invalid bytes become U+FFFD.
  static func text(_ bytes: some Collection<UInt8>, charset: String) -> String {
    String(
      foreign:
        bytes, else: Charset(label: charset) ?? (charset.isEmpty ? .windows1252 : .utf8))
  }

  /// Decodes the encoded words of a field (RFC 2047).
  static func decoded(_ field: String) -> String {
    var result = ""
    var rest = field[...]
    var endsInWord = false
    while let start = rest.firstRange(of: "=?") {
      let between = rest[..<start.lowerBound]
      let parts = rest[start.upperBound...].split(
        separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count == 4, parts[3].first == "=",
        let word = word(String(parts[0]), String(parts[1]), parts[2])
      else {
        result += rest[..<start.upperBound]
        rest = rest[start.upperBound...]
        endsInWord = false
        continue
      }
      // White space between two encoded words is not part of the text.
      if !endsInWord || !between.allSatisfy(\.isWhitespace) { result += between }
      result += word
      rest = parts[3].dropFirst()
      endsInWord = true
    }
    result += rest
    return result.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func word(_ charset: String, _ encoding: String, _ text: Substring) -> String? {
    let charset = charset.prefix { $0 != "*" }
    let bytes: [UInt8]
    switch encoding.uppercased() {
    case "B": bytes = base64(text.utf8)
    case "Q": bytes = quotedPrintable(Array(text.utf8.map { $0 == 0x5F ? 0x20 : $0 })[...])
    default: return nil
    }
    return self.text(bytes, charset: String(charset))
  }

  /// Decodes base64, ignoring other characters (RFC 2045 §6.8).
  package static func base64(_ text: some Sequence<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in text {
      let value: UInt32
      switch byte {
      case 0x41...0x5A: value = UInt32(byte) - 0x41
      case 0x61...0x7A: value = UInt32(byte) - 0x61 + 26
      case 0x30...0x39: value = UInt32(byte) - 0x30 + 52
      case 0x2B: value = 62
      case 0x2F: value = 63
      case 0x3D: return bytes
      default: continue
      }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    return bytes
  }

  /// Decodes quoted-printable (RFC 2045 §6.7).
  static func quotedPrintable(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == 0x3D else {
        bytes.append(byte)
        continue
      }
      let pair = rest.prefix(2)
      if pair.count == 2, let value = UInt8(String(decoding: pair, as: UTF8.self), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else if rest.first == 0x0A {
        rest = rest.dropFirst()
      } else if pair.elementsEqual([0x0D, 0x0A]) {
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// Parses the parameters of a field such as `text/plain; charset="utf-8"`; names are in lower case.
  static func parameters(_ field: String) -> [String: String] {
    var found: [String: String] = [:]
    var rest = field[...]
    rest = rest.drop { $0 != ";" }.dropFirst()
    while !rest.isEmpty {
      let name = rest.prefix { $0 != "=" && $0 != ";" }
      rest = rest.dropFirst(name.count)
      guard rest.first == "=" else {
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst().drop(while: \.isWhitespace)
      var value = ""
      if rest.first == "\"" {
        rest = rest.dropFirst()
        while let character = rest.popFirst(), character != "\"" {
          value.append(character == "\\" ? rest.popFirst() ?? character : character)
        }
      } else {
        let plain = rest.prefix { $0 != ";" && !$0.isWhitespace }
        value = String(plain)
        rest = rest.dropFirst(plain.count)
      }
      rest = rest.drop { $0 != ";" }.dropFirst()
      let key = name.filter { !$0.isWhitespace }.lowercased()
      if found[key] == nil { found[key] = value }
    }
    return found
  }

  /// Decodes an extended value such as `utf-8''%E2%82%AC.txt` (RFC 2231).
  static func extended(_ text: String) -> String {
    let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return text }
    var bytes: [UInt8] = []
    var rest = Array(parts[2].utf8)[...]
    while let byte = rest.popFirst() {
      let pair = rest.prefix(2)
      if byte == 0x25, pair.count == 2,
        let value = UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return self.text(bytes, charset: String(parts[0]))
  }
}
