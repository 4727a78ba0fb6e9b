/// Expected output of a page: `…` matches any text in a line, or any lines if alone in a line.
struct OutputPattern {
  private let lines: [String]

  init(_ lines: [String]) {
    self.lines = lines
  }

  /// Whether output matches the page.
  func matches(_ output: [String]) -> Bool {
    Self.matches(lines[...], output[...])
  }

  private static func matches(_ pattern: ArraySlice<String>, _ output: ArraySlice<String>) -> Bool {
    guard let first = pattern.first else { return output.isEmpty }
    let rest = pattern.dropFirst()
    if first == "…" {
      return (0...output.count).contains { matches(rest, output.dropFirst($0)) }
    }
    guard let line = output.first, matches(line: line[...], first) else { return false }
    return matches(rest, output.dropFirst())
  }

  private static func matches(line: Substring, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "…", omittingEmptySubsequences: false)
    guard let first = parts.first, line.hasPrefix(first) else { return false }
    var rest = line.dropFirst(first.count)
    for (index, part) in parts.enumerated().dropFirst() {
      if index == parts.count - 1 { return rest.hasSuffix(part) }
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.isEmpty
  }
}
