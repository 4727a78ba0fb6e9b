@_spi(_Unicode) import Swift

/// A sentence as it is matched: one space between words, no punctuation around them, folded.
struct PhraseSentence: Hashable {
  /// The scalars in the case of the sentence.
  let original: [Unicode.Scalar]
  /// The same scalars, folded one to one.
  let folded: [Unicode.Scalar]

  /// The signs that are dropped around words.
  private static let punctuation: Set<Unicode.Scalar> = [
    ".", "。", ",", "，", "?", "¿", "？", "؟", "!", "¡", "！", ";", "；", ":", "：", "…", "—", "–", "―",
  ]

  /// Normalizes a sentence.
  ///
  /// - Parameter joinsCJK: Whether spaces between CJK letters do not count.
  init(_ text: String, joinsCJK: Bool = false) {
    var words: [[Unicode.Scalar]] = [[]]
    for scalar in text._nfc {
      let scalar = scalar == "’" ? "'" : scalar
      if scalar.properties.isWhitespace {
        words.append([])
      } else {
        words[words.count - 1].append(scalar)
      }
    }
    self.init(words: words.map(Self.trimmed).filter { !$0.isEmpty }, joinsCJK: joinsCJK)
  }

  private init(words: [[Unicode.Scalar]], joinsCJK: Bool) {
    var scalars: [Unicode.Scalar] = []
    for word in words {
      if let last = scalars.last, let first = word.first,
        !(joinsCJK && Self.isCJK(last) && Self.isCJK(first))
      {
        scalars.append(" ")
      }
      scalars += word
    }
    original = scalars
    folded = scalars.map(Self.folded)
  }

  private init(original: [Unicode.Scalar]) {
    self.original = original
    folded = original.map(Self.folded)
  }

  /// A word without punctuation around it; initials such as `a.c.` keep theirs.
  private static func trimmed(_ word: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var word = word[...]
    while let first = word.first, punctuation.contains(first) { word.removeFirst() }
    while let last = word.last, punctuation.contains(last) {
      if last == ".", isInitials(word) { break }
      word.removeLast()
    }
    return Array(word)
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
    for scalar in text._nfc {
      let scalar: Unicode.Scalar =
        scalar.properties.isWhitespace ? " " : scalar == "’" ? "'" : scalar
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

  /// Pairs of neighbouring scalars of words, each as one number.
  var pairs: Set<UInt64> { Set(Self.pairs(of: folded)) }

  /// The pairs of neighbouring scalars of words in a text.
  static func pairs(of text: [Unicode.Scalar]) -> [UInt64] {
    let breaks: Set<Unicode.Scalar> = [" ", "-", "_"]
    return zip(text, text.dropFirst()).compactMap { first, second -> UInt64? in
      if breaks.contains(first) || breaks.contains(second) { return nil }
      return UInt64(first.value) << 32 | UInt64(second.value)
    }
  }

  // MARK: Skip words

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
    var kept: [Unicode.Scalar] = []
    var position = 0
    func isEdge(_ index: Int) -> Bool {
      insideWords || index < 0 || index >= folded.count || folded[index] == " "
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
          position += count
        } else {
          kept.append(original[position])
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
      kept = Array(original[position...])
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
      kept = Array(original[..<end])
    }
    return PhraseSentence(original: Self.singleSpaced(kept))
  }

  private static func singleSpaced(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    for scalar in scalars where scalar != " " || (result.last ?? " ") != " " {
      result.append(scalar)
    }
    if result.last == " " { result.removeLast() }
    return result
  }
}
