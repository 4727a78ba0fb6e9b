import CDetector

/// The text of bytes from elsewhere, and what was assumed to read it.
package struct DecodedText {
  /// What tells an encoding.
  package enum Basis: Sendable {
    /// The mark of a byte order at the beginning.
    case mark
    /// Who sent it, or the text itself in its markup.
    case declared
    /// That nothing else fits: it is valid UTF-8, or has the escapes of ISO-2022-JP.
    case content
    /// How often characters follow one another.
    case guess
  }

  package let text: String
  package let charset: Charset
  package let basis: Basis

  /// How much is looked at for what a page says of itself; browsers look at 1,024 bytes, but some
  /// pages say it later.
  private static let prescanned = 8_192
  /// How much is looked at for a guess.
  private static let guessed = 64 << 10

  private init(_ bytes: ArraySlice<UInt8>, _ charset: Charset, _ basis: Basis) {
    self.init(text: CharsetDecoder.text(of: bytes, in: charset), charset: charset, basis: basis)
  }

  private init(text: String, charset: Charset, basis: Basis) {
    self.text = text
    self.charset = charset
    self.basis = basis
  }

  /// Reads a document by the mark at its beginning, what is declared of it, what it declares itself,
  /// or by its look, in this order (HTML Standard §13.2.3.2); what is no character becomes U+FFFD.
  ///
  /// - Parameter mediaType: What a server says, such as `text/html; charset=utf-8`.
  package init(_ bytes: [UInt8], mediaType: String = "") {
    if let (charset, length) = Charset.mark(bytes) {
      self.init(bytes[length...], charset, .mark)
    } else if let charset = Self.charset(ofMediaType: mediaType) ?? Self.declared(bytes) {
      // A page that says it is UTF-8 mostly is; one that is not says so by mistake.
      self.init(bytes[...], charset, .declared)
    } else if bytes.contains(0x1B), bytes.firstRange(of: Array("\u{1B}$B".utf8)) != nil {
      // ISO-2022-JP is made of ASCII, and would pass for UTF-8.
      self.init(bytes[...], .iso2022JP, .content)
    } else if let text = String(validating: bytes, as: UTF8.self) {
      self.init(text: text, charset: .utf8, basis: .content)
    } else {
      self.init(bytes[...], Self.guess(bytes), .guess)
    }
  }

  /// The text of bytes that must be in one encoding, without a mark; nil where they are not.
  package static func exact(_ bytes: [UInt8], _ charset: Charset) -> String? {
    let mark = Charset.mark(bytes)
    switch charset {
    case .utf8:
      return String(validating: bytes[(mark?.charset == .utf8 ? 3 : 0)...], as: UTF8.self)
    case .utf16(let isBig):
      guard bytes.count.isMultiple(of: 2) else { return nil }
      let isMarkedBig = mark.map { $0.charset == .utf16(isBigEndian: true) } ?? isBig
      let units = CharsetDecoder.units(
        of: bytes[(mark?.length == 2 ? 2 : 0)...], isBigEndian: isMarkedBig)
      return String(validating: units, as: UTF16.self)
    default:
      let text = CharsetDecoder.text(of: bytes[...], in: charset)
      return text.unicodeScalars.contains("\u{FFFD}") ? nil : text
    }
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
    if text.hasPrefix("<?xml"), let charset = declaration(text) { return charset }
    var scanner = MarkupScanner(text, .html)
    while let token = scanner.next(wantsText: false) {
      guard case .start(let tag) = token, tag.name == "meta" else { continue }
      let isType = tag["http-equiv"]?.lowercased() == "content-type"
      let charset =
        tag["charset"].flatMap { Charset(label: $0) }
        ?? (isType ? tag["content"].flatMap { self.charset(ofMediaType: $0) } : nil)
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
