import CStemmer

/// Finds the inflected forms of a word: plurals and other endings of its language.
///
/// A stemmer cannot list the words of a stem, so each common ending is appended to the stem, and
/// candidates that have the same stem are kept. The index contains the words as
/// written, so it does not depend on the language, and `"links"` in quotes matches exactly.
struct WordForms {
  /// The languages of a script, by their Snowball names, and their common endings.
  private struct Script {
    let languages: [String]
    let endings: [String]
  }

  private static let latin = Script(
    languages: ["english"],
    endings: [
      "", "s", "e", "es", "ed", "ing", "er", "ers", "y", "ies", "ion", "ions", "ment", "ly",
    ])
  private static let cyrillic = Script(
    languages: ["russian"],
    endings: [
      "", "а", "я", "ы", "и", "у", "ю", "о", "е", "й", "ь", "ой", "ей", "ом", "ем", "ам", "ям",
      "ов", "ев", "ах", "ях", "ами", "ями", "ый", "ая", "ое", "ые", "ого", "ых",
    ])
  private static let greek = Script(
    languages: ["greek"], endings: ["", "α", "ο", "η", "ος", "ου", "οι", "ων", "ες", "ας", "ης"])

  /// Endings of languages other than English in Latin script.
  private static let endings: [String: [String]] = [
    "german": ["", "e", "en", "er", "es", "n", "s", "em", "ern", "t", "te", "ung", "ungen"],
    "french": ["", "e", "s", "es", "er", "ez", "ent", "é", "ée", "és", "ées", "ant", "aux"],
    "spanish": ["", "a", "o", "e", "as", "os", "es", "ar", "er", "ir", "ado", "ando", "iendo"],
    "portuguese": ["", "a", "o", "e", "as", "os", "es", "ar", "er", "ir", "ado", "ando"],
    "italian": ["", "a", "o", "e", "i", "are", "ere", "ire", "ato", "ando"],
    "dutch": ["", "e", "en", "s", "t", "je", "jes", "er", "ers"],
    "swedish": ["", "a", "ar", "er", "or", "en", "et", "n", "na", "arna", "erna", "s"],
    "danish": ["", "e", "er", "en", "et", "ene", "erne", "s"],
    "norwegian": ["", "e", "er", "en", "et", "a", "ene", "s"],
    "finnish": [
      "", "n", "t", "a", "ä", "ssa", "ssä", "sta", "stä", "lla", "llä", "in", "en", "ja",
    ],
    "hungarian": ["", "k", "t", "ok", "ek", "ak", "ot", "et", "at", "ban", "ben", "nak", "nek"],
    "romanian": ["", "a", "e", "i", "ul", "ului", "ele", "ilor", "uri"],
    "turkish": ["", "ler", "lar", "i", "ı", "in", "ın", "de", "da", "den", "dan"],
  ]

  /// Snowball's names of languages, by ISO 639-1 code.
  fileprivate static let names: [String: String] = [
    "de": "german", "fr": "french", "es": "spanish", "pt": "portuguese", "it": "italian",
    "nl": "dutch", "sv": "swedish", "da": "danish", "nb": "norwegian", "no": "norwegian",
    "fi": "finnish", "hu": "hungarian", "ro": "romanian", "tr": "turkish",
  ]

  private let own: Script?

  /// - Parameter language: The user's language, as an ISO 639-1 code.
  init(language: String) {
    own = Self.names[language].flatMap { name in
      Self.endings[name].map { Script(languages: [name], endings: $0) }
    }
  }

  /// The maximum number of forms per word.
  private static let limit = 12

  /// The other forms of a word; empty if its script is unknown or mixed.
  ///
  /// - Complexity: O(length), about twenty candidates.
  func forms(of word: String) -> [String] {
    let word = word.lowercased()
    let scripts = scripts(of: word)
    var forms: [String] = []
    for script in scripts {
      for language in script.languages {
        guard let stemmer = Stemmer(language: language) else { continue }
        for form in self.forms(of: word, stemmer, script.endings)
        where form != word && !forms.contains(form) {
          forms.append(form)
        }
      }
    }
    return Array(forms.prefix(Self.limit))
  }

  private func scripts(of word: String) -> [Script] {
    let scalars = word.unicodeScalars
    guard scalars.count > 2, scalars.count <= 40 else { return [] }
    if scalars.allSatisfy({ $0.properties.isAlphabetic && $0.value < 0x250 }) {
      return (scalars.allSatisfy(\.isASCII) ? [Self.latin] : []) + (own.map { [$0] } ?? [])
    }
    if scalars.allSatisfy({ (0x400...0x45F).contains($0.value) }) { return [Self.cyrillic] }
    if scalars.allSatisfy({ (0x370...0x3CE).contains($0.value) }) { return [Self.greek] }
    return []
  }

  private func forms(of word: String, _ stemmer: Stemmer, _ endings: [String]) -> [String] {
    let stem = stemmer.stem(word)
    guard stem.count > 1 else { return [] }
    var beginnings = [stem]
    // The stem of library is `librari`, and that of running is `run`.
    if stem.hasSuffix("i") { beginnings.append(String(stem.dropLast())) }
    // That of saving is `save`.
    if stem.hasSuffix("e") { beginnings.append(String(stem.dropLast())) }
    if let last = stem.last, last.isASCII, !"aeiouysxw".contains(last) {
      beginnings.append(stem + String(last))
    }
    var forms: [String] = []
    for (index, beginning) in beginnings.enumerated() {
      // A stem with a doubled consonant, such as `runn`, is not a word without an ending.
      for ending in endings where index == 0 || !ending.isEmpty {
        let form = beginning + ending
        if stemmer.stem(form) == stem { forms.append(form) }
      }
    }
    return forms
  }
}

/// Reduces words of one language to their stems with Snowball.
package final class Stemmer {
  private let handle: OpaquePointer

  /// Creates the stemmer of a language by its ISO 639-1 code; nil if there is none.
  package convenience init?(code: String) {
    guard let name = code == "en" ? "english" : WordForms.names[code] else { return nil }
    self.init(language: name)
  }

  /// Creates the stemmer of a language, by its Snowball name; nil for an unknown one.
  init?(language: String) {
    guard let handle = sb_stemmer_new(language, "UTF_8") else { return nil }
    self.handle = handle
  }

  deinit { sb_stemmer_delete(handle) }

  /// The stem of a lowercase word.
  ///
  /// - Complexity: O(length).
  package func stem(_ word: String) -> String {
    var word = word
    return word.withUTF8 { bytes in
      // The result is owned by the stemmer and valid until the next call.
      guard let stem = sb_stemmer_stem(handle, bytes.baseAddress, Int32(clamping: bytes.count))
      else { return String(decoding: bytes, as: UTF8.self) }
      let count = Int(sb_stemmer_length(handle))
      return String(decoding: UnsafeBufferPointer(start: stem, count: count), as: UTF8.self)
    }
  }
}

/// The variants of a word at edit distance 1: a replaced, missing or additional letter, or two
/// swapped neighbours.
enum OneLetter {
  private static let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789".unicodeScalars)
  /// The minimum length: shorter words have too many neighbours.
  private static let leastLetters = 4
  private static let mostLetters = 30

  /// The variants; empty for words that are too short or too long.
  ///
  /// - Complexity: O(length²), about 70 words per letter.
  static func variants(of word: String) -> [String] {
    let word = Array(word.lowercased().unicodeScalars)
    guard (leastLetters...mostLetters).contains(word.count),
      word.allSatisfy(\.isTokenCharacter), word.contains(where: \.properties.isAlphabetic)
    else { return [] }
    var variants: [[Unicode.Scalar]] = []
    for index in word.indices.dropLast() {
      var swapped = word
      swapped.swapAt(index, index + 1)
      variants.append(swapped)
    }
    for index in word.indices {
      var shorter = word
      shorter.remove(at: index)
      variants.append(shorter)
    }
    for letter in letters {
      for index in word.indices {
        var replaced = word
        replaced[index] = letter
        variants.append(replaced)
      }
      for index in 0...word.count {
        var longer = word
        longer.insert(letter, at: index)
        variants.append(longer)
      }
    }
    var seen: Set<String> = [text(word)]
    return variants.map(text).filter { seen.insert($0).inserted }
  }

  private static func text(_ scalars: [Unicode.Scalar]) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}
