import CEL
import Items
import JSON
import Links

/// Functions on texts.
enum TextFunctions {
  /// Rows of the function table.
  static let table = [
    FunctionRow("base64") {
      Function($0, .method) { (text: String) in Base64.encode(Array(text.utf8)) }
      Function($0, .method, [.bytes], returns: .string) { (value: Value) in
        Base64.encode(Self.bytes(of: value))
      }
    },
    FunctionRow("sha256") {
      Function($0, .method) { (text: String) in SHA256.hex(of: text) }
      Function($0, .method, [.bytes], returns: .string) { (value: Value) in
        SHA256.hash(Self.bytes(of: value)).hexadecimal
      }
    },
    FunctionRow("rankBetween") {
      Function($0, .global, [.nullable(.string), .nullable(.string)], returns: .string) {
        (low: Value, high: Value) throws(EvaluationError) -> Value in
        guard let rank = Rank.between(text(low), text(high)) else {
          throw EvaluationError("a rank has at most 500 letters and digits, and no 0 at its end")
        }
        return .string(rank)
      }
    },
    FunctionRow("slug") { Function($0, .method) { (text: String) in TextForms.slug(text) } },
    FunctionRow("lines") { Function($0, .method) { (text: String) in TextForms.lines(text) } },
    FunctionRow("words") { Function($0, .method) { (text: String) in TextForms.words(text) } },
  ]

  /// The text of a value; nil for null.
  private static func text(_ value: Value) -> String? {
    if case .string(let text) = value { return text }
    return nil
  }

  private static func bytes(of value: Value) -> [UInt8] {
    if case .bytes(let bytes) = value { return bytes }
    return []
  }
}

/// Splitting and rewriting of texts.
package enum TextForms {
  /// Returns the lines of a text; a final line break does not start another line.
  package static func lines(_ text: String) -> [String] {
    // In Swift, CR LF is a single character.
    var lines = text.split(omittingEmptySubsequences: false) { character in
      character == "\n" || character == "\r\n" || character == "\r"
    }.map { String($0) }
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Returns the words of a text: split at white space, without surrounding punctuation.
  package static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).compactMap { run in
      let start = run.drop(while: isPunctuation)
      guard let end = start.lastIndex(where: { !isPunctuation($0) }) else { return nil }
      return String(start[...end])
    }
  }

  /// Whether a character is a quote, bracket, dash or sentence mark; false for those in `c++` or
  /// `#tag`.
  private static func isPunctuation(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    switch scalar.properties.generalCategory {
    case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
      .dashPunctuation:
      return true
    default:
      return ".,;:!?\"'…¡¿。、！？，；：".unicodeScalars.contains(scalar)
    }
  }

  /// Returns a slug for file names and URLs: lower case, letters and digits, hyphens between words.
  ///
  /// Latin letters lose their diacritics; other scripts are kept.
  package static func slug(_ text: String) -> String {
    var slug = ""
    var needsHyphen = false
    for scalar in text.lowercased().unicodeScalars {
      let kind = scalar.properties.generalCategory
      if kind == .nonspacingMark, (0x300...0x36F).contains(scalar.value) { continue }
      // An apostrophe joins: `don't` is one word.
      if scalar == "'" || scalar == "’" { continue }
      let isPart: Bool =
        switch kind {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .titlecaseLetter, .uppercaseLetter,
          .decimalNumber, .nonspacingMark, .spacingMark:
          true
        default: false
        }
      guard isPart else {
        needsHyphen = !slug.isEmpty
        continue
      }
      if needsHyphen { slug.append("-") }
      needsHyphen = false
      if let plain = plainLetters(for: scalar) {
        slug.append(plain)
      } else {
        slug.unicodeScalars.append(scalar)
      }
    }
    return slug
  }

  /// The base letters of a Latin letter with a diacritic, or of a ligature.
  private static func plainLetters(for scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "à", "á", "â", "ã", "ä", "å", "ā", "ă", "ą", "ǎ", "ạ", "ả", "ấ", "ầ", "ậ", "ắ": "a"
    case "æ": "ae"
    case "ç", "ć", "ĉ", "ċ", "č": "c"
    case "ď", "đ", "ð": "d"
    case "è", "é", "ê", "ë", "ē", "ĕ", "ė", "ę", "ě", "ẹ", "ẻ", "ẽ", "ế", "ề", "ệ": "e"
    case "ĝ", "ğ", "ġ", "ģ": "g"
    case "ĥ", "ħ": "h"
    case "ì", "í", "î", "ï", "ĩ", "ī", "ĭ", "į", "ı", "ị": "i"
    case "ĵ": "j"
    case "ķ": "k"
    case "ĺ", "ļ", "ľ", "ŀ", "ł": "l"
    case "ñ", "ń", "ņ", "ň": "n"
    case "ò", "ó", "ô", "õ", "ö", "ø", "ō", "ŏ", "ő", "ọ", "ố", "ồ", "ộ", "ơ", "ớ", "ợ": "o"
    case "œ": "oe"
    case "ŕ", "ŗ", "ř": "r"
    case "ś", "ŝ", "ş", "š", "ș": "s"
    case "ß": "ss"
    case "ţ", "ť", "ŧ", "ț": "t"
    case "þ": "th"
    case "ù", "ú", "û", "ü", "ũ", "ū", "ŭ", "ů", "ű", "ų", "ụ", "ư", "ứ", "ự": "u"
    case "ŵ": "w"
    case "ý", "ÿ", "ŷ", "ỳ", "ỹ": "y"
    case "ź", "ż", "ž": "z"
    default: nil
    }
  }
}
