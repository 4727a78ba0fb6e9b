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

  /// The type of bytes with a signature; nil without one.
  private static func signed(_ head: [UInt8]) -> String? {
    func begins(_ text: StaticString, at offset: Int = 0) -> Bool {
      let count = text.utf8CodeUnitCount
      guard head.count >= offset + count else { return false }
      let bytes = UnsafeBufferPointer(start: text.utf8Start, count: count)
      return head[offset..<offset + count].elementsEqual(bytes)
    }
    func begins(_ bytes: [UInt8]) -> Bool { head.starts(with: bytes) }
    if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if begins([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if begins("GIF87a") || begins("GIF89a") { return "image/gif" }
    if begins("RIFF"), begins("WEBP", at: 8) { return "image/webp" }
    if begins("RIFF"), begins("WAVE", at: 8) { return "audio/wav" }
    if begins("RIFF"), begins("AVI ", at: 8) { return "video/x-msvideo" }
    if begins([0x49, 0x49, 0x2A, 0x00]) || begins([0x4D, 0x4D, 0x00, 0x2A]) {
      return "image/tiff"
    }
    if begins("BM"), head.count >= 30, head[14] == 40 || head[14] == 124 || head[14] == 108 {
      return "image/bmp"
    }
    if begins([0x00, 0x00, 0x01, 0x00]), head.count >= 22, head[4] > 0, head[5] == 0 {
      return "image/vnd.microsoft.icon"
    }
    if begins("ftyp", at: 4), head.count >= 12 { return media(brand: Array(head[8..<12])) }
    if begins("%PDF-") { return "application/pdf" }
    if begins("%!PS-") { return "application/postscript" }
    if begins([0x50, 0x4B, 0x03, 0x04]) || begins([0x50, 0x4B, 0x05, 0x06]) {
      return archive(head)
    }
    if begins([0x1F, 0x8B]) { return "application/gzip" }
    if begins("BZh") { return "application/x-bzip2" }
    if begins([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]) { return "application/x-xz" }
    if begins([0x28, 0xB5, 0x2F, 0xFD]) { return "application/zstd" }
    if begins([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) { return "application/x-7z-compressed" }
    if begins("ustar", at: 257) { return "application/x-tar" }
    if begins("SQLite format 3\0") { return "application/vnd.sqlite3" }
    if begins("ID3") || begins([0xFF, 0xFB]) || begins([0xFF, 0xF3]) { return "audio/mpeg" }
    if begins("fLaC") { return "audio/flac" }
    if begins("OggS") { return "audio/ogg" }
    if begins([0x1A, 0x45, 0xDF, 0xA3]) {
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
