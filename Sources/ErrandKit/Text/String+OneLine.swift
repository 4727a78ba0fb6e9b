package import Engine

extension String {
  /// The words on one line, truncated after 60 characters.
  package var inOneLine: String {
    let line = split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 60 ? line.prefix(60) + "…" : line
  }
}

extension String {
  /// Whether it consists of ASCII letters and digits and the given other characters.
  package func isPlainWord(with others: String) -> Bool {
    unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        || others.unicodeScalars.contains(scalar)
    }
  }
}

extension RunError {
  /// The error and its causes on one line.
  package var inOneLine: String {
    ([self] + causes).map { "\($0.message) [\($0.code)]" }.joined(separator: ", cause: ")
  }
}

extension Int {
  /// The number with a noun, such as `1 item` or `2 items`.
  package func counted(_ name: String) -> String { self == 1 ? "1 \(name)" : "\(self) \(name)s" }
}
