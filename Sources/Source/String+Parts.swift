extension String {
  /// Whether the text contains an ASCII string.
  ///
  /// The standard library's `contains` compares characters and loads Unicode tables on first use,
  /// which slows a cold start.
  /// - Complexity: O(n) for a short `part`.
  package func hasPart(_ part: StaticString) -> Bool {
    part.withUTF8Buffer { part in
      var rest = utf8[...]
      while let start = rest.firstIndex(of: part[0]) {
        rest = rest[start...]
        if rest.starts(with: part) { return true }
        rest = rest.dropFirst()
      }
      return false
    }
  }
}
