/// Keeps the markup of a page from nesting deeper than browsers let it.
///
/// The parser looks through the open elements at most tags, so a page that only opens elements
/// takes it a time that grows with the square of its length. This follows which elements are open,
/// as far as the parsing rules need it (HTML Standard §13.2.6), and blanks out the tags beyond.
struct HTMLBounds {
  /// How deep elements may stand in one another, as in Chromium.
  static let depth = 512
  /// How many elements such as `b`, which are opened anew in each block, may be open.
  static let formattingDepth = 64
  /// How many attributes a tag may have.
  static let attributes = 128

  /// What an element does to those that are open.
  private enum Kind {
    case empty, raw, implied, part, cell, formatting, special, ordinary
  }

  private struct Open {
    let name: String
    let kind: Kind
    /// Whether it ends the look for what a tag closes.
    var isMarker: Bool {
      switch name {
      case "td", "th", "caption", "table", "template", "object", "applet", "marquee": true
      default: false
      }
    }
  }

  private var bytes: [UInt8]
  private let budget: ReadingBudget
  private var position = 0
  private var open: [Open] = []
  private var formatting = 0
  private var foreign = 0

  private init(_ bytes: [UInt8], _ budget: ReadingBudget) {
    self.bytes = bytes
    self.budget = budget
  }

  /// The bytes of a page with the tags beyond the bounds blanked out; nil where the budget ends.
  static func applied(to bytes: [UInt8], _ budget: ReadingBudget) -> [UInt8]? {
    var bounds = HTMLBounds(bytes, budget)
    bounds.run()
    return budget.end == nil ? bounds.bytes : nil
  }

  private mutating func run() {
    while position + 1 < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else {
        position += 1
        continue
      }
      // A tag looks through the open elements.
      guard budget.spend(16 + open.count) else { return }
      let next = bytes[position + 1]
      if next.isLetter {
        startTag()
      } else if next == UInt8(ascii: "/"), position + 2 < bytes.count, bytes[position + 2].isLetter
      {
        position += 2
        let name = takeName()
        _ = passAttributes()
        close(name)
      } else if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
        passDeclaration()
      } else {
        position += 1
      }
    }
  }

  private mutating func startTag() {
    let start = position
    position += 1
    let name = takeName()
    let isSelfClosing = passAttributes()
    let kind = Self.kind(of: name)
    if foreign > 0, isSelfClosing { return }
    if kind == .raw, foreign == 0 { return pass(until: name) }
    if !open(name, kind) {
      for index in start..<min(position, bytes.count) { bytes[index] = 0x20 }
    }
  }

  // MARK: The open elements

  /// Follows what a start tag opens; false where it is beyond the bounds.
  private mutating func open(_ name: String, _ kind: Kind) -> Bool {
    switch kind {
    case .empty, .raw, .implied: return true
    case .part:
      closeDown(toTable: true)
      return true
    case .cell:
      guard closeDown(toTable: true) else { return true }
    case .formatting:
      if name == "a" || name == "nobr" { closeFormatting(name) }
      guard formatting < Self.formattingDepth else { return false }
    case .special:
      switch name {
      case "button": close(name)
      case "form": if open.contains(where: { $0.name == name }) { return true }
      case "h1", "h2", "h3", "h4", "h5", "h6":
        if let last = open.last?.name, last.count == 2, last.first == "h", last != "hr" {
          open.removeLast()
        }
      default: break
      }
    case .ordinary: break
    }
    guard open.count < Self.depth else { return false }
    open.append(Open(name: name, kind: kind))
    if kind == .formatting { formatting += 1 }
    if name == "svg" || name == "math" { foreign += 1 }
    return true
  }

  private mutating func close(_ name: String) {
    let kind = Self.kind(of: name)
    switch kind {
    case .empty, .raw, .implied: return
    case .part: closeDown(toTable: true)
    case .formatting: closeFormatting(name)
    case .cell, .special, .ordinary:
      for index in open.indices.reversed() {
        let element = open[index]
        if element.name == name { return cut(from: index) }
        if name == "table" {
          if element.name == "template" { return }
        } else if kind == .cell {
          if element.name == "table" { return }
        } else if element.isMarker || kind == .ordinary && element.kind == .special {
          return
        }
      }
    }
  }

  /// Closes all within the innermost table; false where there is none.
  @discardableResult private mutating func closeDown(toTable: Bool) -> Bool {
    guard let index = open.lastIndex(where: { $0.name == "table" || $0.name == "template" }) else {
      return false
    }
    if index + 1 < open.count { cut(from: index + 1) }
    return true
  }

  /// Follows the end of an element such as `b` (§13.2.6.4.7, the adoption agency).
  private mutating func closeFormatting(_ name: String) {
    var isBelowBlock = false
    for index in open.indices.reversed() {
      let element = open[index]
      if element.name == name {
        guard isBelowBlock else { return cut(from: index, dropping: name) }
        open.remove(at: index)
        formatting -= 1
        return
      }
      if element.isMarker { return }
      if element.kind == .special { isBelowBlock = true }
    }
  }

  /// Closes an element with all in it; what is of the kind of `b` goes on after it.
  private mutating func cut(from index: Int, dropping name: String = "") {
    let closed = open[index...]
    open.removeSubrange(index...)
    for element in closed where element.name == "svg" || element.name == "math" { foreign -= 1 }
    formatting -= closed.count { $0.kind == .formatting }
    var isFirst = true
    for element in closed {
      if element.isMarker { break }
      if element.kind == .formatting, !(isFirst && element.name == name) {
        open.append(element)
        formatting += 1
      }
      isFirst = false
    }
  }

  private static func kind(of name: String) -> Kind {
    switch name {
    case "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
      "keygen", "link", "meta", "param", "source", "track", "wbr", "html", "head", "body",
      "frameset", "image":
      .empty
    case "script", "style", "xmp", "iframe", "noembed", "noframes", "textarea", "title",
      "plaintext":
      .raw
    case "p", "li", "dd", "dt", "option": .implied
    case "tr", "tbody", "thead", "tfoot", "colgroup": .part
    case "td", "th", "caption": .cell
    case "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt",
      "u":
      .formatting
    case "address", "applet", "article", "aside", "blockquote", "button", "center", "details",
      "dialog", "dir", "div", "dl", "fieldset", "figcaption", "figure", "footer", "form", "h1",
      "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "listing", "main", "marquee", "menu", "nav",
      "noscript", "object", "ol", "optgroup", "pre", "search", "section", "select", "summary",
      "table", "template", "ul":
      .special
    default: .ordinary
    }
  }

  // MARK: The text

  private mutating func takeName() -> String {
    let start = position
    while position < bytes.count, !bytes[position].endsName { position += 1 }
    return String(decoding: bytes[start..<min(position, start + 32)], as: UTF8.self).lowercased()
  }

  /// Passes the attributes of a tag; whether it ends in `/>`.
  private mutating func passAttributes() -> Bool {
    var count = 0
    var isClosed = false
    var surplus: Int?
    defer {
      if let surplus {
        for index in surplus..<max(surplus, min(position, bytes.count) - 1) { bytes[index] = 0x20 }
      }
    }
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: ">") {
        position += 1
        return isClosed
      }
      if byte.isHTMLSpace || byte == UInt8(ascii: "/") {
        isClosed = byte == UInt8(ascii: "/")
        position += 1
        continue
      }
      isClosed = false
      count += 1
      if count > Self.attributes, surplus == nil { surplus = position }
      position += 1
      while position < bytes.count, !bytes[position].endsName, bytes[position] != UInt8(ascii: "=")
      {
        position += 1
      }
      passValue()
    }
    return isClosed
  }

  private mutating func passValue() {
    var next = position
    while next < bytes.count, bytes[next].isHTMLSpace { next += 1 }
    guard next < bytes.count, bytes[next] == UInt8(ascii: "=") else { return }
    position = next + 1
    while position < bytes.count, bytes[position].isHTMLSpace { position += 1 }
    guard position < bytes.count else { return }
    let quote = bytes[position]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      position += 1
      while position < bytes.count, bytes[position] != quote { position += 1 }
      position = min(position + 1, bytes.count)
    } else {
      while position < bytes.count, !bytes[position].isHTMLSpace,
        bytes[position] != UInt8(ascii: ">")
      {
        position += 1
      }
    }
  }

  private mutating func passDeclaration() {
    guard bytes[position...].starts(with: "<!--".utf8) else {
      while position < bytes.count, bytes[position] != UInt8(ascii: ">") { position += 1 }
      return
    }
    position += 2
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: ">"), bytes[..<position].hasSuffix("--") {
        position += 1
        return
      }
      position += 1
    }
  }

  /// Passes what is text up to the end tag of an element.
  private mutating func pass(until name: String) {
    let end = Array(name.utf8)
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "<"), position + 2 + end.count <= bytes.count,
        bytes[position + 1] == UInt8(ascii: "/"),
        zip(bytes[(position + 2)...], end).allSatisfy({ $0 | 0x20 == $1 })
      {
        return
      }
      position += 1
    }
  }
}

extension UInt8 {
  /// Whether it is a letter of ASCII.
  var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
  /// Whether it is white space between attributes.
  var isHTMLSpace: Bool {
    self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D
  }
  /// Whether it ends the name of a tag or of an attribute.
  fileprivate var endsName: Bool {
    isHTMLSpace || self == UInt8(ascii: ">") || self == UInt8(ascii: "/")
  }
}

extension ArraySlice<UInt8> {
  /// Whether the last bytes are those of a text.
  fileprivate func hasSuffix(_ text: String) -> Bool {
    count >= text.utf8.count && suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
