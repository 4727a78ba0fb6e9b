/// A compiled expression; can be evaluated repeatedly and from any thread.
package struct Program: Sendable {
  /// The source expression.
  package let expression: Expression
  /// The names of its variables without duplicates, as written if qualified: `vars.tags`.
  package let variables: [String]
  /// Errors found by constant folding; they occur for all values of the variables.
  package let failures: [EvaluationError]
  /// The root node.
  let root: Node
  /// The number of slots used by macro variables.
  let localCount: Int

  /// The value, if it needs no variable and cannot fail.
  package var constant: Value? { root.constant }

  /// Evaluates with `lookup`, which returns the value of the variable at a position in `variables`.
  ///
  /// Each variable is looked up exactly once, even if it is not used; a missing value fails only on use.
  package func evaluate(
    limits: EvaluationLimits = EvaluationLimits(), _ lookup: (Int) -> Value?
  ) throws(EvaluationError) -> Value {
    var left = limits.steps
    return try evaluate(limits: limits, left: &left, lookup)
  }

  /// Evaluates with a budget shared by several evaluations; the steps used are deducted from `left`.
  ///
  /// - Parameter mustStop: Polled to interrupt the evaluation.
  package func evaluate(
    limits: EvaluationLimits = EvaluationLimits(), left: inout Int,
    mustStop: (() -> Bool)? = nil, _ lookup: (Int) -> Value?
  ) throws(EvaluationError) -> Value {
    if let constant = root.constant { return constant }
    var values: [Value?] = []
    if !variables.isEmpty {
      values.reserveCapacity(variables.count)
      for index in variables.indices { values.append(lookup(index)) }
    }
    var limits = limits
    limits.steps = min(limits.steps, left)
    var frame = Frame(variables: values, localCount: localCount, limits: limits, mustStop: mustStop)
    defer { left -= limits.steps - frame.steps }
    return try root.evaluate(&frame)
  }

  /// Evaluates with variables by name.
  package func evaluate(
    _ values: [String: Value] = [:], limits: EvaluationLimits = EvaluationLimits()
  ) throws(EvaluationError) -> Value {
    try evaluate(limits: limits) { values[variables[$0]] }
  }
}
