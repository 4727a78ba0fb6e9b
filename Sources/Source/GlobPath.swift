/// A path with a pattern of names in it, such as `~/Downloads/*.pdf`.
package struct GlobPath {
  /// The folder before the first name with a wildcard.
  package let folder: String
  /// The names after it.
  package let pattern: String

  /// Splits a path; nil if it has no wildcard.
  package init?(_ path: String) {
    guard let wildcard = path.firstIndex(where: { "*?".contains($0) }) else { return nil }
    guard let slash = path[..<wildcard].lastIndex(of: "/") else {
      (folder, pattern) = (".", path)
      return
    }
    folder = slash == path.startIndex ? "/" : String(path[..<slash])
    pattern = String(path[path.index(after: slash)...])
  }

  /// Endings of names that stand for all files with them.
  private static let endings: Set<String> = [
    "jpg", "jpeg", "png", "gif", "heic", "webp", "svg", "pdf", "log", "txt", "csv", "md", "zip",
    "gz",
    "mp3", "mp4", "mov", "wav", "m4a", "docx", "xlsx", "pptx", "odt", "ods", "json", "yaml", "yml",
    "html", "xml", "eml", "ics", "epub",
  ]

  /// Endings that are also names of folders.
  private static let folders: Set<String> = ["log", "md", "zip", "json", "html", "xml", "csv"]

  /// The pattern meant by the ending of a name, as in `jpg`, `.jpg` and `\.jpg$`, or by several patterns
  /// in one text, as in `*.jpg, *.png`; nil for a text that may be one.
  package static func pattern(meantBy text: String) -> String? {
    let parts = text.split { ", |".contains($0) }.map { part in
      var part = part.drop { "^\\*.".contains($0) }
      if part.last == "$" { part.removeLast() }
      return String(part)
    }
    guard !parts.isEmpty, parts.allSatisfy({ endings.contains($0.lowercased()) }),
      parts.count > 1 || !text.hasPrefix("*.") && !folders.contains(text)
    else { return nil }
    return parts.count == 1 ? "*.\(parts[0])" : "*.{\(parts.joined(separator: ","))}"
  }
}
