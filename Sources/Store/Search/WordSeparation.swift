/// Parts text into what the text index takes for words, where no spaces do.
///
/// Scripts that are written without spaces, and symbols such as emoji, become words of one
/// character each, so that a search for some of them is a search for words side by side (as
/// Lucene's StandardTokenizer does, and UAX #29 advises where there is no dictionary).
enum WordSeparation {
  /// ZERO WIDTH SPACE, which the index takes for a space and a terminal does not show.
  private static let mark: Unicode.Scalar = "\u{200B}"

  /// The text with a mark around each character that is a word by itself; a syllable of several
  /// characters is made one first.
  ///
  /// - Complexity: O(length), and next to nothing for ASCII.
  static func separated(_ text: String) -> String {
    var text = text
    let isPlain = text.withUTF8 { bytes in bytes.allSatisfy { $0 < 0x80 } }
    guard !isPlain, text.unicodeScalars.contains(where: \.isWord) else { return text }
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars { Composition.append(scalar, to: &scalars) }
    var result = String.UnicodeScalarView()
    for scalar in scalars {
      if scalar.isWord {
        result.append(mark)
        result.append(scalar)
        result.append(mark)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// The text without the marks.
  static func joined(_ text: String) -> String {
    guard text.unicodeScalars.contains(mark) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where scalar != mark { result.append(scalar) }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// Whether it is a word by itself.
  var isWord: Bool {
    if value < 0xA0 { return false }
    return standsWithoutSpaces || properties.generalCategory == .otherSymbol
      || properties.isEmojiModifier
  }

  /// Whether it belongs to a script that is written without spaces between the words, or, as
  /// Korean, joins endings to them.
  var standsWithoutSpaces: Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x1100...0x11FF, 0x2E80...0x2FDF,
      0x3040...0x30FF, 0x3100...0x312F, 0x3130...0x318F, 0x31F0...0x31FF, 0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x20000...0x323AF:
      true
    default: false
    }
  }

  /// Whether FTS5's unicode61 makes it a part of a word.
  var isTokenCharacter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}
