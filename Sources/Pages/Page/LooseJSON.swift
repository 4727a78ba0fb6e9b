import ForeignText

/// JSON with mistakes that are common in pages: comments, line breaks in strings, trailing commas.
enum LooseJSON {
  /// Returns the text with these mistakes corrected.
  static func repaired(_ text: String) -> String {
    let input = unwrapped(Array(text.utf8)[...])
    var result: [UInt8] = []
    result.reserveCapacity(input.count)
    var isInText = false
    var isEscaped = false
    for byte in input {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        result.append(byte < 0x20 ? 0x20 : byte)
        continue
      }
      if byte == UInt8(ascii: "\"") { isInText = true }
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { dropComma(&result) }
      result.append(byte)
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The bytes without enclosing comments, which may be nested.
  private static func unwrapped(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var input = trimmed(text)
    var isWrapped = true
    while isWrapped {
      isWrapped = false
      for start in ["<!--", "/*<![CDATA[*/", "//<![CDATA[", "<![CDATA["]
      where input.starts(with: start.utf8) {
        input = trimmed(input.dropFirst(start.utf8.count))
        isWrapped = true
      }
      for end in ["-->", "/*]]>*/", "//]]>", "]]>", "//", ";"]
      where input.suffix(end.utf8.count).elementsEqual(end.utf8) {
        input = trimmed(input.dropLast(end.utf8.count))
        isWrapped = true
      }
    }
    return input
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop(while: \.isBlank)
    while bytes.last?.isBlank == true { bytes.removeLast() }
    return bytes
  }

  /// Removes a trailing comma.
  private static func dropComma(_ bytes: inout [UInt8]) {
    guard let last = bytes.lastIndex(where: { $0 > 0x20 }), bytes[last] == UInt8(ascii: ",") else {
      return
    }
    bytes.remove(at: last)
  }
}
