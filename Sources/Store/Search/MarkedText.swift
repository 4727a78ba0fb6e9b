/// Text of which some parts are marked, such as the words of a search where they stand in it.
package struct MarkedText: Hashable, Sendable {
  /// A piece that is marked as a whole, or not at all.
  package struct Run: Hashable, Sendable {
    package let text: String
    package let isMarked: Bool

    package init(_ text: String, isMarked: Bool) {
      self.text = text
      self.isMarked = isMarked
    }
  }

  /// The pieces in order; none is empty.
  package let runs: [Run]

  /// Joins pieces; empty ones are left out.
  package init(_ runs: [Run]) {
    self.runs = runs.filter { !$0.text.isEmpty }
  }

  /// Text with nothing marked.
  package init(_ text: String) { self.init([Run(text, isMarked: false)]) }

  /// The text without its marks.
  package var text: String { runs.map(\.text).joined() }

  /// How many pieces are marked.
  package var markCount: Int { runs.count(where: \.isMarked) }

  /// Whether anything is marked.
  package var hasMarks: Bool { runs.contains(where: \.isMarked) }

  /// The pieces with their text changed.
  package func mapText(_ change: (String) -> String) -> MarkedText {
    MarkedText(runs.map { Run(change($0.text), isMarked: $0.isMarked) })
  }

  // MARK: Parts

  /// The first place where a text stands, with its marks; nil when it stands nowhere.
  ///
  /// - Complexity: O(length of both).
  package func part(_ text: String) -> MarkedText? {
    guard let range = self.text.firstRange(of: text), !text.isEmpty else { return nil }
    let start = self.text.distance(from: self.text.startIndex, to: range.lowerBound)
    return characters(start..<start + text.count)
  }

  /// Some of the characters, by their positions.
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

  /// What stands around the most marks, on one line and no longer than a number of characters.
  ///
  /// - Complexity: O(length).
  package func excerpt(length: Int) -> MarkedText {
    let line = mapText { text in
      String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }
    let text = Array(line.text)
    guard text.count > length, length > 2 else { return line }
    // A quarter of the room is for what comes before.
    var start = max(0, line.densestMark(within: length * 3 / 4) - length / 4)
    // An ellipsis takes the room of one.
    start = min(start, text.count - length + 1)
    if start > 0 { start = Self.wordStart(atOrAfter: start, in: text, limit: start + length / 4) }
    // The ellipses need room, too.
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

  /// Where the mark begins after which the most others follow within a distance.
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

  /// The beginning of a word, or the place itself where none is near.
  private static func wordStart(atOrAfter place: Int, in text: [Character], limit: Int) -> Int {
    for index in place..<min(limit, text.count) where index > 0 && text[index - 1] == " " {
      return index
    }
    return place
  }

  /// The end of a word, or the place itself where none is near.
  private static func wordEnd(atOrBefore place: Int, in text: [Character], limit: Int) -> Int {
    for index in stride(from: place, through: max(limit, 0), by: -1) where text[index] == " " {
      return index
    }
    return place
  }
}
