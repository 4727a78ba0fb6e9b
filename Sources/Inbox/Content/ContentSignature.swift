/// Finds out what bytes are by how they begin.
///
/// libmagic knows hundreds of types more, from a database of 8 MB that is read at its first use and
/// lies outside of the program. What asks for the type of a share asks for a few, whose signatures
/// have not changed in decades.
package enum ContentSignature {
  /// The media type of bytes.
  ///
  /// - Parameter head: How they begin.
  /// - Parameter isWhole: Whether that is all of them.
  /// - Parameter name: The name of the file, which may only tell kinds of text apart.
  /// - Parameter told: What an application says that they are, for what has no signature.
  package static func mediaType(
    of head: [UInt8], isWhole: Bool, name: String?, told: String = ""
  ) -> String {
    if let type = signed(head) { return type }
    guard isText(head, isWhole: isWhole) else {
      // What says that it is text, or something with a signature, and is not, is just bytes.
      let isLikely =
        ["application/", "audio/", "video/", "font/", "model/"].contains(where: told.hasPrefix)
        && isWellFormed(told)
      return isLikely ? told : "application/octet-stream"
    }
    if let type = markup(head) { return type }
    if told.hasPrefix("text/"), isWellFormed(told), told != "text/plain" { return told }
    return textType(ofName: name ?? "")
  }

  /// Whether bytes begin as a mail.
  package static func isMail(_ bytes: [UInt8]) -> Bool {
    mediaType(of: Array(bytes.prefix(4096)), isWhole: bytes.count <= 4096, name: nil)
      == MailSignature.mediaType
  }

  /// Types with the bytes that they have at some places; of several the first counts.
  ///
  /// A byte beyond ASCII stands as the character of its number.
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

  /// The type of bytes with a signature; nil without one.
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

  /// Files of ISO/IEC 14496-12 by their brand.
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

  /// What a ZIP file is: ODF and EPUB say it in their first entry, OOXML by the names of the first.
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
    let wanted = Array(text.utf8)
    guard bytes.count >= wanted.count, let first = wanted.first else { return false }
    for start in bytes.startIndex...(bytes.endIndex - wanted.count)
    where bytes[start] == first && bytes[start..<start + wanted.count].elementsEqual(wanted) {
      return true
    }
    return false
  }

  /// Whether bytes are text in UTF-8 that a person can read.
  private static func isText(_ head: [UInt8], isWhole: Bool) -> Bool {
    var bytes = head[...]
    if !isWhole {
      // The last character may be cut off.
      var count = 0
      while count < 3, let last = bytes.last, last & 0xC0 == 0x80 {
        bytes.removeLast()
        count += 1
      }
      if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
    }
    guard String(validating: bytes, as: UTF8.self) != nil else { return false }
    return bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 || $0 == 0x0C }
  }

  /// The type of texts that say by their first words what they are.
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
    return MailSignature.matches(text) ? MailSignature.mediaType : nil
  }

  /// Kinds of text that only their names tell apart.
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
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.count < 128
          && part.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
              || "+-.!#$&^_".utf8.contains(byte)
          }
      }
  }
}
