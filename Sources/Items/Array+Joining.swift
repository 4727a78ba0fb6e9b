extension [String] {
  /// Concatenates the strings with a separator.
  ///
  /// On its first use, the standard library's version looks up protocol conformances, which takes
  /// as long as reading a definition at a cold start.
  package func joined(separator: String) -> String {
    var result = first ?? ""
    for text in dropFirst() {
      result += separator
      result += text
    }
    return result
  }
}
