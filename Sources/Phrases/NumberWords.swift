/// Spelled numbers in order, so that those that begin alike are neighbours.
struct NumberWords: Sendable {
  private let words: [(scalars: [Unicode.Scalar], number: Double)]

  init(_ words: [String: Double]) {
    self.words = words.map { (PhraseSentence.scalars(of: $0.key), $0.value) }
      .sorted { $0.scalars.lexicographicallyPrecedes($1.scalars) }
  }

  /// Words that begin with the scalars read so far.
  private struct Candidates {
    var range: Range<Int>
    var length: Int
    var literal: Int
  }

  /// The numbers at a position, with the positions after them and their numbers of scalars.
  func matches(in text: [Unicode.Scalar], at start: Int) -> [(Double, Int, Int)] {
    var found: [(Double, Int, Int)] = []
    var current = [Candidates(range: words.indices, length: 0, literal: 0)]
    var position = start
    while position < text.count, !current.isEmpty {
      let scalar = text[position]
      position += 1
      var next: [Candidates] = []
      for candidates in current {
        if let longer = longer(candidates, scalar, counts: scalar != " ") { next.append(longer) }
        // A hyphen of the sentence may stand for a space.
        if scalar == "-" || scalar == "_", let longer = longer(candidates, " ", counts: false) {
          next.append(longer)
        }
      }
      current = next
      for candidates in current {
        let first = words[candidates.range.lowerBound]
        if first.scalars.count == candidates.length {
          found.append((first.number, position, candidates.literal))
        }
      }
    }
    return found
  }

  /// The candidates that go on with a scalar; nil if there are none.
  private func longer(
    _ candidates: Candidates, _ scalar: Unicode.Scalar, counts: Bool
  ) -> Candidates? {
    let length = candidates.length
    func bound(_ isBefore: (Unicode.Scalar) -> Bool) -> Int {
      var (low, high) = (candidates.range.lowerBound, candidates.range.upperBound)
      while low < high {
        let middle = (low + high) / 2
        let scalars = words[middle].scalars
        if scalars.count == length || isBefore(scalars[length]) {
          low = middle + 1
        } else {
          high = middle
        }
      }
      return low
    }
    let start = bound { $0 < scalar }
    let end = bound { $0 <= scalar }
    guard start < end else { return nil }
    return Candidates(
      range: start..<end, length: length + 1, literal: candidates.literal + (counts ? 1 : 0))
  }
}
