/// A range of UTF-8 bytes in a file: where a node, a name or a mistake stands.
package struct Span: Sendable {
  package let file: SourceFile
  private let start: Int32
  private let end: Int32

  package init(_ file: SourceFile, _ range: Range<Int>) {
    self.file = file
    start = Int32(clamping: range.lowerBound)
    end = Int32(clamping: range.upperBound)
  }

  /// The bytes it covers; empty for a point.
  package var range: Range<Int> { Int(start)..<Int(end) }

  /// Where it begins, counted from one.
  package var position: Position { file.position(of: Int(start)) }

  /// The text it covers.
  package var text: String { file.text(in: range) }

  /// What of it stands on its first line.
  package var firstLine: Span {
    let end = file.line(file.lineNumber(of: Int(start))).upperBound
    return Span(file, Int(start)..<max(Int(start), min(Int(self.end), end)))
  }

  /// `file:line:column`, the form that editors and terminals make clickable.
  package var location: String {
    let position = position
    return "\(file.name):\(position.line):\(position.column)"
  }

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
