/// `a && b && …` and `a || b || …`: decided by the first part that can, whatever the others fail with.
struct LogicNode: Node {
  /// The operands in order.
  let operands: [any Node]
  /// Where the operands stand.
  let origins: [Expression]
  /// The operand value that decides the whole: false for `&&`, true for `||`.
  let decisive: Bool

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var failure: EvaluationError?
    for index in operands.indices {
      do throws(EvaluationError) {
        let value = try operands[index].evaluate(&frame)
        guard case .bool(let holds) = value else {
          throw EvaluationError(
            .operands(decisive ? "||" : "&&", [value.kindName]), at: origins[index])
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

  var cost: Int { operands.reduce(1) { $0 + $1.cost } }
}

/// `condition ? then : otherwise`.
struct ConditionalNode: Node {
  /// The condition.
  let condition: any Node
  /// The branch for true.
  let then: any Node
  /// The branch for false.
  let otherwise: any Node
  /// Where the condition stands.
  let conditionOrigin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let value = try condition.evaluate(&frame)
    guard case .bool(let holds) = value else {
      throw EvaluationError(.notBool(value.kindName), at: conditionOrigin)
    }
    return try holds ? then.evaluate(&frame) : otherwise.evaluate(&frame)
  }

  var cost: Int { 1 + condition.cost + max(then.cost, otherwise.cost) }
}

/// `!operand`.
struct NotNode: Node {
  /// What it is applied to.
  let operand: any Node
  /// Where it stands in the expression.
  let origin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let value = try operand.evaluate(&frame)
    guard case .bool(let holds) = value else {
      throw EvaluationError(.operands("!", [value.kindName]), at: origin)
    }
    return .bool(!holds)
  }

  var cost: Int { 1 + operand.cost }
}
