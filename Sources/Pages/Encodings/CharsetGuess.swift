import CDetector

/// Finds out in which encoding a text is.
enum CharsetGuess {
  /// How much is looked at for what a page says of itself; browsers look at 1,024 bytes, but some
  /// pages say it later.
  private static let prescanned = 8_192
  /// How much is looked at for a guess.
  private static let guessed = 64 << 10

  /// The text of some bytes, by the mark at their beginning, what the server says, what the page
  /// says, or by their look, in this order (HTML Standard §13.2.3.2).
  ///
  /// - Parameter mediaType: What the server says, such as `text/html; charset=utf-8`.
  static func text(of bytes: [UInt8], mediaType: String) -> String {
    if let (charset, length) = mark(bytes) {
      return CharsetDecoder.text(of: bytes[length...], in: charset)
    }
    if let charset = charset(ofMediaType: mediaType) ?? declared(bytes) {
      // A page that says it is UTF-8 mostly is; one that is not says so by mistake.
      return CharsetDecoder.text(of: bytes[...], in: charset)
    }
    // ISO-2022-JP is made of ASCII, and would pass for UTF-8.
    if bytes.contains(0x1B), bytes.firstRange(of: Array("\u{1B}$B".utf8)) != nil {
      return CharsetDecoder.text(of: bytes[...], in: .iso2022JP)
    }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return CharsetDecoder.text(of: bytes[...], in: guess(bytes))
  }

  /// What the mark of a byte order at the beginning tells, and its length.
  private static func mark(_ bytes: [UInt8]) -> (Charset, Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
    return nil
  }

  /// The `charset` of a media type.
  static func charset(ofMediaType type: String) -> Charset? {
    let text = type.lowercased()
    guard let start = text.firstRange(of: "charset")?.upperBound else { return nil }
    let rest = text[start...].drop { $0 == " " }
    guard rest.first == "=" else { return nil }
    let value = rest.dropFirst().drop { " \"'".contains($0) }
    return Charset(label: String(value.prefix { !" ;\"',".contains($0) }))
  }

  // MARK: What a page says

  /// The encoding that a `meta` element names, or the declaration of XML; nil for none.
  private static func declared(_ bytes: [UInt8]) -> Charset? {
    let piece = bytes.prefix(prescanned)
    let text = String(String.UnicodeScalarView(piece.map { Unicode.Scalar($0 < 0x80 ? $0 : 0x3F) }))
    var scanner = XMLScanner(text)
    if text.hasPrefix("<?xml"), let charset = declaration(text) { return charset }
    while let token = scanner.next() {
      guard case .start(let name, let attributes) = token, name.lowercased() == "meta" else {
        continue
      }
      let named = attributes.first { $0.key.lowercased() == "charset" }?.value
      let content = attributes.first { $0.key.lowercased() == "content" }?.value
      let isType =
        attributes.first { $0.key.lowercased() == "http-equiv" }?.value.lowercased()
        == "content-type"
      let charset =
        named.flatMap { Charset(label: $0) }
        ?? (isType ? content.flatMap { self.charset(ofMediaType: $0) } : nil)
      // It was read as ASCII, so it is no UTF-16.
      if case .utf16? = charset { return .utf8 }
      if let charset { return charset }
    }
    return nil
  }

  private static func declaration(_ text: String) -> Charset? {
    let line = text.prefix { $0 != ">" }
    guard let start = line.firstRange(of: "encoding")?.upperBound else { return nil }
    let value = line[start...].drop { " =\"'".contains($0) }
    return Charset(label: String(value.prefix { !"\"' ?".contains($0) }))
  }

  // MARK: A guess

  private static func guess(_ bytes: [UInt8]) -> Charset {
    // UTF-16 without a mark: half of the bytes of European texts are zero.
    let start = bytes.prefix(1_024)
    let zeros = start.indices.filter { start[$0] == 0 }
    if zeros.count > start.count / 4 {
      let even = zeros.count { $0 % 2 == 0 }
      return .utf16(isBigEndian: even > zeros.count / 2)
    }
    let piece = telling(bytes)
    var name = [CChar](repeating: 0, count: 32)
    piece.withUnsafeBytes { buffer in
      let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      if let start { cdetector_guess(start, buffer.count, &name) }
    }
    let label = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return Charset(label: label) ?? .windows1252
  }

  /// A piece of the bytes with as much as possible that is not ASCII, which tells nothing.
  private static func telling(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > guessed, let first = bytes.firstIndex(where: { $0 >= 0x80 }) else {
      return bytes
    }
    let start = max(0, first - 1_024)
    return Array(bytes[start..<min(start + guessed, bytes.count)])
  }
}
