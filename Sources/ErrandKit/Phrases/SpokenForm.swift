import Phrases

/// A sentence as it is compared with phrases: as it was said, or with words left out or respelled.
struct SpokenForm {
  /// A word, with the scalars of the sentence that it was taken from.
  struct Word {
    var text: String
    let range: Range<Int>
  }

  /// The scalars of the sentence as it was said.
  let said: [Unicode.Scalar]
  let text: String
  /// The scalar of the sentence from which each scalar of the text was taken; nil for the same ones.
  private let origins: [Int]?

  /// The sentence as it was said.
  init(_ sentence: String) {
    said = PhraseText.composed(sentence)
    text = sentence
    origins = nil
  }

  /// Some words of a sentence.
  init(_ words: [Word], of said: [Unicode.Scalar]) {
    self.said = said
    var text: [Unicode.Scalar] = []
    var origins: [Int] = []
    for word in words {
      if !text.isEmpty {
        text.append(" ")
        origins.append(word.range.lowerBound)
      }
      for (index, scalar) in PhraseText.composed(word.text).enumerated() {
        text.append(scalar)
        origins.append(min(word.range.lowerBound + index, word.range.upperBound - 1))
      }
      // A respelled word ends where the one that was said does.
      if let last = origins.indices.last { origins[last] = word.range.upperBound - 1 }
    }
    self.text = String(String.UnicodeScalarView(text))
    self.origins = origins
  }

  /// Whether it is a question, and not a request, which begins with words that were left out.
  var isQuestion: Bool {
    let first = said.firstIndex { $0.properties.isAlphabetic } ?? 0
    return (said.last == "?" || said.last == "？") && (origins?.first ?? first) <= first
  }

  /// The words of the sentence between its spaces.
  static func words(of said: [Unicode.Scalar]) -> [Word] {
    var words: [Word] = []
    var start: Int?
    for index in 0...said.count {
      if index < said.count, !said[index].properties.isWhitespace {
        start = start ?? index
      } else if let first = start {
        words.append(
          Word(text: String(String.UnicodeScalarView(said[first..<index])), range: first..<index))
        start = nil
      }
    }
    return words
  }

  /// The scalars of the sentence as it was said from which some of the text were taken.
  func origin(of range: Range<Int>) -> Range<Int> {
    guard let origins else { return range }
    guard let first = range.first, let last = range.last, origins.indices.contains(last) else {
      return 0..<0
    }
    return origins[first]..<(origins[last] + 1)
  }

  /// The words that were said in a range of scalars.
  func said(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(said[range.clamped(to: 0..<said.count)]))
  }
}
