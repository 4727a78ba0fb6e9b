/// Text with marked parts, such as the matches of a search.
package struct MarkedText: Hashable, Sendable {
  /// A piece that is either marked or not.
  package struct Run: Hashable, Sendable {
    package let text: String
    package let isMarked: Bool

    package init(_ text: String, isMarked: Bool) {
      self.text = text
      self.isMarked = isMarked
    }
  }

  /// The pieces in order, none of them empty.
  package let runs: [Run]

  /// Joins pieces, dropping empty ones.
  package init(_ runs: [Run]) {
    self.runs = runs.filter { !$0.text.isEmpty }
  }

  /// Unmarked text.
  package init(_ text: String) { self.init([Run(text, isMarked: false)]) }

  /// The text without its marks.
  package var text: String { runs.map(\.text).joined() }

  /// The number of marked pieces.
  package var markCount: Int { runs.count(where: \.isMarked) }

  /// Whether anything is marked.
  package var hasMarks: Bool { runs.contains(where: \.isMarked) }

  /// Transforms the text of each piece.
  package func mapText(_ change: (String) -> String) -> MarkedText {
    MarkedText(runs.map { Run(change($0.text), isMarked: $0.isMarked) })
  }

  // MARK: Parts

  /// The first occurrence of a text, with its marks; nil when there is none.
  ///
  /// - Complexity: O(length of both).
  package func part(_ text: String) -> MarkedText? {
    guard let range = self.text.firstRange(of: text), !text.isEmpty else { return nil }
    let start = self.text.distance(from: self.text.startIndex, to: range.lowerBound)
    return characters(start..<start + text.count)
  }

  /// A range of characters.
  private func characters(_ range: Range<Int>) -> MarkedText {
    var parts: [Run] = []
    var position = 0
    for run in runs {
      let count = run.text.count
      let skipped = max(0, range.lowerBound - position)
      let end = min(count, range.upperBound - position)
      if skipped < end {
        let text = String(run.text.dropFirst(skipped).prefix(end - skipped))
        parts.append(Run(text, isMarked: run.isMarked))
      }
      position += count
      if position >= range.upperBound { break }
    }
    return MarkedText(parts)
  }

  /// An excerpt around the densest marks, on one line and limited to a number of characters.
  ///
  /// - Complexity: O(length).
  package func excerpt(length: Int) -> MarkedText {
    let line = mapText { text in
      String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }
    let text = Array(line.text)
    guard text.count > length, length > 2 else { return line }
    // A quarter of the length is for context before the marks.
    var start = max(0, line.densestMark(within: length * 3 / 4) - length / 4)
    // An ellipsis takes one character.
    start = min(start, text.count - length + 1)
    if start > 0 { start = Self.wordStart(atOrAfter: start, in: text, limit: start + length / 4) }
    // Reserve space for the ellipses.
    let room = length - (start > 0 ? 1 : 0)
    var end = text.count
    if start + room < text.count {
      end = start + room - 1
      end = Self.wordEnd(atOrBefore: end, in: text, limit: end - length / 3)
    }
    let ellipsis = Run("…", isMarked: false)
    return MarkedText(
      (start > 0 ? [ellipsis] : []) + line.characters(start..<end).runs
        + (end < text.count ? [ellipsis] : []))
  }

  /// The start of the mark that is followed by the most others within a distance.
  private func densestMark(within distance: Int) -> Int {
    var starts: [Int] = []
    var position = 0
    for run in runs {
      if run.isMarked { starts.append(position) }
      position += run.text.count
    }
    var best = (start: starts.first ?? 0, count: 0)
    var end = 0
    for (index, start) in starts.enumerated() {
      while end < starts.count, starts[end] < start + distance { end += 1 }
      if end - index > best.count { best = (start, end - index) }
    }
    return best.start
  }

  /// The start of a word near a position, or the position itself.
  private static func wordStart(atOrAfter place: Int, in text: [Character], limit: Int) -> Int {
    for index in place..<min(limit, text.count) where index > 0 && text[index - 1] == " " {
      return index
    }
    return place
  }

  /// The end of a word near a position, or the position itself.
  private static func wordEnd(atOrBefore place: Int, in text: [Character], limit: Int) -> Int {
    for index in stride(from: place, through: max(limit, 0), by: -1) where text[index] == " " {
      return index
    }
    return place
  }
}
