/// Fuzzy matching of texts by a few of their letters, best match first.
package struct FuzzyFilter {
  private let texts: [[Character]]

  /// Creates a case-insensitive filter.
  package init(_ texts: [String]) { self.texts = texts.map { Array($0.lowercased()) } }

  /// Returns the positions of texts that contain every word of a query, as a substring or as a
  /// subsequence.
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

  /// The score of a word in a text; nil if it does not match.
  private static func score(_ word: [Character], _ text: [Character]) -> Int? {
    if let start = beginning(of: word, in: text) {
      let isWord = start == 0 || !(text[start - 1].isLetter || text[start - 1].isNumber)
      return (isWord ? 3000 : 2000) - min(start, 999)
    }
    // Subsequence: the fewer characters between the letters, the better.
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
