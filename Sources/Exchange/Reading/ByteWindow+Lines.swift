import ForeignText

extension ByteWindow {
  /// Maximum length of a line in bytes.
  private static let maxLineBytes = 8 << 20

  /// Consumes the next line; nil at the end, and `.some(nil)` for a line that is too long.
  mutating func nextLine() -> String?? {
    guard byte() != nil else { return nil }
    var bytes: [UInt8] = []
    _ = skip(
      until: { $0 == UInt8(ascii: "\n") },
      collect: { if bytes.count <= Self.maxLineBytes { bytes += $0 } })
    if byte() != nil { skip(1) }
    if bytes.count > Self.maxLineBytes { return .some(nil) }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return String(foreign: bytes)
  }
}

extension String {
  /// The reason for rejecting a long line.
  static var lineTooLong: String { "the line is too long" }
}
