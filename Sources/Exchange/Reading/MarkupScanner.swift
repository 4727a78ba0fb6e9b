import Source

/// Takes HTML or XML of any quality apart into tags and text, in bounded memory.
///
/// Nothing is an error but the end of the file within a tag: what browsers wrote over thirty years
/// has every mistake there is. An attribute whose quote is never closed ends where the next
/// bookmark begins.
struct MarkupScanner {
  enum Token {
    case text(String)
    case start(Tag)
    case end(String)
    /// The file ends within a tag.
    case cutOff
  }

  /// A tag that opens an element.
  struct Tag {
    /// The name, in lower case.
    var name = ""
    /// The attributes by their names in lower case, decoded.
    var attributes: [(name: String, value: String)] = []
    /// Whether the tag closes its element, too, as `<outline/>`.
    var isClosed = false
    /// The line on which it begins.
    var line = 1
    /// Whether a value's quote was never closed.
    var isBroken = false

    /// The value of an attribute; nil when it is missing.
    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
  }

  let window: ByteWindow
  /// Attributes that nobody wants and that are long, such as icons.
  private static let unwanted: Set<String> = ["icon", "icon_uri", "style", "onclick"]
  /// How many bytes of a text or a value are kept.
  private static let limit = 8 << 20

  init(_ window: ByteWindow) {
    self.window = window
  }

  /// The next token; nil at the end of the file.
  ///
  /// - Parameter wantsText: Whether text is decoded and given; otherwise it is passed over.
  func next(wantsText: Bool) throws -> Token? {
    while let byte = try window.byte() {
      if byte == UInt8(ascii: "<") {
        if let token = try markup() { return token }
        continue
      }
      var text: [UInt8] = []
      _ = try window.skip(
        until: { $0 == UInt8(ascii: "<") },
        collect: { if wantsText, text.count < Self.limit { text += $0 } })
      if wantsText { return .text(Entities.decoded(ForeignText.decoded(text))) }
    }
    return nil
  }

  /// What begins with `<`; nil for what is passed over, such as comments.
  private func markup() throws -> Token? {
    guard let next = try window.byte(at: 1) else {
      window.skip(1)
      return .cutOff
    }
    switch next {
    case UInt8(ascii: "!"), UInt8(ascii: "?"):
      if try window.hasPrefix("<!--") {
        window.skip(4)
        return try passOver("-->") ? nil : .cutOff
      }
      if try window.hasPrefix("<![CDATA[") {
        window.skip(9)
        return .text(try cdata())
      }
      guard try window.skip(until: { $0 == UInt8(ascii: ">") }) else { return .cutOff }
      window.skip(1)
      return nil
    case UInt8(ascii: "/"):
      window.skip(2)
      let name = try self.name()
      guard try window.skip(until: { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }) else {
        return .cutOff
      }
      if try window.byte() == UInt8(ascii: ">") { window.skip(1) }
      return .end(name)
    case 0x41...0x5A, 0x61...0x7A:
      return try startTag()
    default:
      // A lone `<` is text.
      window.skip(1)
      return .text("<")
    }
  }

  private func passOver(_ end: StaticString) throws -> Bool {
    let first = end.utf8Start[0]
    while try window.skip(until: { $0 == first }) {
      if try window.hasPrefix(end) {
        window.skip(end.utf8CodeUnitCount)
        return true
      }
      window.skip(1)
    }
    return false
  }

  private func cdata() throws -> String {
    var text: [UInt8] = []
    while try window.skip(
      until: { $0 == UInt8(ascii: "]") },
      collect: { if text.count < Self.limit { text += $0 } })
    {
      if try window.hasPrefix("]]>") {
        window.skip(3)
        break
      }
      text.append(UInt8(ascii: "]"))
      window.skip(1)
    }
    return ForeignText.decoded(text)
  }

  private func name() throws -> String {
    var bytes: [UInt8] = []
    while let byte = try window.byte(), Self.isNameByte(byte) {
      if bytes.count < 100 { bytes.append(byte.loweredASCII) }
      window.skip(1)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    !byte.isBlank && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "/")
      && byte != UInt8(ascii: "=") && byte != UInt8(ascii: "<") && byte != UInt8(ascii: "\"")
      && byte != UInt8(ascii: "'")
  }

  private func startTag() throws -> Token {
    var tag = Tag(line: window.line)
    window.skip(1)
    tag.name = try name()
    while true {
      _ = try window.skip(until: { !$0.isBlank })
      guard let byte = try window.byte() else { return .cutOff }
      switch byte {
      case UInt8(ascii: ">"):
        window.skip(1)
        return .start(tag)
      case UInt8(ascii: "<"):
        // The tag was never closed, and the next begins.
        tag.isBroken = true
        return .start(tag)
      case UInt8(ascii: "/"):
        window.skip(1)
        tag.isClosed = try window.byte() == UInt8(ascii: ">")
      case UInt8(ascii: "="), UInt8(ascii: "\""), UInt8(ascii: "'"): window.skip(1)
      default:
        let name = try name()
        guard let value = try value(&tag, of: name) else { return .cutOff }
        if !Self.unwanted.contains(name), tag.attributes.count < 100 {
          tag.attributes.append((name, value))
        }
        if tag.isBroken { return .start(tag) }
      }
    }
  }

  /// The value of an attribute, empty without one; nil when the file ends in it.
  private func value(_ tag: inout Tag, of name: String) throws -> String? {
    _ = try window.skip(until: { !$0.isBlank })
    guard try window.byte() == UInt8(ascii: "=") else { return "" }
    window.skip(1)
    _ = try window.skip(until: { !$0.isBlank })
    guard let quote = try window.byte() else { return nil }
    var bytes: [UInt8] = []
    let isWanted = !Self.unwanted.contains(name)
    let collect = { (piece: ArraySlice<UInt8>) in
      if isWanted, bytes.count < Self.limit { bytes += piece }
    }
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      window.skip(1)
      while true {
        guard
          try window.skip(until: { $0 == quote || $0 == UInt8(ascii: "<") }, collect: collect)
        else { return nil }
        if try window.byte() == quote {
          window.skip(1)
          break
        }
        if try beginsBookmark() {
          tag.isBroken = true
          break
        }
        collect([UInt8(ascii: "<")])
        window.skip(1)
      }
    } else {
      guard try window.skip(until: { $0.isBlank || $0 == UInt8(ascii: ">") }, collect: collect)
      else { return nil }
    }
    return isWanted ? Entities.decoded(ForeignText.decoded(bytes)) : ""
  }

  /// Whether what follows can only be the next bookmark and no part of a value.
  private func beginsBookmark() throws -> Bool {
    for mark in ["<DT><A ", "<DT><H3", "</DL>", "<li><a ", "<outline "] as [StaticString] {
      if try window.hasPrefix(mark) { return true }
    }
    return false
  }
}
