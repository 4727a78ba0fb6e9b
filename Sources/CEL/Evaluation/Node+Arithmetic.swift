/// `left + right` and its kin.
struct ArithmeticNode: Node {
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
    switch (a, b) {
    case (.int(let x), .int(let y)): return .int(try integer(x, y, "int"))
    case (.uint(let x), .uint(let y)): return .uint(try integer(x, y, "uint"))
    case (.double(let x), .double(let y)):
      if let result = Self.double(symbol, x, y) { return .double(result) }
    default:
      if symbol == .add { return try add(a, b, &frame) }
      if symbol == .subtract { return try subtract(a, b) }
    }
    throw mismatch(a, b)
  }

  private func mismatch(_ a: Value, _ b: Value) -> EvaluationError {
    EvaluationError(.operands(symbol.rawValue, [a.kindName, b.kindName]), at: origin)
  }

  private func integer<T: FixedWidthInteger>(
    _ a: T, _ b: T, _ type: String
  ) throws(EvaluationError) -> T {
    let result: (partialValue: T, overflow: Bool)
    switch symbol {
    case .add: result = a.addingReportingOverflow(b)
    case .subtract: result = a.subtractingReportingOverflow(b)
    case .multiply: result = a.multipliedReportingOverflow(by: b)
    case .divide:
      if b == 0 { throw EvaluationError(.divisionByZero, at: origin) }
      result = a.dividedReportingOverflow(by: b)
    default:
      if b == 0 { throw EvaluationError(.divisionByZero, at: origin) }
      result = a.remainderReportingOverflow(dividingBy: b)
    }
    if result.overflow { throw EvaluationError(.overflow(type), at: origin) }
    return result.partialValue
  }

  private static func double(_ symbol: BinaryOperator, _ a: Double, _ b: Double) -> Double? {
    switch symbol {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    default: nil
    }
  }

  private func add(
    _ a: Value, _ b: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch (a, b) {
    case (.string(let x), .string(let y)):
      try frame.charge(bytes: x.utf8.count + y.utf8.count)
      return .string(x + y)
    case (.bytes(let x), .bytes(let y)):
      try frame.charge(bytes: x.count + y.count)
      return .bytes(x + y)
    case (.list(let x), .list(let y)):
      try frame.charge(elements: x.count + y.count)
      return .list(x + y)
    case (.timestamp(let x), .duration(let y)), (.duration(let y), .timestamp(let x)):
      return .timestamp(try inRange(x.adding(y), "timestamp"))
    case (.duration(let x), .duration(let y)):
      return .duration(try inRange(x.adding(y), "duration"))
    case (.object(let x), _):
      if let text = (x as? any HiddenText)?.followed(by: b) { return text }
      throw mismatch(a, b)
    case (_, .object(let y)):
      if let text = (y as? any HiddenText)?.preceded(by: a) { return text }
      throw mismatch(a, b)
    default: throw mismatch(a, b)
    }
  }

  private func subtract(_ a: Value, _ b: Value) throws(EvaluationError) -> Value {
    switch (a, b) {
    case (.timestamp(let x), .timestamp(let y)):
      return .duration(try inRange(x.since(y), "duration"))
    case (.timestamp(let x), .duration(let y)):
      return .timestamp(try inRange(y.negated.flatMap { x.adding($0) }, "timestamp"))
    case (.duration(let x), .duration(let y)):
      return .duration(try inRange(x.subtracting(y), "duration"))
    default: throw mismatch(a, b)
    }
  }

  private func inRange<T>(_ value: T?, _ type: String) throws(EvaluationError) -> T {
    if let value { return value }
    throw EvaluationError(.overflow(type), at: origin)
  }

  var cost: Int { 1 + left.cost + right.cost }
}

/// `-operand`.
struct NegationNode: Node {
  /// What it is applied to.
  let operand: any Node
  /// Where it stands in the expression.
  let origin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let value = try operand.evaluate(&frame)
    switch value {
    case .int(let number):
      if number == .min { throw EvaluationError(.overflow("int"), at: origin) }
      return .int(-number)
    case .double(let number): return .double(-number)
    default: throw EvaluationError(.operands("-", [value.kindName]), at: origin)
    }
  }

  var cost: Int { 1 + operand.cost }
}
