import Program

/// The media types of files, guessed from the ends of their names (IANA, "Media Types").
enum MediaType {
  /// The type of a file; `inode/directory` for a folder.
  static func name(of entry: FileEntry) -> String {
    entry.isFolder ? "inode/directory" : name(ofPath: entry.name)
  }

  /// The type of a file by the end of its name.
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
