/// Cuts the text of an expression into tokens.
struct Lexer {
  /// The text as UTF-8.
  let text: [UInt8]
  private let allowsLineEndsInStrings: Bool
  /// Whether a problem says what was most likely meant.
  private let advises: Bool
  private var position = 0

  /// Begins at the start of a text.
  init(_ text: [UInt8], allowsLineEndsInStrings: Bool, advises: Bool = true) {
    self.advises = advises
    self.text = text
    self.allowsLineEndsInStrings = allowsLineEndsInStrings
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
      while let next = peek(), Self.isNamePart(next) { position += 1 }
      return Token(kind: isKeyword(start) ? .keyword : .identifier, range: start..<position)
    default: return try symbol(byte)
    }
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    position + offset < text.count ? text[position + offset] : nil
  }

  private mutating func skipSpace() {
    while let byte = peek() {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0C, 0x0D: position += 1
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
        while peek().map({ $0 != 0x0A }) == true { position += 1 }
      default: return
      }
    }
  }

  private func isKeyword(_ start: Int) -> Bool {
    guard position - start <= 5 else { return false }
    return switch String(decoding: text[start..<position], as: UTF8.self) {
    case "true", "false", "null", "in": true
    default: false
    }
  }

  // MARK: - Numbers

  private mutating func number() throws(ExpressionError) -> Token {
    let start = position
    var kind = Token.Kind.int
    if peek() == UInt8(ascii: "0"), peek(1).map({ $0 | 0x20 }) == UInt8(ascii: "x") {
      position += 2
      let digits = position
      while let byte = peek(), Self.isHexDigit(byte) { position += 1 }
      if position == digits {
        throw .syntax("a hexadecimal number needs digits after `0x`", start..<position)
      }
    } else {
      skipDigits()
      if peek() == UInt8(ascii: "."), Self.isDigit(peek(1)) {
        kind = .double
        position += 1
        skipDigits()
      }
      if let letter = peek(), letter | 0x20 == UInt8(ascii: "e") {
        let sign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-") ? 1 : 0
        if Self.isDigit(peek(1 + sign)) {
          kind = .double
          position += 1 + sign
          skipDigits()
        }
      }
    }
    if kind == .int, let suffix = peek(), suffix | 0x20 == UInt8(ascii: "u") {
      position += 1
      kind = .uint
    }
    if let next = peek(), Self.isNamePart(next) {
      while peek().map(Self.isNamePart) == true { position += 1 }
      throw .syntax(
        "`\(String(decoding: text[start..<position], as: UTF8.self))` is not a number",
        start..<position)
    }
    return Token(kind: kind, range: start..<position)
  }

  private mutating func skipDigits() {
    while Self.isDigit(peek()) { position += 1 }
  }

  // MARK: - Strings

  /// A string or bytes literal with a prefix of `r`, `b` or both; nil when a name stands here.
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
      if byte == 0x0A || byte == 0x0D, !isTriple, !allowsLineEndsInStrings { break }
      // A raw string may hold a backslash, but not end behind one that guards its quote.
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
          "a name in backticks holds letters, digits, `_`, `.`, `-`, `/` and spaces",
          start..<position + 1, help: "use an index instead, such as [\"name\"]")
      }
      position += 1
    }
    guard peek() != nil, position > start + 1 else {
      throw .syntax(
        position > start + 1 ? "this name is not closed" : "there is no name in the backticks",
        start..<min(position + 1, text.count))
    }
    position += 1
    return Token(kind: .quotedIdentifier, range: start..<position)
  }

  // MARK: - Symbols

  private mutating func symbol(_ byte: UInt8) throws(ExpressionError) -> Token {
    let start = position
    // A pair is one character twice, or ends with `=`.
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
    // One whole character, since half of one is no text; `=~` and `=>` are one symbol elsewhere.
    let isArrow = byte == UInt8(ascii: "=") && [0x7E, 0x3E].contains(peek(1))
    position += isArrow ? 2 : 1
    while peek().map({ $0 & 0xC0 == 0x80 }) == true { position += 1 }
    let character = String(decoding: text[start..<position], as: UTF8.self)
    let help = advises ? SymbolAdvice.help(at: start, in: text) : nil
    throw .syntax("`\(character)` has no meaning here", start..<position, help: help)
  }

  // MARK: - Characters

  private static func isDigit(_ byte: UInt8?) -> Bool {
    byte.map { (0x30...0x39).contains($0) } ?? false
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }

  /// Whether a name may begin with it.
  static func isNameStart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x61...0x7A).contains(byte | 0x20)
  }

  /// Whether a name may go on with it.
  static func isNamePart(_ byte: UInt8) -> Bool {
    isNameStart(byte) || (0x30...0x39).contains(byte)
  }
}
