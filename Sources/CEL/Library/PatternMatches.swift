/// The matches of a pattern with their groups.
package enum PatternMatches {
  /// Whether a pattern is valid.
  package static func isValid(_ pattern: String) -> Bool { (try? Regex.shared(pattern)) != nil }

  /// Returns the texts of each match and of up to nine groups; a group that took no part is empty.
  ///
  /// - Throws: an `EvaluationError` if the pattern is not valid, or there are too many matches.
  package static func groups(in text: String, _ pattern: String) throws(EvaluationError)
    -> [[String]]
  {
    let bytes = Array(text.utf8)
    return try Regex.shared(pattern).matches(in: bytes).map { groups in
      groups.map { range in range.map { String(decoding: bytes[$0], as: UTF8.self) } ?? "" }
    }
  }
}
