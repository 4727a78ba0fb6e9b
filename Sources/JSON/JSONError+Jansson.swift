import CJansson

extension JSONError {
  /// Says in our own words what Jansson found wrong.
  init(_ report: json_error_t, in text: UnsafeRawBufferPointer, maxDepth: Int) {
    let code = withUnsafePointer(to: report) { json_error_code($0) }
    let (words, token) = Self.wording(of: report)
    let place = Self.place(of: token, before: Int(report.position), in: text)
    let found = token.isEmpty ? "" : ": \(token)"
    switch code {
    case json_error_stack_overflow:
      self = .tooDeep(in: text, maxDepth: maxDepth)
    case json_error_premature_end_of_input:
      // Blanks and line breaks at the end are no part of what is missing.
      let end = (text.lastIndex { $0 > 0x20 } ?? -1) + 1
      self.init(.syntax, "the JSON text ends too early", at: .init(of: end, in: text))
    case json_error_end_of_input_expected:
      self.init(.syntax, "more text follows after the JSON value\(found)", at: place)
    case json_error_invalid_utf8:
      let offset = Self.firstInvalidByte(in: text)
      self.init(.encoding, "the JSON text is not valid UTF-8", at: .init(of: offset, in: text))
    case json_error_duplicate_key:
      self.init(.duplicateKey, "an object has the same key twice\(found)", at: place)
    case json_error_numeric_overflow:
      let isInteger = words.contains("integer")
      let what = isInteger ? "whole number outside the range of int" : "number too large for double"
      self.init(.number, what + found, at: place)
    case json_error_null_byte_in_key:
      self.init(.syntax, "a key contains NUL\(found)", at: place)
    default:
      self.init(.syntax, "not valid JSON, \(words)\(found)", at: place)
    }
  }

  /// The error of a text whose lists and objects stand too deep, at the bracket that is too much.
  static func tooDeep(in text: UnsafeRawBufferPointer, maxDepth: Int) -> JSONError {
    var depth = 0
    var isInString = false
    var isEscaped = false
    var place = 0
    scan: for (offset, byte) in text.enumerated() {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth > maxDepth {
          place = offset
          break scan
        }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return JSONError(
      .limit, "the JSON text is nested deeper than \(maxDepth) levels",
      at: .init(of: place, in: text))
  }

  /// The offset of the first bytes that are not UTF-8; Jansson does not tell it.
  private static func firstInvalidByte(in text: UnsafeRawBufferPointer) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = text.makeIterator()
    var offset = 0
    while case .valid(let scalar) = parser.parseScalar(from: &bytes) { offset += scalar.count }
    return offset
  }

  /// Jansson's message without the token that it found, and that token.
  private static func wording(of report: json_error_t) -> (words: String, token: String) {
    // The last byte of the array holds the error code.
    let message = withUnsafeBytes(of: report.text) { bytes in
      String(decoding: bytes.dropLast().prefix { $0 != 0 }, as: UTF8.self)
    }
    guard let near = message.firstRange(of: " near '"), message.hasSuffix("'") else {
      return (message, "")
    }
    let token = message[near.upperBound...].dropLast()
    return (String(message[..<near.lowerBound]), String(token))
  }

  /// Where a token begins that ends at an offset; the offset itself when it does not stand there.
  private static func place(
    of token: String, before end: Int, in text: UnsafeRawBufferPointer
  ) -> Place {
    let end = min(max(end, 0), text.count)
    let start = end - token.utf8.count
    let isThere = start >= 0 && text[start..<end].elementsEqual(token.utf8)
    return Place(of: isThere ? start : end, in: text)
  }
}
