import CEL
import ForeignText
import Program

/// The media type of a body (RFC 9110 §8.3).
struct ContentType {
  /// The type and subtype in lower case, such as `text/html`; empty when missing.
  let name: String
  private let header: String

  init(_ header: String) {
    let parts = header.split(separator: ";").map { $0.trimmed.lowercased() }
    name = parts.first ?? ""
    self.header = header
  }

  /// Whether it is JSON (RFC 6839 §3.1).
  var isJSON: Bool { name == "application/json" || name.hasSuffix("+json") }

  /// Whether it is readable text.
  var isText: Bool {
    name.hasPrefix("text/") || isJSON || name.hasSuffix("+xml")
      || [
        "application/xml", "application/javascript", "application/x-www-form-urlencoded",
        "application/yaml", "application/x-yaml", "application/toml", "application/jsonl",
        "application/x-ndjson", "application/sql",
      ].contains(name)
  }

  /// Decodes bytes by byte order mark, declared encoding or detection; invalid sequences become
  /// U+FFFD.
  func text(of bytes: [UInt8]) -> String {
    // JSON is always UTF-8 (RFC 8259 §8.1).
    isJSON ? DecodedText.exact(bytes, .utf8) ?? read(bytes) : read(bytes)
  }

  private func read(_ bytes: [UInt8]) -> String { DecodedText(bytes, mediaType: header).text }
}

/// Media types by file extension (IANA, "Media Types").
enum MediaType {
  /// The type of a file; `inode/directory` for a folder.
  static func name(of entry: FileEntry) -> String {
    entry.isFolder ? "inode/directory" : name(ofPath: entry.name)
  }

  /// The extension of files of a type; `bin` for an unknown one.
  static func fileExtension(of type: String) -> String {
    let known = [
      "png", "jpg", "gif", "webp", "svg", "pdf", "zip", "gz", "mp3", "ogg", "wav", "flac", "mp4",
      "mov", "webm",
    ]
    return known.first { name(ofPath: "x." + $0) == type } ?? "bin"
  }

  /// The type of a file by its extension.
  static func name(ofPath path: String) -> String {
    switch FilePathText.fileExtension(of: path) {
    case "txt", "text", "log": "text/plain"
    case "md", "markdown": "text/markdown"
    case "html", "htm": "text/html"
    case "css": "text/css"
    case "csv": "text/csv"
    case "yaml", "yml": "application/yaml"
    case "json": "application/json"
    case "jsonl": "application/jsonl"
    case "xml": "application/xml"
    case "js": "text/javascript"
    case "pdf": "application/pdf"
    case "zip": "application/zip"
    case "gz": "application/gzip"
    case "tar": "application/x-tar"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "gif": "image/gif"
    case "webp": "image/webp"
    case "svg": "image/svg+xml"
    case "heic": "image/heic"
    case "mp3": "audio/mpeg"
    case "ogg", "oga": "audio/ogg"
    case "wav": "audio/wav"
    case "flac": "audio/flac"
    case "mp4", "m4v": "video/mp4"
    case "mov": "video/quicktime"
    case "webm": "video/webm"
    case "mkv": "video/x-matroska"
    case "epub": "application/epub+zip"
    case "odt": "application/vnd.oasis.opendocument.text"
    case "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    case "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    default: "application/octet-stream"
    }
  }
}
