extension Span {
  /// The line of the span with another text in its place, for advice; nil when it is too long.
  package func line(with text: String) -> String? {
    let line = file.line(position.line)
    guard range.upperBound <= line.upperBound, line.count <= Self.longestLine else { return nil }
    let before = file.text(in: line.lowerBound..<range.lowerBound).drop { $0 == " " }
    return before + text + file.text(in: range.upperBound..<line.upperBound)
  }

  /// Nobody reads a longer line twice.
  private static let longestLine = 200
}
