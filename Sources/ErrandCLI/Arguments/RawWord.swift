/// Arguments that are file names and may contain invalid UTF-8.
///
/// Each invalid byte is mapped to a scalar of the last private-use plane.
enum RawWord {
  /// Scalar that represents byte 0.
  private static let base: UInt32 = 0x10_FF00

  /// Decodes a C string, mapping invalid bytes to private-use scalars.
  static func text(of pointer: UnsafePointer<CChar>) -> String {
    if let text = String(validatingCString: pointer) { return text }
    var text = ""
    var position = pointer
    while position.pointee != 0 {
      let byte = UInt8(bitPattern: position.pointee)
      let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      var piece: [UInt8] = []
      while piece.count < length, position[piece.count] != 0 {
        piece.append(UInt8(bitPattern: position[piece.count]))
      }
      if let character = String(validating: piece, as: UTF8.self) {
        text += character
        position += piece.count
      } else {
        if let scalar = Unicode.Scalar(base + UInt32(byte)) { text.unicodeScalars.append(scalar) }
        position += 1
      }
    }
    return text
  }

  /// Returns the original bytes of a word.
  static func bytes(of word: String) -> [UInt8] {
    guard !isText(word) else { return Array(word.utf8) }
    return word.unicodeScalars.flatMap { scalar in
      scalar.value >= base ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }
  }

  /// Whether a word was valid UTF-8.
  static func isText(_ word: String) -> Bool { !word.unicodeScalars.contains { $0.value >= base } }
}
