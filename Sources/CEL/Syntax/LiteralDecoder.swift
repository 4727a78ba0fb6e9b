/// Decodes the text of a literal.
struct LiteralDecoder {
  private let text: ArraySlice<UInt8>
  private let start: Int

  /// Selects the literal at a range of an expression's text.
  init(_ text: [UInt8], _ range: Range<Int>) {
    self.text = text[range]
    start = range.lowerBound
  }

  /// Returns the value; `isNegative` says whether a minus sign precedes a number.
  func value(_ kind: Token.Kind, isNegative: Bool) throws(ExpressionError) -> Value {
    let digits = String(decoding: text, as: UTF8.self)
    switch kind {
    case .string: return .string(String(decoding: try unescaped(isBytes: false), as: UTF8.self))
    case .keyword: return digits == "null" ? Value.null : .bool(digits == "true")
    case .bytes: return .bytes(try unescaped(isBytes: true))
    case .double:
      guard let value = Double(digits), value.isFinite else {
        throw problem("`\(digits)` is too large for a double")
      }
      return .double(isNegative ? -value : value)
    case .uint:
      guard !isNegative else { throw problem("a uint cannot be negative", help: "drop the `u`") }
      guard let value: UInt64 = integer(digits.dropLast()) else {
        throw problem("`\(digits)` is too large for a uint")
      }
      return .uint(value)
    default:
      if let value: Int64 = integer(digits[...], sign: isNegative ? "-" : "") { return .int(value) }
      throw problem(
        "`\(isNegative ? "-" : "")\(digits)` does not fit in 64 bits",
        help: isNegative ? nil : "write `\(digits).0` for a double")
    }
  }

  private func integer<T: FixedWidthInteger>(_ digits: Substring, sign: String = "") -> T? {
    let isHexadecimal = digits.lowercased().hasPrefix("0x")
    return isHexadecimal ? T(sign + digits.dropFirst(2), radix: 16) : T(sign + digits)
  }

  // MARK: - Strings

  private func unescaped(isBytes: Bool) throws(ExpressionError) -> [UInt8] {
    var body = text
    var isRaw = false
    while let first = body.first, first != UInt8(ascii: "\""), first != UInt8(ascii: "'") {
      isRaw = isRaw || first | 0x20 == UInt8(ascii: "r")
      body.removeFirst()
    }
    let quote = body.first
    let isTriple = body.count >= 6 && body.prefix(3).allSatisfy { $0 == quote }
    body = body.dropFirst(isTriple ? 3 : 1).dropLast(isTriple ? 3 : 1)
    var result: [UInt8] = []
    result.reserveCapacity(body.count)
    while let byte = body.popFirst() {
      if byte == UInt8(ascii: "\\"), !isRaw {
        try escape(&body, isBytes: isBytes, into: &result)
      } else if byte == 0x0D {
        // Newlines are normalized.
        if body.first == 0x0A { body.removeFirst() }
        result.append(0x0A)
      } else {
        result.append(byte)
      }
    }
    return result
  }

  /// Consumes an escape sequence after its backslash.
  private func escape(
    _ body: inout ArraySlice<UInt8>, isBytes: Bool, into result: inout [UInt8]
  ) throws(ExpressionError) {
    let begin = body.startIndex - 1
    guard let letter = body.popFirst() else {
      throw problem("a backslash needs a character after it", begin..<begin + 1)
    }
    if let index = LiteralText.controls.utf8.enumerated().first(where: { $1 == letter })?.offset {
      result.append(UInt8(7 + index))
      return
    }
    switch letter {
    case _ where "\\?\"'`".utf8.contains(letter): result.append(letter)
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      let value = try digits(2, radix: 16, &body, begin)
      try append(value, isByte: isBytes, begin..<body.startIndex, into: &result)
    case UInt8(ascii: "u") where !isBytes, UInt8(ascii: "U") where !isBytes:
      var value = try digits(letter == UInt8(ascii: "u") ? 4 : 8, radix: 16, &body, begin)
      if (0xD800..<0xDC00).contains(value), body.starts(with: "\\u".utf8) {
        // Two escapes may form a UTF-16 surrogate pair.
        body.removeFirst(2)
        let low = try digits(4, radix: 16, &body, begin)
        if (0xDC00..<0xE000).contains(low) {
          value = 0x10000 + ((value & 0x3FF) << 10) + (low & 0x3FF)
        }
      }
      try append(value, isByte: false, begin..<body.startIndex, into: &result)
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      let value = UInt32(letter - 0x30) * 64 + (try digits(2, radix: 8, &body, begin))
      try append(value, isByte: isBytes, begin..<body.startIndex, into: &result)
    default:
      let shown = String(decoding: text[begin..<body.startIndex], as: UTF8.self)
      throw problem(
        "`\(shown)` is not an escape", begin..<body.startIndex,
        help: isBytes && letter | 0x20 == UInt8(ascii: "u")
          ? "bytes have `\\x` and octal escapes only"
          : "write `\\\\` for a backslash, or r\"…\" for a raw string")
    }
  }

  private func digits(
    _ count: Int, radix: UInt32, _ body: inout ArraySlice<UInt8>, _ begin: Int
  ) throws(ExpressionError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let first = body.first, let digit = Character(Unicode.Scalar(first)).hexDigitValue,
        digit < radix
      else {
        throw problem(
          "this escape needs \(count) \(radix == 16 ? "hexadecimal" : "octal") digits",
          begin..<body.startIndex)
      }
      // Eight hexadecimal digits fill 32 bits exactly, so this cannot overflow.
      value = value &* radix &+ UInt32(digit)
      body.removeFirst()
    }
    return value
  }

  private func append(
    _ value: UInt32, isByte: Bool, _ range: Range<Int>, into result: inout [UInt8]
  ) throws(ExpressionError) {
    if isByte {
      result.append(UInt8(truncatingIfNeeded: value))
    } else if let scalar = Unicode.Scalar(value) {
      result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    } else {
      throw problem("invalid Unicode character", range)
    }
  }

  private func problem(
    _ message: String, _ range: Range<Int>? = nil, help: String? = nil
  ) -> ExpressionError {
    .syntax(message, range ?? start..<start + text.count, help: help)
  }
}
