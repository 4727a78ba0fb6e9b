/// Text that a terminal may be given.
///
/// What a program's own source says is taken as it is; all that is put into it at run time is made
/// harmless on the way, so that no text from outside can steer a terminal.
package struct TerminalText: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The text, with the escape sequences that the program itself has put there.
  package private(set) var text: String

  /// A text of the program's own source.
  package init(stringLiteral text: StaticString) {
    self.text = text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
  }

  /// A text of the program's own source with others in it.
  package init(stringInterpolation: Interpolation) {
    text = stringInterpolation.text
  }

  /// A text from outside; line breaks and tabs stay when `keepsLines`, else they become spaces.
  package init(_ text: String, keepsLines: Bool = false) {
    self.text = text.harmless(keepsLines: keepsLines)
  }

  /// A text between two escape sequences of ANSI (ECMA-48 §8.3.117), such as `1` for bold.
  package init(_ text: TerminalText, rendition: StaticString) {
    let code = rendition.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    self.text = "\u{1B}[\(code)m\(text.text)\u{1B}[0m"
  }

  /// Whether there is nothing in it.
  package var isEmpty: Bool { text.isEmpty }

  /// Its lines, without their ends; nothing follows the last end.
  package var lines: [TerminalText] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var part: TerminalText = ""
      part.text = String(line)
      return part
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// One text after the other.
  package static func + (left: TerminalText, right: TerminalText) -> TerminalText {
    var both = left
    both.text += right.text
    return both
  }

  /// Appends a text.
  package static func += (left: inout TerminalText, right: TerminalText) {
    left.text += right.text
  }

  /// What is written between the quotes of a literal with `\( )` in it.
  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var text: String

    /// Nothing so far.
    package init(literalCapacity: Int, interpolationCount: Int) {
      text = ""
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    /// Adds a part of the source.
    package mutating func appendLiteral(_ literal: StaticString) {
      literal.withUTF8Buffer { text += String(decoding: $0, as: UTF8.self) }
    }

    /// Adds what a terminal may be given already.
    package mutating func appendInterpolation(_ part: TerminalText) { text += part.text }

    /// Adds a text from outside on one line.
    package mutating func appendInterpolation(_ part: some StringProtocol) {
      text += String(part).harmless()
    }

    /// Adds a number.
    package mutating func appendInterpolation(_ part: some BinaryInteger) { text += String(part) }
  }
}

extension Sequence<TerminalText> {
  /// The texts one after the other.
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
