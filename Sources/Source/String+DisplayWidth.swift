extension StringProtocol {
  /// Number of terminal columns of the text.
  ///
  /// Wide and fullwidth characters (Unicode Standard Annex #11) and emoji take two columns,
  /// combining marks and joiners none.
  /// - Complexity: O(length).
  package var displayWidth: Int {
    var width = 0
    for character in self { width += character.displayWidth }
    return width
  }
}

extension Character {
  /// Number of terminal columns of the character: 0, 1 or 2.
  package var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.isASCII { return first.value < 0x20 || first.value == 0x7F ? 0 : 1 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // Variation selector 16 requests the emoji glyph, which is wide.
    if unicodeScalars.contains("\u{FE0F}") { return 2 }
    return first.isWide ? 2 : 1
  }
}

extension Unicode.Scalar {
  /// East Asian Width W or F, and emoji that terminals draw in two columns.
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
      0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
      true
    default:
      properties.isEmojiPresentation
    }
  }
}
