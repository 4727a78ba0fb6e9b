/// Text that is safe to print on a terminal.
///
/// Literals in the source are trusted; everything interpolated at run time is sanitized, so that no
/// outside text can control the terminal.
package struct TerminalText: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The text, including the program's own escape sequences.
  package private(set) var text: String

  /// Creates a text from a trusted literal.
  package init(stringLiteral text: StaticString) {
    self.text = text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
  }

  /// Creates a text from a literal with interpolations.
  package init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  /// Sanitizes a text; keeps line breaks and tabs if `keepsLines`, else they become spaces.
  package init(_ text: String, keepsLines: Bool = false) {
    self.text = text.harmless(keepsLines: keepsLines)
  }

  /// Wraps a text in ANSI escape sequences (ECMA-48 §8.3.117), such as `1` for bold.
  package init(_ text: TerminalText, rendition: StaticString) {
    let code = rendition.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    self.text = "\u{1B}[\(code)m\(text.text)\u{1B}[0m"
  }

  /// Whether the text is empty.
  package var isEmpty: Bool { text.isEmpty }

  /// Lines without their line breaks; a final line break does not start another line.
  package var lines: [TerminalText] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var part: TerminalText = ""
      part.text = String(line)
      return part
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// Concatenates two texts.
  package static func + (left: TerminalText, right: TerminalText) -> TerminalText {
    var both = left
    both.text += right.text
    return both
  }

  /// Appends a text.
  package static func += (left: inout TerminalText, right: TerminalText) { left.text += right.text }

  /// Builds a text from an interpolated literal.
  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var text: String

    /// Creates an empty interpolation.
    package init(literalCapacity: Int, interpolationCount: Int) {
      text = ""
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    /// Appends a trusted literal.
    package mutating func appendLiteral(_ literal: StaticString) {
      literal.withUTF8Buffer { text += String(decoding: $0, as: UTF8.self) }
    }

    /// Appends a text that is safe already.
    package mutating func appendInterpolation(_ part: TerminalText) { text += part.text }

    /// Sanitizes and appends a text, on one line.
    package mutating func appendInterpolation(_ part: some StringProtocol) {
      text += String(part).harmless()
    }

    /// Appends a number.
    package mutating func appendInterpolation(_ part: some BinaryInteger) { text += String(part) }
  }
}

extension Sequence<TerminalText> {
  /// Concatenates texts with a separator.
  package func joined(separator: TerminalText = "") -> TerminalText {
    var result: TerminalText = ""
    var isFirst = true
    for text in self {
      if !isFirst { result += separator }
      result += text
      isFirst = false
    }
    return result
  }
}
