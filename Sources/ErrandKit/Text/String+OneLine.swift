package import Engine

extension String {
  /// Its words in one line, cut after 60 characters.
  package var inOneLine: String {
    let line = split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 60 ? line.prefix(60) + "…" : line
  }
}

extension RunError {
  /// The error with those that led to it.
  package var inOneLine: String {
    ([self] + causes).map { "\($0.message) [\($0.code)]" }.joined(separator: ", cause: ")
  }
}

extension Int {
  /// So many things of a name, such as `1 item` and `2 items`.
  package func counted(_ name: String) -> String { self == 1 ? "1 \(name)" : "\(self) \(name)s" }
}
