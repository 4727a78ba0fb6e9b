/// Walks the bytes of an expression and knows whether it stands in a CEL string or in brackets.
struct TemplateScanner {
  private let bytes: ArraySlice<UInt8>
  private(set) var position: Int
  private var quote: Quote?
  /// Open brackets of any kind.
  private var depth = 0

  private struct Quote {
    let mark: UInt8
    let isTriple: Bool
    let isRaw: Bool
  }

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var isFinished: Bool { position >= bytes.endIndex }

  /// Whether a newline here stands in a string of one quote, where CEL forbids it.
  var isAtRawNewline: Bool { at(0) == UInt8(ascii: "\n") && quote.map { !$0.isTriple } == true }

  /// Whether `}}` stands here, outside strings and brackets.
  var isAtEnd: Bool {
    quote == nil && depth == 0 && at(0) == UInt8(ascii: "}") && at(1) == UInt8(ascii: "}")
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Passes a byte, an escape or a triple quote, and gives the range that it passed.
  mutating func advance() -> Range<Int> {
    let start = position
    position = min(start + passed(), bytes.endIndex)
    return start..<position
  }

  private mutating func passed() -> Int {
    let byte = at(0)
    if let quote {
      if byte == UInt8(ascii: "\\"), !quote.isRaw { return 2 }
      guard byte == quote.mark else { return 1 }
      if quote.isTriple, !isTriple(byte) { return 1 }
      self.quote = nil
      return quote.isTriple ? 3 : 1
    }
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      quote = Quote(mark: byte, isTriple: isTriple(byte), isRaw: isRawPrefixed)
      return isTriple(byte) ? 3 : 1
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
    default: break
    }
    return 1
  }

  /// Where the bracket or the quote stands that keeps a `}}` from ending an expression; nil when
  /// there is no `}}`.
  static func unclosed(in bytes: ArraySlice<UInt8>) -> Int? {
    var scanner = TemplateScanner(bytes)
    var open: [Int] = []
    var quoteStart: Int?
    // The bracket that the first brace of the `}}` closes instead.
    var misused: Int?
    while !scanner.isFinished {
      let position = scanner.position
      let isEnd = scanner.at(0) == UInt8(ascii: "}") && scanner.at(1) == UInt8(ascii: "}")
      let wasQuoted = scanner.quote != nil
      if isEnd, wasQuoted { return quoteStart }
      if !wasQuoted {
        let last = open.last.map { bytes[$0] }
        if isEnd {
          guard last == UInt8(ascii: "{") else { return open.last }
          misused = open.last
        }
        switch bytes[position] {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open.append(position)
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): _ = open.popLast()
        default: break
        }
      }
      _ = scanner.advance()
      if !wasQuoted, scanner.quote != nil { quoteStart = position }
    }
    return misused
  }

  private func at(_ offset: Int) -> UInt8 {
    let index = position + offset
    return bytes.indices.contains(index) ? bytes[index] : 0
  }

  private func isTriple(_ mark: UInt8) -> Bool { at(1) == mark && at(2) == mark }

  /// Whether `r` stands before the quote, alone or beside `b` (CEL specification, "Syntax").
  private var isRawPrefixed: Bool {
    [at(-1), at(-2)].prefix { "rRbB".utf8.contains($0) }.contains { "rR".utf8.contains($0) }
  }
}
