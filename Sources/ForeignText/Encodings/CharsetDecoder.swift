import CCharset

/// Decodes text leniently; invalid bytes become U+FFFD.
struct CharsetDecoder {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var text = String.UnicodeScalarView()

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// Decodes bytes in an encoding.
  static func text(of bytes: ArraySlice<UInt8>, in charset: Charset) -> String {
    switch charset {
    case .utf8: return String(decoding: bytes, as: UTF8.self)
    case .utf16(let isBigEndian):
      return String(decoding: units(of: bytes, isBigEndian: isBigEndian), as: UTF16.self)
    case .utf32(let isBigEndian): return utf32(bytes, isBigEndian: isBigEndian)
    default: break
    }
    var decoder = CharsetDecoder(bytes)
    decoder.run(charset)
    return String(decoder.text)
  }

  /// Returns the code units of UTF-16; an odd last byte is dropped.
  static func units(of bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt16] {
    stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
  }

  private static func utf32(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
    var text = String.UnicodeScalarView()
    for index in stride(from: bytes.startIndex, to: bytes.endIndex - 3, by: 4) {
      let unit = bytes[index..<index + 4]
      let code =
        isBigEndian
        ? unit.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        : unit.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      text.append(Unicode.Scalar(code) ?? "\u{FFFD}")
    }
    return String(text)
  }

  private mutating func run(_ charset: Charset) {
    if charset == .iso2022JP { return runISO2022() }
    while position < bytes.endIndex {
      let byte = bytes[position]
      position += 1
      if byte < 0x80 {
        text.append(Unicode.Scalar(byte))
        continue
      }
      switch charset {
      case .single(let table):
        let code = Self.pick(ccharset_single, table * 128 + Int(byte) - 0x80)
        // Undefined positions among the controls map to themselves (Encoding Standard §9).
        add(code == 0 && byte < 0xA0 ? UInt16(byte) : code)
      case .shiftJIS: shiftJIS(byte)
      case .eucJP: eucJP(byte)
      case .eucKR:
        double(byte, trails: 0x41...0xFE) { lead, trail in
          Self.pick(ccharset_korean, (lead - 0x81) * 190 + trail - 0x41)
        }
      case .big5: big5(byte)
      case .gb18030: gb18030(byte)
      default: text.append("\u{FFFD}")
      }
    }
  }

  private mutating func add(_ code: UInt16) {
    text.append(code == 0 ? "\u{FFFD}" : Unicode.Scalar(code) ?? "\u{FFFD}")
  }

  /// Consumes the next byte if it is in a range; otherwise it is decoded again.
  private mutating func trail(_ range: ClosedRange<UInt8>) -> Int? {
    guard position < bytes.endIndex, range.contains(bytes[position]) else { return nil }
    defer { position += 1 }
    return Int(bytes[position])
  }

  private mutating func double(
    _ lead: UInt8, trails: ClosedRange<UInt8>, _ character: (Int, Int) -> UInt16
  ) {
    guard (0x81...0xFE).contains(lead), let trail = trail(trails) else { return add(0) }
    let code = character(Int(lead), trail)
    // An ASCII letter after an invalid lead byte is kept.
    if code == 0, trail < 0x80 { position -= 1 }
    add(code)
  }

  // MARK: The encodings

  private mutating func shiftJIS(_ lead: UInt8) {
    switch lead {
    case 0x80: text.append("\u{80}")
    case 0xA1...0xDF: add(0xFEC0 + UInt16(lead))
    case 0x81...0x9F, 0xE0...0xFC:
      guard let trail = trail(0x40...0xFC), trail != 0x7F else { return add(0) }
      let row = Int(lead) - (lead < 0xA0 ? 0x81 : 0xC1)
      let code = Self.pick(ccharset_jis, row * 188 + trail - (trail < 0x7F ? 0x40 : 0x41))
      if code == 0, trail < 0x80 { position -= 1 }
      add(code)
    default: add(0)
    }
  }

  private mutating func eucJP(_ lead: UInt8) {
    switch lead {
    case 0x8E:
      guard let trail = trail(0xA1...0xDF) else { return add(0) }
      add(0xFEC0 + UInt16(trail))
    case 0x8F:
      guard let lead = trail(0xA1...0xFE), let trail = trail(0xA1...0xFE) else { return add(0) }
      add(Self.pick(ccharset_jis_more, (lead - 0xA1) * 94 + trail - 0xA1))
    case 0xA1...0xFE:
      guard let trail = trail(0xA1...0xFE) else { return add(0) }
      add(Self.pick(ccharset_jis, (Int(lead) - 0xA1) * 94 + trail - 0xA1))
    default: add(0)
    }
  }

  /// Decodes ISO-2022-JP, in which escape sequences select the character set (RFC 1468).
  private mutating func runISO2022() {
    var isDouble = false
    var isKana = false
    while position < bytes.endIndex {
      let byte = bytes[position]
      if byte == 0x1B {
        let rest = bytes[(position + 1)...].prefix(2)
        position += min(3, bytes.endIndex - position)
        isDouble = rest.elementsEqual("$B".utf8) || rest.elementsEqual("$@".utf8)
        isKana = rest.elementsEqual("(I".utf8)
        continue
      }
      position += 1
      if byte == 0x0A || byte == 0x0D || byte < 0x21 {
        text.append(Unicode.Scalar(byte))
      } else if isDouble, let trail = trail(0x21...0x7E) {
        add(Self.pick(ccharset_jis, (Int(byte) - 0x21) * 94 + trail - 0x21))
      } else if isKana, byte < 0x60 {
        add(0xFF40 + UInt16(byte))
      } else if byte < 0x80, !isDouble {
        text.append(Unicode.Scalar(byte))
      } else {
        add(0)
      }
    }
  }

  private mutating func big5(_ lead: UInt8) {
    guard (0x81...0xFE).contains(lead), let trail = trail(0x40...0xFE) else { return add(0) }
    guard trail < 0x7F || trail > 0xA0 else { return add(0) }
    let code = Self.pick(
      ccharset_big5, (Int(lead) - 0x81) * 157 + trail - (trail < 0x7F ? 0x40 : 0x62))
    if code == 0, trail < 0x80 { position -= 1 }
    add(code)
  }

  private mutating func gb18030(_ lead: UInt8) {
    guard (0x81...0xFE).contains(lead) else { return lead == 0x80 ? add(0x20AC) : add(0) }
    if let second = trail(0x30...0x39) {
      let start = position
      guard let third = trail(0x81...0xFE), let fourth = trail(0x30...0x39) else {
        position = start - 1
        return add(0)
      }
      let number = ((Int(lead) - 0x81) * 10 + second - 0x30) * 1_260 + (third - 0x81) * 10
      let code = ccharset_numbered(UInt32(number + fourth - 0x30))
      text.append(code == 0 ? "\u{FFFD}" : Unicode.Scalar(code) ?? "\u{FFFD}")
      return
    }
    guard let trail = trail(0x40...0xFE), trail != 0x7F else { return add(0) }
    let code = Self.pick(
      ccharset_gbk, (Int(lead) - 0x81) * 190 + trail - (trail < 0x7F ? 0x40 : 0x41))
    if code == 0, trail < 0x80 { position -= 1 }
    add(code)
  }

  private static func pick(_ table: Int, _ index: Int) -> UInt16 {
    index < 0 ? 0 : ccharset_character(Int32(table), index)
  }
}

extension String {
  /// Decodes bytes as UTF-8 if they are valid, else in another encoding; windows-1252, a superset of Latin-1, by
  /// default.
  package init(foreign bytes: some Collection<UInt8>, else charset: Charset = .windows1252) {
    // Bytes in these encodings may be valid UTF-8.
    let isCertain =
      switch charset {
      case .utf16, .utf32, .iso2022JP: true
      default: false
      }
    if !isCertain, let text = String(validating: bytes, as: UTF8.self) {
      self = text
    } else {
      self = CharsetDecoder.text(of: Array(bytes)[...], in: charset)
    }
  }
}
