import CDetector

/// Text decoded from bytes, with the encoding used and the reason for choosing it.
///
/// The target ForeignText owns the readers of other programs' formats: encodings, markup, dates, mails, calendars,
/// property lists and CSV. They are lenient: malformed input is read as far as it makes sense.
package struct DecodedText {
  /// The reason for choosing an encoding.
  package enum Basis: Sendable {
    /// A byte order mark.
    case mark
    /// A declaration by the sender or in the text's own markup.
    case declared
    /// The content: it is valid UTF-8, or has the escape sequences of ISO-2022-JP.
    case content
    /// Character statistics.
    case guess
  }

  package let text: String
  package let charset: Charset
  package let basis: Basis

  /// Number of bytes searched for a declaration; browsers search 1,024, but some pages declare it later.
  private static let prescanned = 8_192
  /// Number of bytes examined for a guess.
  private static let guessed = 64 << 10

  private init(_ bytes: ArraySlice<UInt8>, _ charset: Charset, _ basis: Basis) {
    self.init(text: CharsetDecoder.text(of: bytes, in: charset), charset: charset, basis: basis)
  }

  private init(text: String, charset: Charset, basis: Basis) {
    self.text = text
    self.charset = charset
    self.basis = basis
  }

  /// Decodes a document by its byte order mark, its media type, its own declaration, or its content, in this order
  /// (HTML Standard §13.2.3.2); invalid bytes become U+FFFD.
  ///
  /// - Parameter mediaType: The Content-Type, such as `text/html; charset=utf-8`.
  package init(_ bytes: [UInt8], mediaType: String = "") {
    if let (charset, length) = Charset.mark(bytes) {
      self.init(bytes[length...], charset, .mark)
    } else if let charset = Self.named(bytes, mediaType) ?? Self.unmarked(bytes) {
      self.init(bytes[...], charset, Self.named(bytes, mediaType) == nil ? .content : .declared)
    } else if let charset = Self.declared(bytes) {
      // A declaration of UTF-8 is usually correct.
      self.init(bytes[...], charset, .declared)
    } else if bytes.contains(0x1B), bytes.firstRange(of: Array("\u{1B}$B".utf8)) != nil {
      // ISO-2022-JP consists of ASCII bytes, so it would be valid UTF-8.
      self.init(bytes[...], .iso2022JP, .content)
    } else if let text = String(validating: bytes, as: UTF8.self) {
      self.init(text: text, charset: .utf8, basis: .content)
    } else {
      self.init(bytes[...], Self.guess(bytes), .guess)
    }
  }

  /// Decodes bytes that must be valid in an encoding; nil if they are not. A byte order mark is removed.
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

  /// Returns the encoding of a media type; the byte order of UTF-16 is detected.
  private static func named(_ bytes: [UInt8], _ mediaType: String) -> Charset? {
    let charset = charset(ofMediaType: mediaType)
    return charset == .utf16(isBigEndian: false) ? unmarked(bytes) ?? charset : charset
  }

  /// Detects UTF-16 without a byte order mark by its ASCII characters, which have a zero byte on one side; nil if it is
  /// not UTF-16.
  package static func unmarked(_ bytes: [UInt8]) -> Charset? {
    let start = bytes.prefix(4_096)
    guard start.count >= 2, start.contains(0) else { return nil }
    let (little, big) = (
      evidence(CharsetDecoder.units(of: start, isBigEndian: false)),
      evidence(CharsetDecoder.units(of: start, isBigEndian: true))
    )
    guard let found = [little, big].compactMap({ $0 }).max(), found > 0, little != big else {
      return nil
    }
    return .utf16(isBigEndian: big == found)
  }

  /// Scores how plausible the units are as text, blanks above all; nil if some never occur in text.
  private static func evidence(_ units: [UInt16]) -> Int? {
    var count = 0
    for unit in units {
      switch unit {
      case 0x20, 0x0A, 0x0D: count += 4
      case 0x09, 0x21...0x7E, 0x3001, 0x3002, 0xFF0C: count += 1
      case 0...0x08, 0x0B...0x1F, 0x7F...0x9F, 0xFDD0...0xFDEF, 0xFFFE, 0xFFFF: return nil
      default: break
      }
    }
    return count
  }

  /// Returns the `charset` of a media type.
  package static func charset(ofMediaType type: String) -> Charset? {
    let text = type.lowercased()
    guard let start = text.firstRange(of: "charset")?.upperBound else { return nil }
    let rest = text[start...].drop { $0 == " " }
    guard rest.first == "=" else { return nil }
    let value = rest.dropFirst().drop { " \"'".contains($0) }
    return Charset(label: String(value.prefix { !" ;\"',".contains($0) }))
  }

  // MARK: Declarations

  /// Returns the encoding declared by a `meta` element or an XML declaration, if any.
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
      // The declaration was readable as ASCII, so it is not UTF-16.
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

  // MARK: Detection

  private static func guess(_ bytes: [UInt8]) -> Charset {
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

  /// Returns a piece of the bytes around the first one that is not ASCII.
  private static func telling(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > guessed, let first = bytes.firstIndex(where: { $0 >= 0x80 }) else {
      return bytes
    }
    let start = max(0, first - 1_024)
    return Array(bytes[start..<min(start + guessed, bytes.count)])
  }
}
