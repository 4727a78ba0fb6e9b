/// The text encodings used in mails.
package enum MailText {
  /// Labels that say nothing about bytes beyond ASCII.
  private static let vague: Set<String> = [
    "", "us-ascii", "ascii", "ansi_x3.4-1968", "unknown-8bit", "x-unknown", "default", "8bit",
  ]

  /// The encoding with a label; nil if the label says nothing.
  private static func charset(_ label: String) -> Charset? {
    vague.contains(label.trimmingBlanks.lowercased()) ? nil : Charset(label: label)
  }

  /// Decodes bytes of a field in a named encoding; invalid bytes become U+FFFD.
  static func text(_ bytes: [UInt8], charset: String) -> String {
    String(foreign: bytes, else: self.charset(charset) ?? .windows1252)
  }

  /// Decodes a text in a named encoding, or else in the one that its content suggests.
  static func body(_ bytes: [UInt8], charset: String) -> String {
    guard let charset = self.charset(charset) else { return DecodedText(bytes).text }
    let mark = Charset.mark(bytes)
    return String(
      foreign: bytes[(mark?.charset == charset ? mark?.length ?? 0 : 0)...], else: charset)
  }

  // MARK: - Fields

  /// Decodes the encoded words of a field (RFC 2047).
  ///
  /// - Complexity: O(bytes).
  static func decoded(_ field: String) -> String {
    let bytes = Array(field.utf8)
    var result = ""
    var plainStart = 0
    var position = 0
    // The bytes of adjacent words are joined, since some programs divide a character.
    var word: (charset: String, bytes: [UInt8])?
    func finishWord() {
      if let word { result += text(word.bytes, charset: word.charset) }
    }
    while position + 1 < bytes.count {
      guard bytes[position] == 0x3D, bytes[position + 1] == 0x3F,
        let found = Self.word(bytes, at: position)
      else {
        position += 1
        continue
      }
      let between = bytes[plainStart..<position]
      let isAdjacent = word != nil && between.allSatisfy(\.isBlank)
      if isAdjacent, word?.charset == found.charset {
        word?.bytes += found.bytes
      } else {
        finishWord()
        // White space between two encoded words is not part of the text.
        if !isAdjacent { result += String(decoding: between, as: UTF8.self) }
        word = (found.charset, found.bytes)
      }
      position = found.end
      plainStart = position
    }
    finishWord()
    result += String(decoding: bytes[plainStart...], as: UTF8.self)
    return result.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The longest name of an encoding in an encoded word, with a language (RFC 2231 §5).
  private static let maxLabel = 80

  /// Returns the encoded word at a position; nil if there is none.
  private static func word(
    _ bytes: [UInt8], at start: Int
  ) -> (charset: String, bytes: [UInt8], end: Int)? {
    let label = bytes[(start + 2)...].prefix(maxLabel).prefix { $0 > 0x20 && $0 != 0x3F }
    let mark = label.endIndex
    guard mark + 2 < bytes.count, bytes[mark] == 0x3F, bytes[mark + 2] == 0x3F else { return nil }
    let isBase64 = bytes[mark + 1] | 0x20 == UInt8(ascii: "b")
    guard isBase64 || bytes[mark + 1] | 0x20 == UInt8(ascii: "q") else { return nil }
    let text = bytes[(mark + 3)...].prefix { $0 != 0x3F }
    guard text.endIndex + 1 < bytes.count, bytes[text.endIndex + 1] == 0x3D else { return nil }
    let charset = String(decoding: label.prefix { $0 != 0x2A }, as: UTF8.self).lowercased()
    let decoded =
      isBase64 ? base64(text) : unescaped(text.map { $0 == 0x5F ? 0x20 : $0 }, "=")
    return (charset, decoded, text.endIndex + 2)
  }

  // MARK: - Bodies

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
      // A stray one does not end the data.
      case 0x3D where count == 2 || count == 4: return bytes
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

  /// Decodes quoted-printable; a faulty `=` stays (RFC 2045 §6.7).
  static func quotedPrintable(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == 0x3D else {
        bytes.append(byte)
        continue
      }
      if let value = Self.hexadecimal(rest) {
        bytes.append(value)
        rest = rest.dropFirst(2)
        continue
      }
      // Blanks may have been added at the end of the line.
      let after = rest.drop { $0 == 0x20 || $0 == 0x09 }
      if after.isEmpty {
        rest = after
      } else if after.first == 0x0A || after.first == 0x0D {
        rest = after.dropFirst(after.starts(with: [0x0D, 0x0A]) ? 2 : 1)
      } else {
        bytes.append(byte)
        bytes += rest[..<after.startIndex]
        rest = after
      }
    }
    return bytes
  }

  /// Decodes bytes written as two hexadecimal digits after a mark.
  static func unescaped(_ text: some Collection<UInt8>, _ mark: Unicode.Scalar) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: mark), let value = hexadecimal(rest) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// The number that two hexadecimal digits write; nil for others.
  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> UInt8? {
    func digit(_ byte: UInt8) -> UInt8? {
      if byte.isDigit { return byte - 0x30 }
      return (0x61...0x66).contains(byte | 0x20) ? (byte | 0x20) - 0x57 : nil
    }
    guard bytes.count >= 2, let first = digit(bytes[bytes.startIndex]),
      let second = digit(bytes[bytes.startIndex + 1])
    else { return nil }
    return first << 4 | second
  }

  /// Joins the lines of paragraphs that were divided for sending (RFC 3676 §4).
  ///
  /// - Parameter deletesSpace: Whether the blank that marks a divided line is not part of the text.
  static func unflowed(_ text: String, deletesSpace: Bool) -> String {
    var output = ""
    var last: (depth: Int, isFlowed: Bool)?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let depth = line.utf8.prefix { $0 == 0x3E }.count
      var content = line.dropFirst(depth)
      // A blank protects what follows it.
      if content.first == " " { content = content.dropFirst() }
      let isSignature = content == "-- "
      let isFlowed = content.last == " " && !isSignature
      if isFlowed, deletesSpace { content = content.dropLast() }
      if let last, !last.isFlowed || last.depth != depth || isSignature { output += "\n" }
      if last.map({ !$0.isFlowed || $0.depth != depth || isSignature }) ?? true, depth > 0 {
        output += String(repeating: ">", count: depth) + " "
      }
      output += content
      last = (depth, isFlowed)
    }
    return output
  }
}
