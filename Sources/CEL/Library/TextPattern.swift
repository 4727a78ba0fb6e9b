/// A regular expression that must match a whole text, such as the `pattern` of a parameter or property.
package struct TextPattern: Hashable, Sendable {
  /// The pattern as written.
  package let text: String

  /// Validates a pattern.
  ///
  /// - Throws: an `EvaluationError` that describes the syntax error.
  package init(_ text: String) throws(EvaluationError) {
    self.text = text
    do throws(EvaluationError) {
      _ = try Regex.shared(whole)
    } catch {
      // Compiled without the anchors, so that the message shows the pattern as written.
      _ = try Regex.shared(text)
      throw error
    }
  }

  private var whole: String { "^(?:" + text + ")$" }

  /// Returns whether it matches the whole text.
  package func matches(_ text: String) -> Bool {
    // `init` has compiled it.
    (try? Regex.shared(whole))?.matches(text) ?? false
  }
}
