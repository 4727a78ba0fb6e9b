@_spi(_Unicode) import Swift

/// A sentence as it is matched: one space between words, no punctuation around them, folded.
struct PhraseSentence: Hashable {
  /// The scalars in the case of the sentence.
  let original: [Unicode.Scalar]
  /// The position of each scalar in the composed text that was given.
  let places: [Int]
  /// The same scalars, folded one to one.
  let folded: [Unicode.Scalar]

  /// Whether a sign is dropped around words.
  private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", "。", ",", "，", "?", "¿", "？", "؟", "!", "¡", "！", ";", "；", ":", "：", "…", "—", "–",
      "―":
      true
    default: false
    }
  }

  /// Normalizes a sentence.
  ///
  /// - Parameter joinsCJK: Whether spaces between CJK letters do not count.
  init(_ text: String, joinsCJK: Bool = false) {
    var scalars: [Unicode.Scalar] = []
    var places: [Int] = []
    let given = Self.composed(text).map { $0 == "’" ? "'" : $0 }
    var start = 0
    while start < given.count {
      var end = start
      while end < given.count, !Self.isSpace(given[end]) { end += 1 }
      let word = Self.trimmed(given[start..<end])
      if let last = scalars.last, let first = word.first,
        !(joinsCJK && Self.isCJK(last) && Self.isCJK(first))
      {
        scalars.append(" ")
        places.append(word.startIndex - 1)
      }
      scalars += word
      places += word.indices
      start = end + 1
    }
    original = scalars
    self.places = places
    folded = scalars.map(Self.folded)
  }

  private init(original: [Unicode.Scalar], places: [Int]) {
    self.original = original
    self.places = places
    folded = original.map(Self.folded)
  }

  /// The scalars of a text in normal form C.
  static func composed(_ text: String) -> [Unicode.Scalar] {
    // ASCII is composed already.
    text.utf8.allSatisfy { $0 < 0x80 } ? Array(text.unicodeScalars) : Array(text._nfc)
  }

  static func == (left: PhraseSentence, right: PhraseSentence) -> Bool {
    left.original == right.original
  }

  func hash(into hasher: inout Hasher) { hasher.combine(original) }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? scalar == " " || (9...13).contains(scalar.value) : scalar.properties.isWhitespace
  }

  /// A word without punctuation around it; initials such as `a.c.` keep theirs.
  private static func trimmed(_ word: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
    var word = word
    while let first = word.first, isPunctuation(first) { word.removeFirst() }
    while let last = word.last, isPunctuation(last) {
      if last == ".", isInitials(word) { break }
      word.removeLast()
    }
    return word
  }

  private static func isInitials(_ word: ArraySlice<Unicode.Scalar>) -> Bool {
    guard word.count >= 4, word.count.isMultiple(of: 2) else { return false }
    return zip(word, 0...).allSatisfy { scalar, index in
      index.isMultiple(of: 2) ? scalar.properties.isAlphabetic : scalar == "."
    }
  }

  private static func isCJK(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2E80...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF, 0xAC00...0xD7AF: true
    default: false
    }
  }

  /// The scalars of a template: composed, with one space for each run of spaces, folded.
  static func scalars(of text: String) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    for scalar in composed(text) {
      let scalar: Unicode.Scalar = isSpace(scalar) ? " " : scalar == "’" ? "'" : scalar
      if scalar == " ", scalars.last == " " { continue }
      scalars.append(folded(scalar))
    }
    return scalars
  }

  /// A scalar without case, if that is one scalar, too.
  static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII {
      return (65...90).contains(scalar.value) ? Unicode.Scalar(UInt8(scalar.value + 32)) : scalar
    }
    // Over the capital letter, so that σ and ς, i and ı are the same.
    let upper = scalar.properties.uppercaseMapping.unicodeScalars
    let capital = upper.count == 1 ? upper[upper.startIndex] : scalar
    let lower = capital.properties.lowercaseMapping.unicodeScalars
    return lower.count == 1 ? lower[lower.startIndex] : scalar
  }

  /// The words of a range of scalars, in the case of the sentence.
  func words(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(original[range]))
  }

  /// The positions in the composed text of a range of scalars.
  func places(_ range: Range<Int>) -> Range<Int> {
    var range = range
    while let first = range.first, original[first] == " " { range = (first + 1)..<range.upperBound }
    guard let first = range.first, let last = range.last else { return 0..<0 }
    return places[first]..<(places[last] + 1)
  }

  /// Pairs of neighbouring scalars of words, each as one number.
  var pairs: Set<UInt64> { Set(Self.pairs(of: folded)) }

  /// The pairs of neighbouring scalars of words in a text.
  static func pairs(of text: [Unicode.Scalar]) -> [UInt64] {
    func isBreak(_ scalar: Unicode.Scalar) -> Bool {
      scalar == " " || scalar == "-" || scalar == "_"
    }
    return zip(text, text.dropFirst()).compactMap { first, second -> UInt64? in
      if isBreak(first) || isBreak(second) { return nil }
      return UInt64(first.value) << 32 | UInt64(second.value)
    }
  }

  // MARK: Skip words

  /// Whether a scalar is part of a word; a skip word must not be adjacent to one.
  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      let lower = scalar.value | 0x20
      return (0x61...0x7A).contains(lower) || (0x30...0x39).contains(scalar.value) || scalar == "_"
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber:
      return true
    default: return false
    }
  }

  /// A place from which skip words are removed.
  enum Place: Hashable {
    case nowhere, everywhere, start, end
  }

  /// The sentence without skip words at a place.
  ///
  /// - Parameter words: Folded skip words, longest first.
  func removing(_ words: [[Unicode.Scalar]], from place: Place, insideWords: Bool) -> PhraseSentence
  {
    guard place != .nowhere, !words.isEmpty else { return self }
    // The positions to keep; the complement of a position that becomes a space.
    var kept: [Int] = []
    var position = 0
    func isEdge(_ index: Int) -> Bool {
      insideWords || index < 0 || index >= folded.count || !Self.isOfWord(folded[index])
    }
    func match(at position: Int) -> Int? {
      guard isEdge(position - 1) else { return nil }
      return words.first { word in
        position + word.count <= folded.count && isEdge(position + word.count)
          && folded[position..<position + word.count].elementsEqual(word)
      }?.count
    }
    switch place {
    case .nowhere: return self
    case .everywhere:
      while position < folded.count {
        if let count = match(at: position) {
          if !insideWords { kept.append(~position) }
          position += count
        } else {
          kept.append(position)
          position += 1
        }
      }
    case .start:
      while position < folded.count {
        if folded[position] == " " {
          position += 1
        } else if let count = match(at: position) {
          position += count
        } else {
          break
        }
      }
      kept = Array(position..<folded.count)
    case .end:
      var end = folded.count
      search: while end > 0 {
        if folded[end - 1] == " " {
          end -= 1
          continue
        }
        for word in words where word.count <= end && isEdge(end - word.count - 1) && isEdge(end) {
          if folded[(end - word.count)..<end].elementsEqual(word) {
            end -= word.count
            continue search
          }
        }
        break
      }
      kept = Array(0..<end)
    }
    return part(kept)
  }

  /// The sentence of some positions, with single spaces between words.
  private func part(_ positions: [Int]) -> PhraseSentence {
    var scalars: [Unicode.Scalar] = []
    var kept: [Int] = []
    for position in positions {
      let scalar = position < 0 ? " " : original[position]
      if scalar == " ", scalars.last ?? " " == " " { continue }
      scalars.append(scalar)
      kept.append(places[position < 0 ? ~position : position])
    }
    if scalars.last == " " {
      scalars.removeLast()
      kept.removeLast()
    }
    return PhraseSentence(original: scalars, places: kept)
  }
}
