import Items

/// Splits text without spaces into words for the text index.
///
/// Each character of a script written without spaces, and each symbol such as an emoji, becomes a
/// word, so that a search for several is a phrase search (like Lucene's StandardTokenizer, and as
/// UAX #29 advises without a dictionary).
enum WordSeparation {
  /// ZERO WIDTH SPACE, which the index treats as a space and a terminal does not show.
  private static let mark: Unicode.Scalar = "\u{200B}"

  /// The text with a mark around each single-character word; syllables of several characters are
  /// composed first.
  ///
  /// - Complexity: O(length), and nearly free for ASCII.
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
  /// Whether the character is a word by itself.
  var isWord: Bool {
    if value < 0xA0 { return false }
    return standsWithoutSpaces || properties.generalCategory == .otherSymbol
      || properties.isEmojiModifier
  }

  /// Whether the character belongs to a script that is written without spaces between words or,
  /// like Korean, attaches endings to them.
  var standsWithoutSpaces: Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x1100...0x11FF, 0x2E80...0x2FDF,
      0x3040...0x30FF, 0x3100...0x312F, 0x3130...0x318F, 0x31F0...0x31FF, 0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x20000...0x323AF:
      true
    default: false
    }
  }

  /// Whether FTS5's unicode61 tokenizer treats the character as part of a word.
  var isTokenCharacter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}

/// Composes syllables that can be a single character: Korean ones, and Japanese kana with voicing
/// marks (Unicode, 3.11 and 3.12).
enum Composition {
  /// Appends a character, or composes it with the last one.
  static func append(_ scalar: Unicode.Scalar, to scalars: inout [Unicode.Scalar]) {
    if let last = scalars.last, let whole = composed(last.value, scalar.value),
      let character = Unicode.Scalar(whole)
    {
      scalars[scalars.count - 1] = character
    } else {
      scalars.append(scalar)
    }
  }

  private static func composed(_ first: UInt32, _ second: UInt32) -> UInt32? {
    switch second {
    case 0x1161...0x1175 where (0x1100...0x1112).contains(first):
      0xAC00 + ((first - 0x1100) * 21 + second - 0x1161) * 28
    case 0x11A8...0x11C2 where (0xAC00...0xD7A3).contains(first) && (first - 0xAC00) % 28 == 0:
      first + second - 0x11A7
    case 0x3099: voiced(first)
    case 0x309A: isOfHa(first) ? first + 2 : nil
    default: nil
    }
  }

  /// A kana with the voiced sound mark.
  private static func voiced(_ kana: UInt32) -> UInt32? {
    if isOfHa(kana) { return kana + 1 }
    switch kana {
    case 0x3046, 0x30A6: return kana + 0x4E
    case 0x30EF...0x30F2: return kana + 8
    case 0x309D, 0x30FD: return kana + 1
    default: break
    }
    switch kana >= 0x30A0 ? kana - 0x60 : kana {
    case 0x304B...0x3061: return kana % 2 == 1 ? kana + 1 : nil
    case 0x3064, 0x3066, 0x3068: return kana + 1
    default: return nil
    }
  }

  /// Whether the kana is は ひ ふ へ ほ or its katakana form, which take two marks.
  private static func isOfHa(_ kana: UInt32) -> Bool {
    let hiragana = kana >= 0x30A0 ? kana - 0x60 : kana
    return (0x306F...0x307B).contains(hiragana) && hiragana % 3 == 0
  }
}

/// Case-insensitive comparison (The Unicode Standard, 3.13, with simple mappings, so that `ß`
/// differs from `ss`) under canonical equivalence.
enum CaseFolding {
  /// Whether two texts are equal except for case; accents count.
  ///
  /// - Complexity: O(length).
  static func areSame(_ left: String, _ right: String) -> Bool {
    if left.utf8.elementsEqual(right.utf8) { return true }
    // Swift compares by canonical equivalence (Unicode, 3.7).
    return folded(left) == folded(right)
  }

  /// Whether a tag is another one or below it, as `people/friends` is below `people`; without case.
  static func isWithin(_ tag: String, _ root: String) -> Bool {
    if areSame(tag, root) { return true }
    let (tag, root) = (folded(tag), folded(root))
    return tag.hasPrefix(root + "/")
  }

  /// The case-folded text.
  static func folded(_ text: String) -> String {
    var text = text
    let isASCII = text.withUTF8 { bytes in bytes.allSatisfy { $0 < 0x80 } }
    if isASCII { return text.lowercased() }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\u{130}" {
        // Equivalent to I with a dot above.
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
    // The dotless i is a distinct letter, and so are historic forms of Cyrillic letters.
    case 0x131, 0x1C80...0x1C8F: return scalar
    default: break
    }
    // Via the capital letter, which `ς` and `σ` share.
    let capital = single(single(scalar, \.lowercaseMapping), \.uppercaseMapping)
    return single(capital, \.lowercaseMapping)
  }

  /// A case mapping, if it is a single character.
  private static func single(
    _ scalar: Unicode.Scalar, _ mapping: KeyPath<Unicode.Scalar.Properties, String>
  ) -> Unicode.Scalar {
    let mapped = scalar.properties[keyPath: mapping].unicodeScalars
    guard let first = mapped.first, mapped.count == 1 else { return scalar }
    return first
  }

  /// Whether the text index finds a text in any case.
  ///
  /// FTS5 knows the letters of Unicode 6.1, and strips accents only from Latin ones.
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
