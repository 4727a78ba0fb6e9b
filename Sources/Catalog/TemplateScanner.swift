/// Scans the bytes of an expression, tracking CEL strings and brackets.
struct TemplateScanner {
  private let bytes: ArraySlice<UInt8>
  private(set) var position: Int
  private var quote: Quote?
  /// Number of open brackets of any kind.
  private var depth = 0

  /// An open quote of a CEL string.
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

  /// Whether this is a newline in a single-line string, where CEL forbids it.
  var isAtRawNewline: Bool { at(0) == UInt8(ascii: "\n") && quote.map { !$0.isTriple } == true }

  /// Whether this is `}}`, outside strings and brackets.
  var isAtEnd: Bool {
    quote == nil && depth == 0 && at(0) == UInt8(ascii: "}") && at(1) == UInt8(ascii: "}")
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Consumes a byte, an escape or a triple quote, and returns its range.
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

  /// Position of the bracket or quote that keeps a `}}` from closing the expression; nil if there
  /// is no `}}`.
  static func unclosed(in bytes: ArraySlice<UInt8>) -> Int? {
    var scanner = TemplateScanner(bytes)
    var open: [Int] = []
    var quoteStart: Int?
    // The bracket that the first brace of the `}}` closes by mistake.
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

  /// Whether an `r` precedes the quote, alone or with `b` (CEL specification, "Syntax").
  private var isRawPrefixed: Bool {
    [at(-1), at(-2)].prefix { "rRbB".utf8.contains($0) }.contains { "rR".utf8.contains($0) }
  }
}
