/// A path with parameters in braces, such as `/items/{entity}/{id}`; `*` stands for any rest.
package struct PathPattern: Sendable {
  private let segments: [String]

  package init(_ path: String) { segments = path.split(separator: "/").map(String.init) }

  /// The names of the parameters.
  package var names: [String] { segments.compactMap(Self.name) }

  private static func name(_ segment: String) -> String? {
    segment.first == "{" ? String(segment.dropFirst().dropLast()) : nil
  }

  /// The values of the parameters; nil for another path. An `id` is a number as it is printed.
  package func values(of path: [String]) -> [String: String]? {
    if segments.last == "*" { return [:] }
    guard segments.count == path.count else { return nil }
    var values: [String: String] = [:]
    for (segment, value) in zip(segments, path) {
      guard let name = Self.name(segment) else {
        guard segment == value else { return nil }
        continue
      }
      guard !value.isEmpty, name != "id" || Self.isNumber(value) else { return nil }
      values[name] = value
    }
    return values
  }

  private static func isNumber(_ text: String) -> Bool {
    Int64(text).map { $0 > 0 && "\($0)" == text } ?? false
  }
}
