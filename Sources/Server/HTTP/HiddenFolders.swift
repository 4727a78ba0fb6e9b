import ErrandKit

/// The person's folders, which are redacted from answers to programs.
struct HiddenFolders {
  /// The paths, longest first.
  private let paths: [String]

  init(_ paths: [String?]) {
    // A short path such as `/` would match everywhere.
    let trimmed = paths.compactMap { $0 }.map { path in
      String(
        path.prefix(
          path.lastIndex { $0 != "/" }.map { path.distance(from: path.startIndex, to: $0) + 1 } ?? 0
        ))
    }
    self.paths = Set(trimmed.filter { $0.utf8.count > 2 })
      .sorted { ($1.utf8.count, $1) < ($0.utf8.count, $0) }
  }

  /// Replaces each folder in a text by `…`.
  func hiding(_ text: String) -> String {
    paths.reduce(text) { text, path in
      var rest = text[...]
      var result = ""
      while let range = rest.firstRange(of: path) {
        let next = rest[range.upperBound...].first
        // `/home/ann` does not contain `/home/anna`.
        let isWhole = next.map { !$0.isLetter && !$0.isNumber && !"-_.".contains($0) } ?? true
        result += rest[..<range.lowerBound] + (isWhole ? "…" : path)
        rest = rest[range.upperBound...]
      }
      return result + rest
    }
  }

  /// The value with the folders redacted from its texts.
  func hiding(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(hiding(text))
    case .array(let elements): .array(elements.map(hiding))
    case .object(let members): .object(members.mapValues(hiding))
    default: value
    }
  }

  /// The reply, with the folders redacted from a problem.
  func hiding(_ reply: Reply) -> Reply {
    guard case .response(var response) = reply, response.isProblem,
      let value = try? JSONValue(parsing: String(decoding: response.body, as: UTF8.self)),
      let text = try? hiding(value).text()
    else { return reply }
    response.body = Array(text.utf8)
    return .response(response)
  }
}
