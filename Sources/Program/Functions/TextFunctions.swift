import CEL
import JSON
import Links

/// Functions on texts.
enum TextFunctions {
  /// Their names.
  static let names = ["base64", "sha256", "slug", "lines", "words"]

  /// All of them.
  static var all: [Function] {
    [
      Function("base64", .method) { (text: String) in Base64.encode(Array(text.utf8)) },
      Function("base64", .method, [.bytes], returns: .string) { (value: Value) in
        Base64.encode(Self.bytes(of: value))
      },
      Function("sha256", .method) { (text: String) in SHA256.hex(of: text) },
      Function("sha256", .method, [.bytes], returns: .string) { (value: Value) in
        SHA256.hash(Self.bytes(of: value)).hexadecimal
      },
      Function("slug", .method) { (text: String) in TextForms.slug(text) },
      Function("lines", .method, [.string], returns: .list(.string)) { (text: String) in
        TextForms.lines(text).map { Value.string($0) }
      },
      Function("words", .method, [.string], returns: .list(.string)) { (text: String) in
        TextForms.words(text).map { Value.string($0) }
      },
    ]
  }

  private static func bytes(of value: Value) -> [UInt8] {
    if case .bytes(let bytes) = value { return bytes }
    return []
  }
}

/// Texts cut apart and brought into other forms.
package enum TextForms {
  /// The lines of a text without their breaks; a break at the end begins no further line.
  package static func lines(_ text: String) -> [String] {
    // In Swift a carriage return and a line feed are one character.
    var lines = text.split(omittingEmptySubsequences: false) { character in
      character == "\n" || character == "\r\n" || character == "\r"
    }.map { String($0) }
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The words of a text: what stands between blanks, without the punctuation around it.
  package static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).compactMap { run in
      let start = run.drop(while: isPunctuation)
      guard let end = start.lastIndex(where: { !isPunctuation($0) }) else { return nil }
      return String(start[...end])
    }
  }

  /// Quotes, brackets, dashes and the marks of sentences; not the signs in `c++` or `#tag`.
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

  /// A text for file names and addresses: lower case, letters and digits, hyphens between words.
  ///
  /// Latin letters lose their marks; letters of other scripts stay.
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

  /// The plain letters for a Latin letter with a mark, or for a joined one.
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
