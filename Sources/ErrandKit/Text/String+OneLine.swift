extension String {
  /// Its words in one line, cut after 60 characters.
  package var inOneLine: String {
    let line = split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 60 ? line.prefix(60) + "…" : line
  }
}
