/// `a && b && …`: false as soon as one part is false, whatever the others fail with.
struct AndNode: Node {
  let operands: [any Node]
  let origins: [Expression]

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var failure: EvaluationError?
    for index in operands.indices {
      do throws(EvaluationError) {
        let value = try operands[index].evaluate(&frame)
        guard case .bool(let holds) = value else {
          throw EvaluationError(.operands("&&", [value.kindName]), at: origins[index])
        }
        if !holds { return .bool(false) }
      } catch {
        if error.code == .boundExceeded { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return .bool(true)
  }

  var cost: Int { operands.reduce(1) { $0 + $1.cost } }
}

/// `a || b || …`: true as soon as one part is true, whatever the others fail with.
struct OrNode: Node {
  let operands: [any Node]
  let origins: [Expression]

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var failure: EvaluationError?
    for index in operands.indices {
      do throws(EvaluationError) {
        let value = try operands[index].evaluate(&frame)
        guard case .bool(let holds) = value else {
          throw EvaluationError(.operands("||", [value.kindName]), at: origins[index])
        }
        if holds { return .bool(true) }
      } catch {
        if error.code == .boundExceeded { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return .bool(false)
  }

  var cost: Int { operands.reduce(1) { $0 + $1.cost } }
}

/// `condition ? then : otherwise`.
struct ConditionalNode: Node {
  let condition: any Node
  let then: any Node
  let otherwise: any Node
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
  let operand: any Node
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
