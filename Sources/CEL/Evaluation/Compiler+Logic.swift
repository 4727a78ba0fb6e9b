extension Compiler {
  /// Compiles `a && b && …` and `a || b || …`: any deciding operand takes precedence over errors.
  ///
  /// - Parameter decisive: The operand value that decides the result.
  mutating func logic(_ operands: [Expression], decisive: Bool) throws(ExpressionError) -> Node {
    let parts = try compileAll(operands)
    return fold(parts) { frame throws(EvaluationError) in
      var failure: EvaluationError?
      for index in parts.indices {
        do throws(EvaluationError) {
          let value = try parts[index].evaluate(&frame)
          guard case .bool(let holds) = value else {
            throw EvaluationError(
              .operands(decisive ? "||" : "&&", [value.kindName]), at: operands[index])
          }
          if holds == decisive { return .bool(decisive) }
        } catch {
          if error.isFinal { throw error }
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
      return .bool(!decisive)
    }
  }

  /// Compiles `condition ? then : otherwise`.
  mutating func conditional(
    _ origin: Expression, _ then: Expression, _ otherwise: Expression
  ) throws(ExpressionError) -> Node {
    let condition = try compile(origin)
    let then = try compile(then)
    let otherwise = try compile(otherwise)
    if case .bool(let holds)? = condition.constant { return holds ? then : otherwise }
    let cost = 1 + max(then.cost, otherwise.cost)
    return Node(over: [condition], cost: cost) { frame throws(EvaluationError) in
      try condition.holds(&frame, at: origin)
        ? then.evaluate(&frame) : otherwise.evaluate(&frame)
    }
  }

  /// Compiles a comparison, a sum or a product.
  mutating func binary(
    _ origin: Expression, _ symbol: BinaryOperator, _ left: Expression, right: Expression
  ) throws(ExpressionError) -> Node {
    let left = try compile(left)
    let right = try compile(right)
    let operation = Operation(symbol: symbol, origin: origin)
    return fold([left, right]) { frame throws(EvaluationError) in
      try operation.apply(left.evaluate(&frame), right.evaluate(&frame), &frame)
    }
  }
}
