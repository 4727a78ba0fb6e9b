/// How the bytes of a file are read as text.
enum TextEncoding: String, CaseIterable {
  case utf8 = "utf-8"
  case latin1
  case utf16 = "utf-16"

  /// The text of bytes; nil when they are none in this encoding.
  func text(of bytes: [UInt8]) -> String? {
    switch self {
    case .utf8:
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      return String(validating: bytes[start...], as: UTF8.self)
    case .latin1:
      return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    case .utf16:
      guard bytes.count.isMultiple(of: 2) else { return nil }
      let isBig = bytes.starts(with: [0xFE, 0xFF])
      let start = isBig || bytes.starts(with: [0xFF, 0xFE]) ? 2 : 0
      let units = stride(from: start, to: bytes.count, by: 2).map { index in
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isBig ? first << 8 | second : second << 8 | first
      }
      return String(validating: units, as: UTF16.self)
    }
  }
}
