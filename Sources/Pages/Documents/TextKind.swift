/// What a text is by the look of it.
enum TextKind {
  case html, feed, plain

  /// How much of a text is looked at.
  private static let lookedAt = 4_096

  init(_ text: String) {
    let start = text.utf8.prefix(Self.lookedAt)
    guard
      let first = start.first(where: { !$0.isHTMLSpace && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF })
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

  /// Whether nothing but declarations and comments stands before the first element.
  private static func isXMLFirst(_ text: String) -> Bool {
    var scanner = XMLScanner(text)
    while let token = scanner.next() {
      switch token {
      case .text(let text):
        if !text.trimmedHTML.filter({ $0 != "\u{FEFF}" }).isEmpty { return false }
      default: return true
      }
    }
    return false
  }

  /// Whether a text has a tag of HTML anywhere.
  private static func hasTags(_ text: String) -> Bool {
    var isAfterBracket = false
    var name: [UInt8] = []
    for byte in text.utf8 {
      if isAfterBracket {
        if byte.isLetter || !name.isEmpty && (0x30...0x39).contains(byte) {
          if name.count < 12 { name.append(byte | 0x20) }
          continue
        }
        if byte == UInt8(ascii: "/") && name.isEmpty { continue }
        if byte == UInt8(ascii: "!"), name.isEmpty {
          name = []
          continue
        }
        if !name.isEmpty,
          byte.isHTMLSpace || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/"),
          isName(String(decoding: name, as: UTF8.self))
        {
          return true
        }
        isAfterBracket = false
      }
      if byte == UInt8(ascii: "<") {
        isAfterBracket = true
        name = []
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
      "nav", "pre", "code", "blockquote", "form", "doctype", "font", "center", "base", "frameset",
      "figure", "time", "svg", "video", "iframe":
      true
    default: false
    }
  }
}
