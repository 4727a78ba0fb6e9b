/// A range of UTF-8 bytes in a file.
package struct Span: Sendable {
  package let file: SourceFile
  private let start: Int32
  private let end: Int32

  package init(_ file: SourceFile, _ range: Range<Int>) {
    self.file = file
    start = Int32(clamping: range.lowerBound)
    end = Int32(clamping: range.upperBound)
  }

  /// Byte range; empty for a point.
  package var range: Range<Int> { Int(start)..<Int(end) }

  /// Position of its start.
  package var position: Position { file.position(of: Int(start)) }

  /// The text in the range.
  package var text: String { file.text(in: range) }

  /// The part on its first line.
  package var firstLine: Span {
    let end = file.line(file.lineNumber(of: Int(start))).upperBound
    return Span(file, Int(start)..<max(Int(start), min(Int(self.end), end)))
  }

  /// `file:line:column`, the form that editors and terminals make clickable.
  package var location: String {
    let position = position
    return "\(file.name):\(position.line):\(position.column)"
  }

  /// Returns the line with the span replaced by another text, for advice; nil if it is too long.
  package func line(with text: String) -> String? {
    let line = file.line(position.line)
    guard range.upperBound <= line.upperBound, line.count <= Self.maxLineLength else { return nil }
    let before = file.text(in: line.lowerBound..<range.lowerBound).drop { $0 == " " }
    return before + text + file.text(in: range.upperBound..<line.upperBound)
  }

  /// Longest line worth repeating in advice.
  private static let maxLineLength = 200
}
