/// The units in which a client counts the characters of a line (LSP 3.17, “Position”).
package enum PositionEncoding: String, Sendable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"

  /// The units of a scalar that begins with a byte.
  func units(ofScalarFrom byte: UInt8) -> Int {
    switch self {
    case .utf8: Self.length(ofScalarFrom: byte)
    case .utf16: byte >= 0xF0 ? 2 : 1
    }
  }

  /// The bytes of a scalar that begins with a byte.
  static func length(ofScalarFrom byte: UInt8) -> Int {
    byte < 0x80 ? 1 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
  }
}

/// A line and a column as a client counts them, both from zero.
package struct TextPosition: Hashable, Sendable {
  package var line: Int
  package var character: Int

  package init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }
}
