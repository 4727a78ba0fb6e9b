/// Resource limits of one evaluation.
package struct EvaluationLimits: Sendable {
  /// Maximum steps: roughly one for each node visited in a loop, and for each element or 16 bytes copied.
  package var steps = 10_000_000
  /// Maximum number of elements of a list or map.
  package var elements = 1_000_000
  /// Maximum size of a string in bytes.
  package var bytes = 16 * 1_024 * 1_024

  /// Creates the standard limits.
  package init() {}

  /// Throws if a list or map of `count` elements would be too large.
  func expect(elements count: Int) throws(EvaluationError) {
    if count > elements { throw EvaluationError(.tooLarge("the list")) }
  }

  /// Throws if a string of `count` bytes would be too large.
  func expect(bytes count: Int) throws(EvaluationError) {
    if count > bytes { throw EvaluationError(.tooLarge("the text")) }
  }
}
