extension String {
  /// Whether some ASCII stands in it.
  ///
  /// The standard library's own takes texts apart into characters, and looks up at its first use
  /// what it knows of them, which a cold start would notice.
  /// - Complexity: O(n) for `part` is short.
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
