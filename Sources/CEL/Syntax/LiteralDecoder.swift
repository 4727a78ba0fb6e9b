/// Turns the text of a literal into the value it stands for.
struct LiteralDecoder {
  private let text: ArraySlice<UInt8>
  private let start: Int

  /// Takes the literal at a range of an expression's text.
  init(_ text: [UInt8], _ range: Range<Int>) {
    self.text = text[range]
    start = range.lowerBound
  }

  // MARK: - Numbers

  /// The number, negative when a minus sign stood before it.
  func number(_ kind: Token.Kind, isNegative: Bool) throws(ExpressionError) -> Value {
    let digits = String(decoding: text, as: UTF8.self)
    switch kind {
    case .double:
      guard let value = Double(digits), value.isFinite else {
        throw problem("`\(digits)` is too large for a double")
      }
      return .double(isNegative ? -value : value)
    case .uint:
      guard !isNegative else { throw problem("a uint can't be negative", help: "drop the `u`") }
      guard let value = magnitude(text.dropLast()) else {
        throw problem("`\(digits)` is too large for a uint")
      }
      return .uint(value)
    default:
      guard let value = magnitude(text) else { throw tooLarge(digits, isNegative) }
      if isNegative {
        guard value <= Int64.min.magnitude else { throw tooLarge(digits, isNegative) }
        return .int(Int64(truncatingIfNeeded: 0 &- value))
      }
      guard let value = Int64(exactly: value) else { throw tooLarge(digits, isNegative) }
      return .int(value)
    }
  }

  private func magnitude(_ digits: ArraySlice<UInt8>) -> UInt64? {
    let isHexadecimal = digits.dropFirst().first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
    let radix: UInt64 = isHexadecimal ? 16 : 10
    var value: UInt64 = 0
    for byte in digits.dropFirst(isHexadecimal ? 2 : 0) {
      guard let digit = Self.hexValue(byte) else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: radix)
      let (sum, carried) = product.addingReportingOverflow(UInt64(digit))
      if overflow || carried { return nil }
      value = sum
    }
    return value
  }

  private func tooLarge(_ digits: String, _ isNegative: Bool) -> ExpressionError {
    problem(
      "`\(isNegative ? "-" : "")\(digits)` does not fit in 64 bits",
      help: isNegative ? nil : "write `\(digits).0` for a double")
  }

  // MARK: - Strings

  /// The string.
  func string() throws(ExpressionError) -> String {
    let bytes = try unescaped(isBytes: false)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes.
  func bytes() throws(ExpressionError) -> [UInt8] {
    try unescaped(isBytes: true)
  }

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
        // A line ends with one newline, however the file writes it.
        if body.first == 0x0A { body.removeFirst() }
        result.append(0x0A)
      } else {
        result.append(byte)
      }
    }
    return result
  }

  /// Consumes what follows a backslash.
  private func escape(
    _ body: inout ArraySlice<UInt8>, isBytes: Bool, into result: inout [UInt8]
  ) throws(ExpressionError) {
    let begin = body.startIndex - 1
    guard let letter = body.popFirst() else {
      throw problem("a backslash needs a character after it", begin..<begin + 1)
    }
    switch letter {
    case UInt8(ascii: "a"): result.append(0x07)
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0C)
    case UInt8(ascii: "n"): result.append(0x0A)
    case UInt8(ascii: "r"): result.append(0x0D)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "v"): result.append(0x0B)
    case UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "\""), UInt8(ascii: "'"),
      UInt8(ascii: "`"):
      result.append(letter)
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      let value = try digits(2, radix: 16, &body, begin)
      try append(value, isByte: isBytes, begin..<body.startIndex, into: &result)
    case UInt8(ascii: "u") where !isBytes, UInt8(ascii: "U") where !isBytes:
      var value = try digits(letter == UInt8(ascii: "u") ? 4 : 8, radix: 16, &body, begin)
      if (0xD800..<0xDC00).contains(value), body.starts(with: "\\u".utf8) {
        // Two escapes may stand for one character beyond the first plane, as in UTF-16.
        body.removeFirst(2)
        let low = try digits(4, radix: 16, &body, begin)
        if (0xDC00..<0xE000).contains(low) {
          value = 0x10000 + ((value & 0x3FF) << 10) + (low & 0x3FF)
        }
      }
      try append(value, isByte: false, begin..<body.startIndex, into: &result)
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      let rest = try digits(2, radix: 8, &body, begin)
      let value = UInt32(letter - 0x30) * 64 + rest
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
      guard let digit = body.first.flatMap(Self.hexValue), digit < radix else {
        throw problem(
          "this escape needs \(count) \(radix == 16 ? "hexadecimal" : "octal") digits",
          begin..<body.startIndex)
      }
      // Eight hexadecimal digits fill 32 bits exactly, so this can't overflow.
      value = value &* radix &+ digit
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
      throw problem("this escape is not a Unicode character", range)
    }
  }

  private static func hexValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
  }

  private func problem(
    _ message: String, _ range: Range<Int>? = nil, help: String? = nil
  ) -> ExpressionError {
    .syntax(message, range ?? start..<start + text.count, help: help)
  }
}
