import ForeignText

/// Detects the type of data by its first bytes.
///
/// libmagic knows hundreds of other types, from an external 8 MB database that is read on first
/// use. Handlers of shares ask for a few types, whose signatures have not changed in decades.
package enum ContentSignature {
  /// Returns the media type of data.
  ///
  /// - Parameters:
  ///   - head: The first bytes.
  ///   - isWhole: Whether `head` is all of the data.
  ///   - name: The file name, which only distinguishes kinds of text.
  ///   - told: The type given by the application, for data without a signature.
  package static func mediaType(
    of head: [UInt8], isWhole: Bool, name: String?, told: String = ""
  ) -> String {
    if let type = signed(head) { return type }
    if let type = mailType(head, isWhole: isWhole, name: name, told: told) { return type }
    guard isText(head, isWhole: isWhole) else {
      // Data declared as text or as a type with a signature, but not matching it, is just bytes.
      let isLikely =
        ["application/", "audio/", "video/", "font/", "model/"].contains(where: told.hasPrefix)
        && isWellFormed(told)
      return isLikely ? told : "application/octet-stream"
    }
    if let type = markup(head) { return type }
    if told.hasPrefix("text/"), isWellFormed(told), told != "text/plain" { return told }
    return textType(ofName: name ?? "")
  }

  /// The number of bytes from which the type of data is detected.
  package static let headSize = 64 << 10

  /// Whether the data begins like a mail or a mailbox.
  package static func isMail(_ bytes: [UInt8], name: String? = nil) -> Bool {
    signed(Array(bytes.prefix(headSize))) == nil
      && mailType(bytes, isWhole: true, name: name, told: "") != nil
  }

  /// Returns the media type of a whole file.
  package static func mediaType(ofFile bytes: [UInt8], name: String? = nil) -> String {
    mediaType(of: Array(bytes.prefix(headSize)), isWhole: bytes.count <= headSize, name: name)
  }

  /// The media types of mails and mailboxes.
  package static let mailTypes: Set = ["message/rfc822", "application/mbox"]

  /// The type of a mail or a mailbox; nil for other data.
  private static func mailType(
    _ head: [UInt8], isWhole: Bool, name: String?, told: String
  ) -> String? {
    let name = name?.lowercased() ?? ""
    let isNamed =
      mailTypes.contains(told) || [".eml", ".emlx", ".mbox"].contains(where: name.hasSuffix)
    guard MailHeader.begins(head, isWhole: isWhole, isNamed: isNamed) else { return nil }
    return head.starts(with: Array("From ".utf8)) ? "application/mbox" : "message/rfc822"
  }

  /// Types with their byte sequences and offsets; the first match counts.
  ///
  /// A byte beyond ASCII is written as the character with that code.
  private static let signatures: [(type: String, marks: [(place: Int, text: String)])] = [
    ("image/png", [(0, "\u{89}PNG\r\n\u{1A}\n")]), ("image/jpeg", [(0, "\u{FF}\u{D8}\u{FF}")]),
    ("image/gif", [(0, "GIF87a")]), ("image/gif", [(0, "GIF89a")]),
    ("image/webp", [(0, "RIFF"), (8, "WEBP")]), ("audio/wav", [(0, "RIFF"), (8, "WAVE")]),
    ("video/x-msvideo", [(0, "RIFF"), (8, "AVI ")]), ("image/tiff", [(0, "II*\0")]),
    ("image/tiff", [(0, "MM\0*")]), ("image/bmp", [(0, "BM"), (14, "(\0\0\0")]),
    ("image/bmp", [(0, "BM"), (14, "|\0\0\0")]), ("image/bmp", [(0, "BM"), (14, "l\0\0\0")]),
    ("application/pdf", [(0, "%PDF-")]), ("application/postscript", [(0, "%!PS-")]),
    ("application/gzip", [(0, "\u{1F}\u{8B}")]), ("application/x-bzip2", [(0, "BZh")]),
    ("application/x-xz", [(0, "\u{FD}7zXZ\0")]), ("application/zstd", [(0, "(\u{B5}/\u{FD}")]),
    ("application/x-7z-compressed", [(0, "7z\u{BC}\u{AF}'\u{1C}")]),
    ("application/x-tar", [(257, "ustar")]),
    ("application/vnd.sqlite3", [(0, "SQLite format 3\0")]), ("audio/mpeg", [(0, "ID3")]),
    ("audio/mpeg", [(0, "\u{FF}\u{FB}")]), ("audio/mpeg", [(0, "\u{FF}\u{F3}")]),
    ("audio/flac", [(0, "fLaC")]), ("audio/ogg", [(0, "OggS")]),
  ]

  /// The type of data with a signature; nil if there is none.
  private static func signed(_ head: [UInt8]) -> String? {
    func has(_ text: String, at place: Int = 0) -> Bool {
      head.count > place
        && head[place...].starts(with: text.unicodeScalars.lazy.map { UInt8($0.value) })
    }
    let found = signatures.first { $0.marks.allSatisfy { has($0.text, at: $0.place) } }
    if let found { return found.type }
    if has("\0\0\u{1}\0"), head.count >= 22, head[4] > 0, head[5] == 0 {
      return "image/vnd.microsoft.icon"
    }
    if has("ftyp", at: 4), head.count >= 12 { return media(brand: Array(head[8..<12])) }
    if has("PK\u{3}\u{4}") || has("PK\u{5}\u{6}") { return archive(head) }
    if has("\u{1A}E\u{DF}\u{A3}") {
      return contains("webm", head.prefix(64)) ? "video/webm" : "video/x-matroska"
    }
    return nil
  }

  /// The type of an ISO/IEC 14496-12 file by its brand.
  private static func media(brand: [UInt8]) -> String {
    switch String(decoding: brand, as: UTF8.self) {
    case "avif", "avis": "image/avif"
    case "heic", "heix", "hevc", "heim", "heis": "image/heic"
    case "mif1", "msf1": "image/heif"
    case "qt  ": "video/quicktime"
    case "M4A ", "M4B ": "audio/mp4"
    default: "video/mp4"
    }
  }

  /// The type of a ZIP file: ODF and EPUB by the first entry, OOXML by the names of entries.
  private static func archive(_ head: [UInt8]) -> String {
    let prefix = head.prefix(200)
    if contains("mimetypeapplication/epub+zip", prefix) { return "application/epub+zip" }
    let document = "mimetypeapplication/vnd.oasis.opendocument."
    if contains(document, prefix) {
      for name in ["text", "spreadsheet", "presentation", "graphics"]
      where contains(document + name, prefix) {
        return "application/vnd.oasis.opendocument.\(name)"
      }
    }
    guard contains("[Content_Types].xml", prefix) || contains("_rels/.rels", prefix) else {
      return "application/zip"
    }
    let office = "application/vnd.openxmlformats-officedocument."
    if contains("word/", head[...]) { return office + "wordprocessingml.document" }
    if contains("xl/", head[...]) { return office + "spreadsheetml.sheet" }
    if contains("ppt/", head[...]) { return office + "presentationml.presentation" }
    return "application/zip"
  }

  private static func contains(_ text: String, _ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.firstRange(of: text.utf8) != nil
  }

  /// Whether the data is readable UTF-8 text.
  private static func isText(_ head: [UInt8], isWhole: Bool) -> Bool {
    var bytes = head[...]
    if !isWhole {
      // The last character may be incomplete.
      bytes.removeLast(bytes.suffix(3).reversed().prefix { $0 & 0xC0 == 0x80 }.count)
      if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
    }
    guard String(validating: bytes, as: UTF8.self) != nil else { return false }
    return bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 || $0 == 0x0C }
  }

  /// The type of text that is identified by its beginning.
  private static func markup(_ head: [UInt8]) -> String? {
    let text = String(decoding: head.prefix(1024), as: UTF8.self).lowercased()
      .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") { return "text/html" }
    if text.hasPrefix("<svg") { return "image/svg+xml" }
    if text.hasPrefix("<?xml") {
      if text.contains("<svg") { return "image/svg+xml" }
      if text.contains("<html") { return "text/html" }
      return "application/xml"
    }
    if text.hasPrefix("begin:vcard") { return "text/vcard" }
    if text.hasPrefix("begin:vcalendar") { return "text/calendar" }
    return nil
  }

  /// The types of text that only the file name distinguishes.
  private static func textType(ofName name: String) -> String {
    let dot = name.lastIndex(of: ".")
    switch dot.map({ name[name.index(after: $0)...].lowercased() }) {
    case "md", "markdown": return "text/markdown"
    case "csv": return "text/csv"
    case "css": return "text/css"
    case "js", "mjs": return "text/javascript"
    case "json": return "application/json"
    case "yaml", "yml": return "application/yaml"
    default: return "text/plain"
    }
  }

  /// Whether a text is `type/subtype` (RFC 6838 §4.2).
  private static func isWellFormed(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        (1..<128).contains(part.count)
          && part.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789+-.!#$&^_".utf8.contains($0) }
      }
  }
}
