/// An error in a JSON text, or a value that JSON cannot represent.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of problem.
  package enum Code: String, Sendable {
    case syntax = "json-syntax"
    case encoding = "json-encoding"
    case duplicateKey = "json-duplicate-key"
    case number = "json-number"
    case limit = "json-limit"
  }

  package let code: Code
  /// The problem in one sentence, without a full stop.
  package let message: String
  /// Position; nil if the problem is not in a text.
  package let place: Place?

  /// A position in a JSON text.
  package struct Place: Hashable, Sendable {
    /// Line, counted from one.
    package let line: Int
    /// Column in Unicode scalars, counted from one.
    package let column: Int
    /// Byte offset, counted from zero.
    package let offset: Int
  }

  package init(_ code: Code, _ message: String, at place: Place? = nil) {
    self.code = code
    self.message = message
    self.place = place
  }

  /// The message, prefixed by line and column.
  package var description: String {
    guard let place else { return message }
    return "line \(place.line), column \(place.column): \(message)"
  }
}

extension JSONError.Place {
  /// Creates the position of a byte offset.
  ///
  /// - Complexity: O(offset).
  init(of offset: Int, in text: UnsafeRawBufferPointer) {
    let offset = min(max(offset, 0), text.count)
    var line = 1
    var column = 1
    for byte in text[..<offset] {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.init(line: line, column: column, offset: offset)
  }
}
