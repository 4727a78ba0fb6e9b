import CEL
import Links

/// Functions on URLs, which are strings in expressions.
enum URLFunctions {
  /// Their names.
  static let names = [
    "host", "path", "query", "fragment", "canonical", "resolve", "urlEncode",
  ]

  /// All of them.
  static var all: [Function] {
    [
      Function("host", .method) { (text: String) throws(EvaluationError) in
        try url(text).host
      },
      Function("path", .method) { (text: String) throws(EvaluationError) in
        try url(text).path
      },
      Function("query", .method, [.string, .string], returns: .nullable(.string)) {
        (text: String, name: String) throws(EvaluationError) -> Value in
        try url(text).queryValue(name).map { .string($0) } ?? .null
      },
      Function("fragment", .method, [.string], returns: .nullable(.string)) {
        (text: String) throws(EvaluationError) -> Value in
        try url(text).fragment.map { .string($0) } ?? .null
      },
      Function("canonical", .method) { (text: String) throws(EvaluationError) in
        try url(text).canonical
      },
      Function("resolve", .method) { (reference: String, base: String) throws(EvaluationError) in
        let base = try url(base)
        do throws(WebURLError) {
          return try base.resolve(reference).text
        } catch {
          throw notURL(reference, error)
        }
      }.tryingSecond(beside: .string("")),
      Function("urlEncode", .method) { (text: String) in WebURL.encode(text) },
    ]
  }

  private static func url(_ text: String) throws(EvaluationError) -> WebURL {
    do throws(WebURLError) {
      return try WebURL(text)
    } catch {
      throw notURL(text, error)
    }
  }

  private static func notURL(_ text: String, _ error: WebURLError) -> EvaluationError {
    let start = text.unicodeScalars.prefix(100)
    let shown = start.endIndex == text.endIndex ? text : String(start) + "…"
    return EvaluationError("“\(shown)” is not a URL: \(error)")
  }
}

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
