/// An expression ready to be evaluated any number of times, from any thread.
package struct Program: Sendable {
  /// The expression it was made from.
  package let expression: Expression
  /// The names of its variables, each once; qualified ones such as `vars.tags` as they stand.
  package let variables: [String]
  /// How parts that need no variable fail, whatever the values of the others are.
  package let failures: [EvaluationError]
  private let root: any Node
  private let localCount: Int

  /// Makes a program of its parts.
  init(
    _ expression: Expression, root: any Node, variables: [String], localCount: Int,
    failures: [EvaluationError]
  ) {
    self.expression = expression
    self.root = root
    self.variables = variables
    self.localCount = localCount
    self.failures = failures
  }

  /// The value, when it needs no variable and can't fail.
  package var constant: Value? { root.constant }

  /// Evaluates with the values that `lookup` gives for positions in `variables`.
  ///
  /// Each variable is asked for once, whether or not the expression comes to use it; one without
  /// a value fails only where it is used.
  package func evaluate(
    limits: EvaluationLimits = EvaluationLimits(), _ lookup: (Int) -> Value?
  ) throws(EvaluationError) -> Value {
    var left = limits.steps
    return try evaluate(limits: limits, left: &left, lookup)
  }

  /// Evaluates as one of many, and takes the steps that it cost from those that are left to all.
  ///
  /// - Parameter mustStop: Is asked now and then whether the evaluation is to end.
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
