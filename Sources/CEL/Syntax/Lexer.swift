/// Splits the text of an expression into tokens.
struct Lexer {
  /// The text as UTF-8.
  let text: [UInt8]
  /// Whether problems suggest a likely fix.
  private let advises: Bool
  private var position = 0

  /// Starts at the beginning of a text.
  init(_ text: [UInt8], advises: Bool = true) {
    self.advises = advises
    self.text = text
  }

  /// Consumes the next token.
  mutating func next() throws(ExpressionError) -> Token {
    skipSpace()
    let start = position
    guard let byte = peek() else { return Token(kind: .end, range: start..<start) }
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: ".") where Self.isDigit(peek(1)): return try number()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string(start, isRaw: false, .string)
    case UInt8(ascii: "`"): return try quotedIdentifier()
    case _ where Self.isNameStart(byte):
      if let literal = try prefixedString() { return literal }
      skip(while: Self.isNamePart)
      return Token(kind: isKeyword(start) ? .keyword : .identifier, range: start..<position)
    default: return try symbol(byte)
    }
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    position + offset < text.count ? text[position + offset] : nil
  }

  private mutating func skip(while fits: (UInt8) -> Bool) {
    while position < text.count, fits(text[position]) { position += 1 }
  }

  private mutating func skipSpace() {
    while let byte = peek() {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0C, 0x0D: position += 1
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
        skip { $0 != 0x0A }
      default: return
      }
    }
  }

  private func isKeyword(_ start: Int) -> Bool {
    position - start <= 5
      && Expression.isKeyword(String(decoding: text[start..<position], as: UTF8.self))
  }

  // MARK: - Numbers

  private mutating func number() throws(ExpressionError) -> Token {
    let start = position
    var kind = Token.Kind.int
    if peek() == UInt8(ascii: "0"), peek(1).map({ $0 | 0x20 }) == UInt8(ascii: "x") {
      position += 2
      let digits = position
      skip(while: Self.isHexDigit)
      if position == digits {
        throw .syntax("a hexadecimal number needs digits after `0x`", start..<position)
      }
    } else {
      skip(while: Self.isDigit)
      if peek() == UInt8(ascii: "."), Self.isDigit(peek(1)) {
        kind = .double
        position += 1
        skip(while: Self.isDigit)
      }
      if let letter = peek(), letter | 0x20 == UInt8(ascii: "e") {
        let sign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-") ? 1 : 0
        if Self.isDigit(peek(1 + sign)) {
          kind = .double
          position += 1 + sign
          skip(while: Self.isDigit)
        }
      }
    }
    if kind == .int, let suffix = peek(), suffix | 0x20 == UInt8(ascii: "u") {
      position += 1
      kind = .uint
    }
    if let next = peek(), Self.isNamePart(next) {
      skip(while: Self.isNamePart)
      let word = String(decoding: text[start..<position], as: UTF8.self)
      throw .syntax(
        "`\(word)` is not a number", start..<position,
        help: advises ? NumberAdvice.help(for: word) : nil)
    }
    return Token(kind: kind, range: start..<position)
  }

  // MARK: - Strings

  /// Consumes a string or bytes literal with a prefix of `r`, `b` or both; nil if there is none.
  private mutating func prefixedString() throws(ExpressionError) -> Token? {
    let start = position
    var isRaw = false
    var kind = Token.Kind.string
    var length = 0
    if let byte = peek(), byte | 0x20 == UInt8(ascii: "b") {
      kind = .bytes
      length = 1
    }
    if let byte = peek(length), byte | 0x20 == UInt8(ascii: "r") {
      isRaw = true
      length += 1
    }
    guard length > 0, let quote = peek(length), quote == UInt8(ascii: "\"") || quote == 0x27
    else { return nil }
    position += length
    return try string(start, isRaw: isRaw, kind)
  }

  private mutating func string(
    _ start: Int, isRaw: Bool, _ kind: Token.Kind
  ) throws(ExpressionError) -> Token {
    let quote = text[position]
    let isTriple = peek(1) == quote && peek(2) == quote
    position += isTriple ? 3 : 1
    while let byte = peek() {
      if byte == quote, !isTriple || (peek(1) == quote && peek(2) == quote) {
        position += isTriple ? 3 : 1
        return Token(kind: kind, range: start..<position)
      }
      if byte == 0x0A || byte == 0x0D, !isTriple { break }
      // Also in a raw string, a quote after a backslash does not end it.
      position += byte == UInt8(ascii: "\\") && !isRaw && peek(1) != nil ? 2 : 1
    }
    let mark = Character(Unicode.Scalar(quote))
    throw .syntax(
      "this string is not closed", start..<min(position, text.count),
      help: "end it with \(String(repeating: mark, count: isTriple ? 3 : 1))")
  }

  private mutating func quotedIdentifier() throws(ExpressionError) -> Token {
    let start = position
    position += 1
    while let byte = peek(), byte != UInt8(ascii: "`") {
      guard Self.isNamePart(byte) || [0x2E, 0x2D, 0x2F, 0x20].contains(byte) else {
        throw .syntax(
          "a name in backticks may contain letters, digits, `_`, `.`, `-`, `/` and spaces",
          start..<position + 1, help: advises ? SymbolAdvice.backticks(at: start, in: text) : nil)
      }
      position += 1
    }
    guard peek() != nil, position > start + 1 else {
      throw .syntax(
        position > start + 1 ? "this name is not closed" : "the backticks are empty",
        start..<min(position + 1, text.count))
    }
    position += 1
    return Token(kind: .quotedIdentifier, range: start..<position)
  }

  // MARK: - Symbols

  private mutating func symbol(_ byte: UInt8) throws(ExpressionError) -> Token {
    let start = position
    // Two-character symbols are a doubled character or end with `=`.
    if let next = peek(1), next == byte || next == UInt8(ascii: "="),
      let symbol = Token.Symbol(rawValue: UInt16(byte) << 8 | UInt16(next))
    {
      position += 2
      return Token(kind: .symbol(symbol), range: start..<position)
    }
    if let symbol = Token.Symbol(rawValue: UInt16(byte)) {
      position += 1
      return Token(kind: .symbol(symbol), range: start..<position)
    }
    // Consumes a whole character of the text; `=~` and `=>` count as one symbol.
    let isArrow = byte == UInt8(ascii: "=") && [0x7E, 0x3E].contains(peek(1))
    position += isArrow ? 2 : 1
    skip { $0 & 0xC0 == 0x80 }
    let character = String(decoding: text[start..<position], as: UTF8.self)
    let help = advises ? SymbolAdvice.help(at: start, in: text) : nil
    throw .syntax("unexpected `\(character)`", start..<position, help: help)
  }

  // MARK: - Characters

  private static func isDigit(_ byte: UInt8?) -> Bool {
    byte.map { (0x30...0x39).contains($0) } ?? false
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }

  /// Returns whether a name may begin with this byte.
  static func isNameStart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x61...0x7A).contains(byte | 0x20)
  }

  /// Returns whether a name may continue with this byte.
  static func isNamePart(_ byte: UInt8) -> Bool {
    isNameStart(byte) || (0x30...0x39).contains(byte)
  }
}
