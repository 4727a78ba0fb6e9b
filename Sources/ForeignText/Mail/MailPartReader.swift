/// Reads the parts of a mail in one pass (RFC 2046 §5.1).
struct MailPartReader {
  private(set) var texts: [Mail.Text] = []
  private(set) var attachments: [Mail.Attachment] = []

  private let bytes: ArraySlice<UInt8>
  /// The unread bytes.
  private var rest: ArraySlice<UInt8>
  /// The levels of the open parts by their boundaries.
  private var levels: [ArraySlice<UInt8>: Int] = [:]
  private var level = 0
  private var count = 0
  /// The depth of mails in mails that are encoded.
  private let depth: Int

  /// A boundary that ends a part.
  private struct Boundary {
    let level: Int
    /// Whether it ends the parts of its level, too.
    let isLast: Bool
    /// The index of its line.
    let start: Int
  }

  private static let maxLevel = 100
  private static let maxParts = 10_000
  /// Longer lines are not boundaries, which have at most 70 bytes.
  private static let maxBoundary = 1_000

  init(_ bytes: ArraySlice<UInt8>, depth: Int) {
    (self.bytes, rest, self.depth) = (bytes, bytes, depth)
  }

  /// Reads the whole mail and returns its header.
  mutating func readMail() -> MailHeader {
    let header = MailHeader(bytes)
    _ = readPart(isInDigest: false, isAlternative: false)
    return header
  }

  // MARK: - Boundaries

  private func boundary(_ line: ArraySlice<UInt8>) -> Boundary? {
    guard level > 0, line.starts(with: [0x2D, 0x2D]), line.count <= Self.maxBoundary else {
      return nil
    }
    var text = line.dropFirst(2)
    while text.last == 0x20 || text.last == 0x09 { text.removeLast() }
    if let level = levels[text] {
      return Boundary(level: level, isLast: false, start: line.startIndex)
    }
    guard text.suffix(2).elementsEqual([0x2D, 0x2D]), let level = levels[text.dropLast(2)] else {
      return nil
    }
    return Boundary(level: level, isLast: true, start: line.startIndex)
  }

  /// Skips to the line after the next boundary of an open part; nil at the end.
  private mutating func skip() -> Boundary? {
    while let line = MailLine.next(&rest) {
      if let found = boundary(line) { return found }
    }
    return nil
  }

  /// The bytes from an index to a boundary, without the line ending that belongs to it.
  private func content(from start: Int, to end: Boundary?) -> ArraySlice<UInt8> {
    guard let end else { return bytes[start...] }
    var content = bytes[start..<max(start, end.start)]
    if content.last == 0x0A { content.removeLast() }
    if content.last == 0x0D { content.removeLast() }
    return content
  }

  // MARK: - Parts

  /// Reads a part, and returns the boundary that ends it.
  private mutating func readPart(isInDigest: Bool, isAlternative: Bool) -> Boundary? {
    count += 1
    guard count <= Self.maxParts else {
      rest = rest[rest.endIndex...]
      return nil
    }
    let header = MailHeader(rest) { boundary($0) != nil }
    rest = header.body
    let type = header.type(else: isInDigest ? "message/rfc822" : "text/plain")
    if type.hasPrefix("multipart/"), level < Self.maxLevel,
      let mark = header.parameter("boundary", of: "content-type"), !mark.isEmpty
    {
      return readParts(mark, type)
    }
    let isMail = type == "message/rfc822" || type == "message/global"
    let isPlain = ["", "7bit", "8bit", "binary"].contains(header.transferEncoding)
    if isMail, isPlain, level < Self.maxLevel {
      level += 1
      defer { level -= 1 }
      addFields(of: MailHeader(rest) { boundary($0) != nil })
      return readPart(isInDigest: false, isAlternative: false)
    }
    let start = rest.startIndex
    let end = skip()
    let body = content(from: start, to: end)
    if isMail, depth < 5 {
      let mail = Mail(decoded(body, header)[...], depth: depth + 1)
      addFields(of: MailHeader(decoded(body, header)[...]))
      texts += mail.texts
      attachments += mail.attachments
    } else {
      add(body, type, header, isAlternative: isAlternative)
    }
    return end
  }

  /// Reads the parts between boundaries, and returns the boundary after them.
  private mutating func readParts(_ mark: String, _ type: String) -> Boundary? {
    let key = Array(mark.utf8)[...]
    let outer = levels[key]
    level += 1
    let own = level
    levels[key] = own
    let start = rest.startIndex
    let isAlternative = type == "multipart/alternative"
    let first = texts.count
    var branches: [Range<Int>] = []
    var end = skip()
    // Text without any part is shown as it is.
    if end?.level != own || end?.isLast == true {
      addPlain(MailText.body(Array(content(from: start, to: end)), charset: ""))
    }
    while let found = end, found.level == own, !found.isLast {
      let branch = texts.count
      end = readPart(isInDigest: type == "multipart/digest", isAlternative: isAlternative)
      branches.append(branch..<texts.count)
    }
    levels[key] = outer
    level -= 1
    if isAlternative { choose(branches, from: first) }
    return end?.level == own ? skip() : end
  }

  /// Keeps the texts of one alternative: the first that is plain, or else the last (RFC 2046 §5.1.4).
  private mutating func choose(_ branches: [Range<Int>], from first: Int) {
    let full = branches.filter { !$0.isEmpty }
    let chosen = full.first { texts[$0].contains(where: \.isPlain) } ?? full.last
    guard let chosen else { return }
    texts = Array(texts[..<first] + texts[chosen])
  }

  private func decoded(_ body: ArraySlice<UInt8>, _ header: MailHeader) -> [UInt8] {
    switch header.transferEncoding {
    case "base64": MailText.base64(body)
    case "quoted-printable": MailText.quotedPrintable(body)
    default: Array(body)
    }
  }

  /// Adds a part without parts.
  private mutating func add(
    _ body: ArraySlice<UInt8>, _ type: String, _ header: MailHeader, isAlternative: Bool
  ) {
    let bytes = decoded(body, header)
    let name = header.fileName
    let isOwnFile = ["text/calendar", "text/vcard", "text/x-vcard", "text/csv"].contains(type)
    let isText = ["text/", "message/", "multipart/"].contains { type.hasPrefix($0) } && !isOwnFile
    guard !isText || header.isAttached || name != nil else {
      // Other forms of the same text are for other programs.
      if isAlternative, type != "text/plain", type != "text/html" { return }
      let text = MailText.body(bytes, charset: header.charset)
      if type == "text/html" {
        if text.contains(where: { !$0.isWhitespace }) {
          texts.append(.html(Self.withNewlines(text)))
        }
        return
      }
      func parameter(_ name: String) -> String? {
        header.parameter(name, of: "content-type")?.lowercased()
      }
      let isFlowed = type == "text/plain" && parameter("format") == "flowed"
      let lines = Self.withNewlines(text)
      addPlain(
        isFlowed ? MailText.unflowed(lines, deletesSpace: parameter("delsp") == "yes") : lines)
      return
    }
    if bytes.isEmpty { return }
    let defaultName = type == "text/calendar" ? "invite.ics" : nil
    attachments.append(Mail.Attachment(name: name ?? defaultName, mediaType: type, bytes: bytes))
  }

  /// A text with LF line endings.
  private static func withNewlines(_ text: String) -> String {
    guard text.utf8.contains(0x0D) else { return text }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let line = MailLine.next(&rest) {
      bytes += line
      if !rest.isEmpty || text.utf8.last == 0x0A || text.utf8.last == 0x0D { bytes.append(0x0A) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func addPlain(_ text: String) {
    if text.contains(where: { !$0.isWhitespace }) { texts.append(.plain(text)) }
  }

  /// Adds the fields of a forwarded mail that programs show.
  private mutating func addFields(of header: MailHeader) {
    let fields = [("From", "from"), ("Date", "date"), ("To", "to"), ("Subject", "subject")]
    let lines = fields.compactMap { name, field in header.text(field).map { "\(name): \($0)\n" } }
    addPlain(lines.joined())
  }
}
