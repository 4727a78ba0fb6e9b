/// A regular expression that a whole text must match, as `pattern` of a parameter or a property.
package struct TextPattern: Hashable, Sendable {
  /// The pattern as it was written.
  package let text: String

  /// A pattern that is known to be one.
  ///
  /// - Throws: an `EvaluationError` that says what is wrong with it.
  package init(_ text: String) throws(EvaluationError) {
    self.text = text
    do throws(EvaluationError) {
      _ = try Regex.shared(whole)
    } catch {
      // By itself, so that the message shows the pattern as it was written.
      _ = try Regex.shared(text)
      throw error
    }
  }

  private var whole: String { "^(?:" + text + ")$" }

  /// Whether it matches all of a text.
  package func matches(_ text: String) -> Bool {
    // It compiled before.
    (try? Regex.shared(whole))?.matches(text) ?? false
  }
}
