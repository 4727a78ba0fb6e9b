/// What one evaluation may cost.
package struct EvaluationLimits: Sendable {
  /// The most steps: roughly one for each node visited in a loop, and for each element or 16
  /// bytes copied.
  package var steps = 10_000_000
  /// The most elements a list or map may come to have.
  package var elements = 1_000_000
  /// The most bytes a string may come to have.
  package var bytes = 16 * 1_024 * 1_024

  /// The standard limits.
  package init() {}
}
