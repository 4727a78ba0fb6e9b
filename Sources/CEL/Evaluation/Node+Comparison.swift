/// `left == right` and `left != right`.
struct EqualNode: Node {
  /// The left operand.
  let left: any Node
  /// The right operand.
  let right: any Node
  /// Whether it is `==`.
  let wanted: Bool
  /// Where it stands in the expression.
  let origin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let a = try left.evaluate(&frame)
    let b = try right.evaluate(&frame)
    // A guess at what is hidden would be told right or wrong; that there is something is no secret.
    if a.isHidden && !b.isNull || b.isHidden && !a.isNull {
      throw EvaluationError(.operands(wanted ? "==" : "!=", [a.kindName, b.kindName]), at: origin)
    }
    return .bool((a == b) == wanted)
  }

  var cost: Int { 1 + left.cost + right.cost }
}

/// `left < right` and its kin.
struct OrderNode: Node {
  /// The operator.
  let symbol: BinaryOperator
  /// The left operand.
  let left: any Node
  /// The right operand.
  let right: any Node
  /// Where it stands in the expression.
  let origin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let a = try left.evaluate(&frame)
    let b = try right.evaluate(&frame)
    if case .int(let x) = a, case .int(let y) = b {
      return .bool(holds(x < y ? -1 : x == y ? 0 : 1))
    }
    if let order = a.compare(b) { return .bool(holds(order)) }
    // NaN has an order with nothing, which is an answer and not a failure.
    if a.isComparable(with: b) { return .bool(false) }
    throw EvaluationError(.operands(symbol.rawValue, [a.kindName, b.kindName]), at: origin)
  }

  private func holds(_ order: Int) -> Bool {
    switch symbol {
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    default: order >= 0
    }
  }

  var cost: Int { 1 + left.cost + right.cost }
}

/// `element in list` and `key in map`.
struct ContainmentNode: Node {
  /// What is looked for.
  let element: any Node
  /// Where it is looked for.
  let container: any Node
  /// Where it stands in the expression.
  let origin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let wanted = try element.evaluate(&frame)
    let place = try container.evaluate(&frame)
    if wanted.isHidden {
      throw EvaluationError(.operands("in", [wanted.kindName, place.kindName]), at: origin)
    }
    switch place {
    case .list(let elements):
      try frame.charge(elements.count)
      return .bool(elements.contains(wanted))
    case .map(let map): return .bool(map[wanted] != nil)
    default:
      // Null is a value that may be looked for, so only the place can be the null that fails.
      let kinds = place.isNull ? ["a value", "null"] : [wanted.typeName, place.kindName]
      throw EvaluationError(.operands("in", kinds), at: origin)
    }
  }

  var cost: Int { 1 + element.cost + container.cost }
}
