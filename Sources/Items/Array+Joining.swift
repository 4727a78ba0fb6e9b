extension [String] {
  /// The texts one after the other, with another between each two.
  ///
  /// The standard library's own looks up at its first use what it knows of lists of texts, which
  /// takes as long as a cold start's reading of a definition.
  package func joined(separator: String) -> String {
    var result = first ?? ""
    for text in dropFirst() {
      result += separator
      result += text
    }
    return result
  }
}
