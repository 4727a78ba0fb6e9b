/// JSON as pages have it: in comments, with line ends in texts, commas too many.
enum LooseJSON {
  /// The text with what is certainly wrong put right.
  static func mended(_ text: String) -> String {
    var input = text.trimmedHTML
    // Each may stand within another.
    var isWrapped = true
    while isWrapped {
      isWrapped = false
      for start in ["<!--", "/*<![CDATA[*/", "//<![CDATA[", "<![CDATA["]
      where input.hasPrefix(start) {
        input = String(input.dropFirst(start.count)).trimmedHTML
        isWrapped = true
      }
      for end in ["-->", "/*]]>*/", "//]]>", "]]>", "//", ";"] where input.hasSuffix(end) {
        input = String(input.dropLast(end.count)).trimmedHTML
        isWrapped = true
      }
    }
    var result: [UInt8] = []
    result.reserveCapacity(input.utf8.count)
    var isInText = false
    var isEscaped = false
    for byte in input.utf8 {
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

  /// Drops a comma after which nothing else came.
  private static func dropComma(_ bytes: inout [UInt8]) {
    guard let last = bytes.lastIndex(where: { $0 > 0x20 }), bytes[last] == UInt8(ascii: ",") else {
      return
    }
    bytes.remove(at: last)
  }
}
