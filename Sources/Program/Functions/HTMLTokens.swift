/// The tags and the texts of some HTML, in their order (HTML Standard §13.2.5, as far as it is
/// needed to leave nothing of the content out).
struct HTMLTokens {
  enum Token {
    case text(String)
    /// A tag that begins an element, its name in lower case.
    case start(String, Attributes)
    case end(String)
  }

  /// Attributes by name, the first of a name counting.
  typealias Attributes = [String: String]

  private let bytes: [UInt8]
  private var position = 0

  init(_ html: String) {
    bytes = Array(html.utf8)
  }

  /// The next token; nil at the end.
  mutating func next() -> Token? {
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<"), position + 1 < bytes.count else {
        return .text(takeText())
      }
      switch bytes[position + 1] {
      case UInt8(ascii: "!"), UInt8(ascii: "?"): skipDeclaration()
      case UInt8(ascii: "/") where position + 2 < bytes.count && Self.isLetter(bytes[position + 2]):
        position += 2
        let name = takeName()
        _ = takeAttributes()
        return .end(name)
      case let byte where Self.isLetter(byte):
        position += 1
        let name = takeName()
        let attributes = takeAttributes()
        if Self.isNoContent(name) { skip(until: name) } else { return .start(name, attributes) }
      default: return .text(takeText())
      }
    }
    return nil
  }

  /// Elements of which nothing is content.
  private static func isNoContent(_ name: String) -> Bool {
    switch name {
    case "script", "style", "template", "title", "noscript", "iframe", "svg", "textarea": true
    default: false
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private mutating func takeText() -> String {
    let start = position
    // A `<` that begins no tag is text.
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
    return text(start..<position)
  }

  private mutating func takeName() -> String {
    let start = position
    while position < bytes.count, !Self.isSpace(bytes[position]),
      bytes[position] != UInt8(ascii: ">"), bytes[position] != UInt8(ascii: "/")
    {
      position += 1
    }
    return text(start..<position).lowercased()
  }

  /// The attributes up to the end of the tag.
  private mutating func takeAttributes() -> Attributes {
    var attributes: Attributes = [:]
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: ">") {
        position += 1
        break
      }
      if Self.isSpace(byte) || byte == UInt8(ascii: "/") {
        position += 1
        continue
      }
      let start = position
      position += 1
      while position < bytes.count, !Self.isSpace(bytes[position]),
        !"=>/".utf8.contains(bytes[position])
      {
        position += 1
      }
      let name = text(start..<position).lowercased()
      let value = takeValue()
      if attributes[name] == nil { attributes[name] = value }
    }
    return attributes
  }

  private mutating func takeValue() -> String {
    var next = position
    while next < bytes.count, Self.isSpace(bytes[next]) { next += 1 }
    guard next < bytes.count, bytes[next] == UInt8(ascii: "=") else { return "" }
    position = next + 1
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    guard position < bytes.count else { return "" }
    let quote = bytes[position]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let start = position + 1
      position = bytes[start...].firstIndex(of: quote) ?? bytes.count
      defer { position = min(position + 1, bytes.count) }
      return text(start..<position)
    }
    let start = position
    while position < bytes.count, !Self.isSpace(bytes[position]),
      bytes[position] != UInt8(ascii: ">")
    {
      position += 1
    }
    return text(start..<position)
  }

  /// Passes a comment, or another declaration.
  private mutating func skipDeclaration() {
    let isComment = bytes[position...].starts(with: "<!--".utf8)
    let end: [UInt8] = isComment ? Array("-->".utf8) : [UInt8(ascii: ">")]
    position += isComment ? 4 : 2
    while position < bytes.count, !bytes[position...].starts(with: end) { position += 1 }
    position = min(position + end.count, bytes.count)
  }

  /// Passes all up to the tag that ends an element.
  private mutating func skip(until name: String) {
    let end = Array("</\(name)".utf8)
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "<"), position + end.count <= bytes.count,
        zip(bytes[position...], end).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 && Self.isLetter($1) }
        )
      {
        position += end.count
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") { position += 1 }
        position = min(position + 1, bytes.count)
        return
      }
      position += 1
    }
  }
}
