import CEL

/// Functions on the paths of files.
enum PathFunctions {
  /// Their names.
  static let names = ["fileName", "folder", "extension"]

  /// All of them.
  static var all: [Function] {
    [
      Function("fileName", .method) { (path: String) in FilePathText.name(of: path) },
      Function("folder", .method) { (path: String) in FilePathText.folder(of: path) },
      Function("extension", .method) { (path: String) in FilePathText.fileExtension(of: path) },
    ]
  }
}

/// The parts of a path, by its text alone.
package enum FilePathText {
  /// What comes after the last slash; one at the end counts for nothing.
  package static func name(of path: String) -> String {
    var rest = path[...]
    while rest.count > 1, rest.hasSuffix("/") { rest = rest.dropLast() }
    return rest.lastIndex(of: "/").map { String(rest[rest.index(after: $0)...]) } ?? String(rest)
  }

  /// What comes before the last slash; `.` where there is none.
  package static func folder(of path: String) -> String {
    var rest = path[...]
    while rest.count > 1, rest.hasSuffix("/") { rest = rest.dropLast() }
    guard let slash = rest.lastIndex(of: "/") else { return "." }
    return slash == rest.startIndex ? "/" : String(rest[..<slash])
  }

  /// What comes after the last dot of the name, in lower case; empty where there is none.
  package static func fileExtension(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }
}
