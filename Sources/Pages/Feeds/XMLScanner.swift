import Source

/// The tags and texts of some XML in their order (XML 1.0), as feeds have it: it reads what is not
/// well-formed, too, and never fails.
struct XMLScanner {
  enum Token {
    case text(String)
    /// A tag that begins an element, its name without a prefix but for those that matter.
    case start(String, [String: String])
    case end(String)
  }

  private let bytes: [UInt8]
  private let budget: ReadingBudget
  private var position = 0
  /// Where the budget was last charged.
  private var charged = 0
  /// The end of an element that has no content.
  private var pending: String?

  init(_ text: String, _ budget: ReadingBudget = ReadingBudget()) {
    bytes = Array(text.utf8)
    self.budget = budget
  }

  /// The next token; nil at the end, and where the budget ends.
  mutating func next() -> Token? {
    guard budget.spend(position - charged + 1) else { return nil }
    charged = position
    if let name = pending {
      pending = nil
      return .end(name)
    }
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else { return .text(takeText()) }
      let rest = bytes[position...]
      if rest.starts(with: "<![CDATA[".utf8) {
        position += 9
        return .text(take(until: "]]>"))
      }
      if rest.starts(with: "<!--".utf8) {
        _ = take(until: "-->")
      } else if rest.starts(with: "<?".utf8) || rest.starts(with: "<!".utf8) {
        _ = take(until: ">")
      } else if rest.starts(with: "</".utf8) {
        position += 2
        let name = take(until: ">").split(whereSeparator: \.isWhitespace).first ?? ""
        return .end(String(name))
      } else if position + 1 < bytes.count, isNameStart(bytes[position + 1]) {
        return startTag()
      } else {
        position += 1
        return .text("<")
      }
    }
    return nil
  }

  private func isNameStart(_ byte: UInt8) -> Bool {
    byte.isLetter || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  private mutating func takeText() -> String {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
    return Entities.decoded(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  /// What stands before a mark, which is passed; all that is left where there is none.
  private mutating func take(until mark: String) -> String {
    let mark = Array(mark.utf8)
    let start = position
    while position < bytes.count {
      if bytes[position] == mark[0], bytes[position...].starts(with: mark) {
        defer { position += mark.count }
        return String(decoding: bytes[start..<position], as: UTF8.self)
      }
      position += 1
    }
    return String(decoding: bytes[start...], as: UTF8.self)
  }

  private mutating func startTag() -> Token {
    position += 1
    let name = takeName()
    var attributes: [String: String] = [:]
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: ">") {
        position += 1
        break
      }
      if byte == UInt8(ascii: "/") {
        position += 1
        if position < bytes.count, bytes[position] == UInt8(ascii: ">") { pending = name }
        continue
      }
      if byte.isHTMLSpace {
        position += 1
        continue
      }
      // A tag that is not closed ends where another begins.
      if byte == UInt8(ascii: "<") { break }
      let key = takeName()
      if key.isEmpty { position += 1 }
      if let value = takeValue(), attributes.count < 64 { attributes[key] = value }
    }
    return .start(name, attributes)
  }

  private mutating func takeName() -> String {
    let start = position
    while position < bytes.count, !bytes[position].isHTMLSpace,
      !"=>/<\"'".utf8.contains(bytes[position])
    {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func takeValue() -> String? {
    while position < bytes.count, bytes[position].isHTMLSpace { position += 1 }
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return nil }
    position += 1
    while position < bytes.count, bytes[position].isHTMLSpace { position += 1 }
    guard position < bytes.count else { return nil }
    let quote = bytes[position]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return Entities.decoded(takeName())
    }
    position += 1
    let start = position
    while position < bytes.count, bytes[position] != quote { position += 1 }
    defer { position = min(position + 1, bytes.count) }
    return Entities.decoded(String(decoding: bytes[start..<position], as: UTF8.self))
  }
}
