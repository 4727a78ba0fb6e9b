import CEL
import Links

/// Functions on URLs, which are strings in expressions.
enum URLFunctions {
  /// Rows of the function table.
  static let table = [
    FunctionRow("host") {
      Function($0, .method) { (text: String) throws(EvaluationError) in try url(text).host }
    },
    FunctionRow("path") {
      Function($0, .method) { (text: String) throws(EvaluationError) in try url(text).path }
    },
    FunctionRow("query") {
      Function($0, .method, [.string, .string], returns: .nullable(.string)) {
        (text: String, name: String) throws(EvaluationError) -> Value in
        try url(text).queryValue(name).map { .string($0) } ?? .null
      }
    },
    FunctionRow("fragment") {
      Function($0, .method, [.string], returns: .nullable(.string)) {
        (text: String) throws(EvaluationError) -> Value in
        try url(text).fragment.map { .string($0) } ?? .null
      }
    },
    FunctionRow("canonical") {
      Function($0, .method) { (text: String) throws(EvaluationError) in try url(text).canonical }
    },
    FunctionRow("pageKey") {
      Function($0, .method) { (text: String) throws(EvaluationError) in try url(text).pageKey }
    },
    FunctionRow(in: "asSaved") { name, context in
      Function(name, .method, [.string], returns: .string, isPure: false) {
        (text: String) throws(EvaluationError) -> Value in
        .string(context.savesCleanURLs() ? try url(text).clean : text)
      }
    },
    FunctionRow("resolve") {
      Function($0, .method) { (reference: String, base: String) throws(EvaluationError) in
        let base = try url(base)
        do throws(WebURLError) {
          return try base.resolve(reference).text
        } catch {
          throw notURL(reference, error)
        }
      }.tryingSecond(beside: .string(""))
    },
    FunctionRow("urlEncode") { Function($0, .method) { (text: String) in WebURL.encode(text) } },
  ]

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

/// Functions on file paths.
enum PathFunctions {
  /// Rows of the function table.
  static let table = [
    FunctionRow("fileName") {
      Function($0, .method) { (path: String) in FilePathText.name(of: path) }
    },
    FunctionRow("stem") {
      Function($0, .method) { (path: String) in FilePathText.stem(of: path) }
    },
    FunctionRow("folder") {
      Function($0, .method) { (path: String) in FilePathText.folder(of: path) }
    },
    FunctionRow("extension") {
      Function($0, .method) { (path: String) in FilePathText.fileExtension(of: path) }
    },
  ]
}

/// Parts of a path, computed from its text alone.
package enum FilePathText {
  /// Returns the part after the last slash; a trailing slash is ignored.
  package static func name(of path: String) -> String {
    let rest = trimmed(path)
    return rest.lastIndex(of: "/").map { String(rest[rest.index(after: $0)...]) } ?? String(rest)
  }

  /// Returns the name without its extension.
  package static func stem(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// Returns `name (2).ext`, the numbering that desktops use for copies.
  package static func numbered(_ path: String, _ number: Int) -> String {
    let name = name(of: path)
    let folder = String(path.dropLast(name.count))
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return "\(folder)\(name) (\(number))"
    }
    return "\(folder)\(name[..<dot]) (\(number))\(name[dot...])"
  }

  /// Returns the part before the last slash; `.` if there is none.
  package static func folder(of path: String) -> String {
    let rest = trimmed(path)
    guard let slash = rest.lastIndex(of: "/") else { return "." }
    return slash == rest.startIndex ? "/" : String(rest[..<slash])
  }

  private static func trimmed(_ path: String) -> Substring {
    var rest = path[...]
    while rest.count > 1, rest.hasSuffix("/") { rest = rest.dropLast() }
    return rest
  }

  /// Returns the lower-case part after the last dot of the name; empty if there is none.
  package static func fileExtension(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }
}
