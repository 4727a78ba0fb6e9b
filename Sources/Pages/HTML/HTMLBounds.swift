import ForeignText

/// Limits the nesting of a page's markup to what browsers allow.
///
/// The parser searches the open elements at most tags, so a page that only opens elements takes
/// quadratic time. This tracks the open elements, as far as the parsing rules require it (HTML
/// Standard §13.2.6), and blanks out excess tags.
struct HTMLBounds {
  /// The maximum nesting depth, as in Chromium.
  static let depth = 512
  /// The maximum number of open formatting elements such as `b`, which are reopened in each block.
  static let formattingDepth = 64
  /// The maximum number of attributes of a tag.
  static let attributes = MarkupScanner.maxAttributes

  /// The effect of an element on the open elements.
  private enum Kind {
    case empty, raw, implied, part, cell, formatting, special, ordinary
  }

  /// An open element.
  private struct Open {
    let name: String
    let kind: Kind
    /// Whether the search for the element to close stops here.
    var isMarker: Bool {
      switch name {
      case "td", "th", "caption", "table", "template", "object", "applet", "marquee": true
      default: false
      }
    }
  }

  private var scanner: MarkupScanner
  private let budget: ReadingBudget
  /// The ranges of excess tags and attributes.
  private var surplus: [Range<Int>] = []
  private var open: [Open] = []
  private var formatting = 0
  private var foreign = 0

  /// Blanks out the excess tags of a page; nil if the budget is exhausted.
  static func applied(to bytes: [UInt8], _ budget: ReadingBudget) -> [UInt8]? {
    var bounds = HTMLBounds(scanner: MarkupScanner(ByteWindow(bytes: bytes), .html), budget: budget)
    bounds.run()
    guard budget.end == nil else { return nil }
    var bytes = bytes
    for range in bounds.surplus {
      for index in range { bytes[index] = 0x20 }
    }
    return bytes
  }

  private mutating func run() {
    // Each tag searches the open elements.
    while budget.spend(16 + open.count),
      let token = scanner.next(wantsText: false, wantsAttributes: false)
    {
      switch token {
      case .start(let tag): start(tag)
      case .end(let name): close(name)
      case .text, .cutOff: break
      }
    }
  }

  private mutating func start(_ tag: MarkupScanner.Tag) {
    let end = scanner.window.start
    if let place = tag.surplus { surplus.append(place..<max(place, end - 1)) }
    let kind = Self.kind(of: tag.name)
    if foreign > 0, tag.isClosed { return }
    if kind == .raw, foreign == 0 { return scanner.skipContent(of: tag.name) }
    if !open(tag.name, kind) { surplus.append(tag.start..<end) }
  }

  // MARK: Open elements

  /// Tracks a start tag; false if it exceeds the limits.
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

  /// Closes everything within the innermost table; false if there is none.
  @discardableResult private mutating func closeDown(toTable: Bool) -> Bool {
    guard let index = open.lastIndex(where: { $0.name == "table" || $0.name == "template" }) else {
      return false
    }
    if index + 1 < open.count { cut(from: index + 1) }
    return true
  }

  /// Tracks the end of a formatting element such as `b` (§13.2.6.4.7, the adoption agency
  /// algorithm).
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

  /// Closes an element and its content; formatting elements are reopened after it.
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
}
