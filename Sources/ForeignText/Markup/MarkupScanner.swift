/// A lenient tokenizer of HTML and XML that works in bounded memory.
///
/// It never fails, since files contain every kind of error.
package struct MarkupScanner {
  /// The dialects of markup.
  package enum Dialect {
    /// HTML as parsed by browsers (HTML Standard §13.2.5).
    case html
    /// XML as in feeds, well-formed or not: names are case-sensitive, and an empty element also yields an end token.
    case xml
    /// Bookmark files: an unclosed attribute or comment ends at the next bookmark, the end of the file within a tag is
    /// reported, and text that is not blank is always returned.
    case bookmarks
  }

  /// A tag or a run of text.
  package enum Token {
    case text(String)
    case start(Tag)
    case end(String)
    /// The file ends within a tag; for bookmark files only.
    case cutOff
  }

  /// A start tag.
  package struct Tag {
    /// The name, in lower case except for XML.
    package fileprivate(set) var name = ""
    /// The decoded attributes; names are in lower case except for XML.
    package fileprivate(set) var attributes: [(name: String, value: String)] = []
    /// Whether the tag is self-closing, as in `<outline/>`.
    package fileprivate(set) var isClosed = false
    /// The line on which it begins, and its index in the window's buffer.
    package fileprivate(set) var line = 1
    package fileprivate(set) var start = 0
    /// The number of attributes, kept or not.
    fileprivate var count = 0
    /// The index of the first attribute past the limit, if any.
    package fileprivate(set) var surplus: Int?
    /// Whether a quoted value or the tag was never closed.
    package fileprivate(set) var isBroken = false

    /// The value of the first attribute of this name, if any.
    package subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
  }

  /// The input.
  package private(set) var window: ByteWindow
  private let dialect: Dialect
  /// The pending end token of an empty element.
  private var pending: String?
  private var wantsAttributes = true

  /// Long attributes that are never needed, such as icons.
  private static let unwanted: Set<String> = ["icon", "icon_uri", "style", "onclick"]
  /// Maximum length of a text or value in bytes.
  private let limit: Int
  /// Maximum number of attributes.
  package static let maxAttributes = 128

  package init(_ window: ByteWindow, _ dialect: Dialect, limit: Int = 8 << 20) {
    self.window = window
    self.dialect = dialect
    self.limit = limit
  }

  package init(_ text: String, _ dialect: Dialect) {
    self.init(ByteWindow(bytes: Array(text.utf8)), dialect)
  }

  /// Returns the next token; nil at the end of the file.
  ///
  /// - Parameters:
  ///   - wantsText: Whether text is decoded and returned; otherwise it is skipped.
  ///   - wantsAttributes: Whether attributes are decoded.
  package mutating func next(wantsText: Bool = true, wantsAttributes: Bool = true) -> Token? {
    self.wantsAttributes = wantsAttributes
    if let name = pending {
      pending = nil
      return .end(name)
    }
    while let byte = window.byte() {
      if byte == UInt8(ascii: "<") {
        if let token = markup() { return token }
        continue
      }
      var wantsText = wantsText
      if dialect == .bookmarks, !wantsText {
        guard window.skip(until: { !$0.isBlank }) else { return nil }
        if window.byte() == UInt8(ascii: "<") { continue }
        wantsText = true
      }
      var text: [UInt8] = []
      _ = window.skip(
        until: { $0 == UInt8(ascii: "<") },
        collect: { [limit] in if wantsText, text.count < limit { text += $0 } })
      if wantsText { return .text(Entities.decoded(String(foreign: text))) }
    }
    return nil
  }

  /// Skips the content and end tag of an element whose content is not markup, such as `script`.
  package mutating func skipContent(of name: String) {
    let name = Array(name.utf8)
    while window.skip(until: { $0 == UInt8(ascii: "<") }) {
      let isEnd =
        window.byte(at: 1) == UInt8(ascii: "/") && window.ensure(2 + name.count)
        && zip(window.bytes[(window.start + 2)...], name).allSatisfy { $0.loweredASCII == $1 }
      if isEnd {
        if window.skip(until: { $0 == UInt8(ascii: ">") }) { window.skip(1) }
        return
      }
      window.skip(1)
    }
  }

  /// Scans markup that begins with `<`; nil if it is skipped, such as a comment.
  private mutating func markup() -> Token? {
    switch window.byte(at: 1) {
    case UInt8(ascii: "!"), UInt8(ascii: "?"):
      if window.hasPrefix("<!--") {
        // `<!-->` is a comment, too.
        window.skip(2)
        guard dialect == .bookmarks else { return window.skip(past: "-->") ? nil : end }
        let (text, end) = content(until: "-->")
        switch end {
        case .mark: return nil
        case .bookmark: return .text(Entities.decoded("<!" + text))
        case .file: return .cutOff
        }
      }
      if dialect != .html, window.hasPrefix("<![CDATA[") {
        window.skip(9)
        return .text(content(until: "]]>").text)
      }
      return window.skip(past: ">") ? nil : end
    case UInt8(ascii: "/") where dialect != .html || window.byte(at: 2)?.isLetter == true:
      window.skip(2)
      let name = name()
      if dialect == .html {
        var tag = Tag()
        _ = attributes(of: &tag)
        return .end(name)
      }
      guard window.skip(until: { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }) else {
        return end ?? .end(name)
      }
      if window.byte() == UInt8(ascii: ">") { window.skip(1) }
      return .end(name)
    case let byte? where byte.isLetter || dialect == .xml && (byte >= 0x80 || byte == 0x5F):
      var tag = Tag(line: window.line, start: window.start)
      window.skip(1)
      tag.name = name()
      if !attributes(of: &tag), let end { return end }
      if dialect == .xml, tag.isClosed { pending = tag.name }
      return .start(tag)
    case nil where dialect == .bookmarks:
      window.skip(1)
      return .cutOff
    default:
      // A lone `<` is text.
      window.skip(1)
      return .text("<")
    }
  }

  /// The end of markup that only its own mark closes.
  private enum ContentEnd {
    case mark, bookmark, file
  }

  /// Returns the content up to and without a mark; in a bookmark file at most up to the next bookmark.
  private mutating func content(until mark: StaticString) -> (text: String, end: ContentEnd) {
    let first = mark.utf8Start[0]
    var text: [UInt8] = []
    let collect = { [limit] (piece: ArraySlice<UInt8>) in
      if text.count < limit { text += piece }
    }
    while window.skip(
      until: { [dialect] in $0 == first || $0 == UInt8(ascii: "<") && dialect == .bookmarks },
      collect: collect)
    {
      if window.hasPrefix(mark) {
        window.skip(mark.utf8CodeUnitCount)
        return (String(foreign: text), .mark)
      }
      if window.byte() == UInt8(ascii: "<"), beginsBookmark() {
        return (String(foreign: text), .bookmark)
      }
      collect(window.bytes[window.start..<window.start + 1])
      window.skip(1)
    }
    return (String(foreign: text), .file)
  }

  /// The token for the end of the file within a tag, if any.
  private var end: Token? { dialect == .bookmarks ? .cutOff : nil }

  private mutating func name() -> String {
    var bytes: [UInt8] = []
    _ = window.skip(until: { Self.endsName($0) }, collect: { bytes += $0.prefix(100) })
    return string(bytes)
  }

  private func string(_ bytes: [UInt8]) -> String {
    String(decoding: dialect == .xml ? bytes : bytes.map(\.loweredASCII), as: UTF8.self)
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte.isBlank || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
      || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "\"")
      || byte == UInt8(ascii: "'")
  }

  /// Scans the attributes of a tag up to its end; false if the file ends within it.
  private mutating func attributes(of tag: inout Tag) -> Bool {
    while window.skip(until: { !$0.isBlank }), let byte = window.byte() {
      switch byte {
      case UInt8(ascii: ">"):
        window.skip(1)
        return true
      case UInt8(ascii: "/"):
        window.skip(1)
        tag.isClosed = window.byte() == UInt8(ascii: ">")
      case UInt8(ascii: "<") where dialect != .html:
        // The tag was not closed before the next one.
        tag.isBroken = true
        return true
      case UInt8(ascii: "="), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"):
        window.skip(1)
      default:
        tag.count += 1
        if tag.count > Self.maxAttributes, tag.surplus == nil { tag.surplus = window.start }
        let name = name()
        let isWanted = wantsAttributes && tag.surplus == nil && !Self.unwanted.contains(name)
        guard let value = value(&tag, isWanted) else { return false }
        if isWanted { tag.attributes.append((name, value)) }
        if tag.isBroken { return true }
      }
    }
    return false
  }

  /// Scans the value of an attribute, empty if it has none; nil if the file ends within it.
  private mutating func value(_ tag: inout Tag, _ isWanted: Bool) -> String? {
    _ = window.skip(until: { !$0.isBlank })
    guard window.byte() == UInt8(ascii: "=") else { return "" }
    window.skip(1)
    _ = window.skip(until: { !$0.isBlank })
    guard let quote = window.byte() else { return nil }
    var bytes: [UInt8] = []
    let collect = { [limit] (piece: ArraySlice<UInt8>) in
      if isWanted, bytes.count < limit { bytes += piece }
    }
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      window.skip(1)
      let stop = dialect == .bookmarks ? UInt8(ascii: "<") : quote
      while true {
        guard window.skip(until: { $0 == quote || $0 == stop }, collect: collect) else {
          return nil
        }
        if window.byte() == quote {
          window.skip(1)
          break
        }
        if beginsBookmark() {
          tag.isBroken = true
          break
        }
        collect([UInt8(ascii: "<")])
        window.skip(1)
      }
    } else {
      while true {
        guard
          window.skip(
            until: { [dialect] in
              $0.isBlank || $0 == UInt8(ascii: ">")
                || $0 == UInt8(ascii: "<") && dialect == .bookmarks
            }, collect: collect)
        else { return nil }
        guard window.byte() == UInt8(ascii: "<") else { break }
        if beginsBookmark() {
          tag.isBroken = true
          break
        }
        collect([UInt8(ascii: "<")])
        window.skip(1)
      }
    }
    return isWanted ? Entities.decoded(String(foreign: bytes)) : ""
  }

  /// Returns whether the next bytes begin a bookmark, so that they are not part of a value.
  private mutating func beginsBookmark() -> Bool {
    for mark in ["<DT><A ", "<DT><H3", "</DL>", "<li><a ", "<outline "] as [StaticString] {
      if window.hasPrefix(mark) { return true }
    }
    return false
  }
}
