import ForeignText

/// The kind of a text, detected from its content.
enum TextKind {
  case html, feed, plain

  /// The number of bytes to inspect.
  private static let lookedAt = 4_096

  init(_ text: String) {
    let start = text.utf8.prefix(Self.lookedAt)
    guard
      let first = start.first(where: { !$0.isBlank && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF })
    else {
      self = .plain
      return
    }
    let piece = String(decoding: start, as: UTF8.self)
    if first == UInt8(ascii: "{") {
      self = piece.contains("jsonfeed.org/version") ? .feed : .plain
    } else if FeedReader.isFeed(piece), Self.isXMLFirst(piece) {
      self = .feed
    } else {
      self = Self.hasTags(text) ? .html : .plain
    }
  }

  /// Whether only declarations and comments precede the first element.
  private static func isXMLFirst(_ text: String) -> Bool {
    var scanner = MarkupScanner(text, .xml)
    while case .text(let text)? = scanner.next() {
      if !text.trimmingBlanks.filter({ $0 != "\u{FEFF}" }).isEmpty { return false }
    }
    return true
  }

  /// Whether the text contains an HTML tag or an HTML doctype.
  private static func hasTags(_ text: String) -> Bool {
    if text.utf8.prefix(lookedAt).contains(UInt8(ascii: "<")),
      text.prefix(lookedAt).lowercased().contains("<!doctype")
    {
      return true
    }
    var scanner = MarkupScanner(text, .html)
    while let token = scanner.next(wantsText: false, wantsAttributes: false) {
      switch token {
      case .start(let tag): if isName(tag.name) { return true }
      case .end(let name): if isName(name) { return true }
      case .text, .cutOff: break
      }
    }
    return false
  }

  private static func isName(_ name: String) -> Bool {
    switch name {
    case "html", "head", "body", "title", "meta", "link", "script", "style", "div", "span", "p",
      "a", "b", "i", "em", "strong", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul",
      "ol", "li", "dl", "table", "tr", "td", "img", "article", "section", "main", "header",
      "footer",
      "nav", "pre", "code", "blockquote", "form", "font", "center", "base", "frameset",
      "figure", "time", "svg", "video", "iframe":
      true
    default: false
    }
  }
}
