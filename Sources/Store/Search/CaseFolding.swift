import Items

/// Texts that are the same but for capitals (The Unicode Standard, 3.13, by simple mappings, so that
/// `ß` is no `ss`) and for how accents are written.
enum CaseFolding {
  /// Whether two texts are the same; accents count.
  ///
  /// - Complexity: O(length).
  static func areSame(_ left: String, _ right: String) -> Bool {
    if left.utf8.elementsEqual(right.utf8) { return true }
    // Swift compares by canonical equivalence (Unicode, 3.7).
    return folded(left) == folded(right)
  }

  /// The text in small letters.
  private static func folded(_ text: String) -> String {
    var text = text
    let isASCII = text.withUTF8 { bytes in bytes.allSatisfy { $0 < 0x80 } }
    if isASCII { return text.lowercased() }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\u{130}" {
        // The same as I with a dot above.
        result.append(contentsOf: "i\u{307}".unicodeScalars)
      } else {
        result.append(folded(scalar))
      }
    }
    return String(result)
  }

  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case ..<0x80: return scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
    // The dotless i is a letter of its own, and so are the old forms of Cyrillic ones.
    case 0x131, 0x1C80...0x1C8F: return scalar
    default: break
    }
    // By way of the capital: `ς` and `σ` have the same one.
    let capital = single(single(scalar, \.lowercaseMapping), \.uppercaseMapping)
    return single(capital, \.lowercaseMapping)
  }

  /// What a mapping gives where that is one character.
  private static func single(
    _ scalar: Unicode.Scalar, _ mapping: KeyPath<Unicode.Scalar.Properties, String>
  ) -> Unicode.Scalar {
    let mapped = scalar.properties[keyPath: mapping].unicodeScalars
    guard let first = mapped.first, mapped.count == 1 else { return scalar }
    return first
  }

  /// Whether the text index finds a text however it is written.
  ///
  /// FTS5 knows the letters of Unicode 6.1, and takes accents off Latin ones alone.
  static func isKnownToTextIndex(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0xD7, 0xF7, 0x1E0...0x1E3, 0x1EE...0x1EF, 0x1FC...0x1FF: false
      case ..<0x80, 0xC0...0x24F, 0x1E00...0x1EFF: true
      case 0x399, 0x3A2, 0x3AA...0x3B0, 0x3B9: false
      case 0x391...0x3C9: true
      case 0x419, 0x439: false
      case 0x410...0x44F: true
      // Thai, kana, ideographs, Hangul.
      case 0xE01...0xE7F, 0x1100...0x11FF, 0x3005...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xAC00...0xD7A3:
        true
      default: false
      }
    }
  }
}
