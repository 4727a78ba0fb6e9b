/// The words that are one wrong, missing or additional letter away from a word, or have two
/// neighbouring ones the other way round.
enum OneLetter {
  private static let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789".unicodeScalars)
  /// Shorter words are a letter away from too many others.
  private static let leastLetters = 4
  private static let mostLetters = 30

  /// The words; none for one that is too short or too long.
  ///
  /// - Complexity: O(length²), some 70 words for each letter.
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
