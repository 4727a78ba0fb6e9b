import CJansson

extension JSONError {
  /// Creates the error for a report of Jansson, in our own words.
  init(_ report: json_error_t, in text: UnsafeRawBufferPointer, maxDepth: Int) {
    let code = withUnsafePointer(to: report) { json_error_code($0) }
    let (words, token) = Self.wording(of: report)
    let place = Self.place(of: token, before: Int(report.position), in: text)
    let found = token.isEmpty ? "" : ": \(token)"
    switch code {
    case json_error_stack_overflow:
      self = .tooDeep(in: text, maxDepth: maxDepth)
    case json_error_premature_end_of_input:
      // The error is after the last token, not after trailing white space.
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

  /// Creates the error for excessive nesting, at the bracket that exceeds the limit.
  static func tooDeep(in text: UnsafeRawBufferPointer, maxDepth: Int) -> JSONError {
    var depth = 0
    var isInString = false
    var place = 0
    while place < text.count, depth <= maxDepth {
      switch text[place] {
      case UInt8(ascii: "\\") where isInString: place += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: break
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      place += 1
    }
    place = depth > maxDepth ? place - 1 : 0
    return JSONError(
      .limit, "the JSON text is nested deeper than \(maxDepth) levels",
      at: .init(of: place, in: text))
  }

  /// Returns the offset of the first invalid UTF-8, which Jansson does not report.
  private static func firstInvalidByte(in text: UnsafeRawBufferPointer) -> Int {
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = text.makeIterator()
    var offset = 0
    while case .valid(let scalar) = parser.parseScalar(from: &bytes) { offset += scalar.count }
    return offset
  }

  /// Splits Jansson's message into its text and the token in it.
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

  /// Returns the start of a token that ends at an offset; the offset itself if it is not there.
  private static func place(
    of token: String, before end: Int, in text: UnsafeRawBufferPointer
  ) -> Place {
    let end = min(max(end, 0), text.count)
    let start = end - token.utf8.count
    let isThere = start >= 0 && text[start..<end].elementsEqual(token.utf8)
    return Place(of: isThere ? start : end, in: text)
  }
}
