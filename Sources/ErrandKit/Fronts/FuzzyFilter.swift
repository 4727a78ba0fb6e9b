/// Finds the texts that a person means by a few letters of them, the best first.
package struct FuzzyFilter {
  private let texts: [[Character]]

  /// A filter of texts, whatever their capitals.
  package init(_ texts: [String]) {
    self.texts = texts.map { Array($0.lowercased()) }
  }

  /// The positions of the texts that have all words of a query, each as it stands or letter by
  /// letter in its order.
  package func positions(_ query: String) -> [Int] {
    let words = query.lowercased().split(separator: " ").map(Array.init)
    if words.isEmpty { return Array(texts.indices) }
    var found: [(position: Int, score: Int)] = []
    for (position, text) in texts.enumerated() {
      var sum = 0
      let isMatch = words.allSatisfy { word in
        guard let score = Self.score(word, text) else { return false }
        sum += score
        return true
      }
      if isMatch { found.append((position, sum)) }
    }
    return found.sorted { ($1.score, $0.position) < ($0.score, $1.position) }.map(\.position)
  }

  /// How well a word fits a text; nil when it does not.
  private static func score(_ word: [Character], _ text: [Character]) -> Int? {
    if let start = beginning(of: word, in: text) {
      let isWord = start == 0 || !(text[start - 1].isLetter || text[start - 1].isNumber)
      return (isWord ? 3000 : 2000) - min(start, 999)
    }
    // Letter by letter: the fewer others between them, the better.
    var index = 0
    var first: Int?
    for letter in word {
      guard let next = text[index...].firstIndex(of: letter) else { return nil }
      if first == nil { first = next }
      index = next + 1
    }
    return max(1, 1000 - (index - (first ?? 0) - word.count))
  }

  private static func beginning(of word: [Character], in text: [Character]) -> Int? {
    guard word.count <= text.count else { return nil }
    for start in 0...(text.count - word.count)
    where text[start] == word[0] && text[start..<start + word.count].elementsEqual(word) {
      return start
    }
    return nil
  }
}
