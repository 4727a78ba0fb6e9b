/// A binary operator and its position in an expression.
struct Operation: Sendable {
  /// The operator.
  let symbol: BinaryOperator
  /// The expression of the operation.
  let origin: Expression

  /// Applies the operator to two operands.
  func apply(
    _ a: Value, _ b: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch symbol {
    case .equal: return .bool(try equal(a, b))
    case .notEqual: return .bool(try !equal(a, b))
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return .bool(try ordered(a, b))
    case .in: return .bool(try contains(a, b, &frame))
    case .add, .subtract, .multiply, .divide, .remainder: return try arithmetic(a, b, &frame)
    }
  }

  private func mismatch(_ a: Value, _ b: Value) -> EvaluationError {
    EvaluationError(.operands(symbol.rawValue, [a.kindName, b.kindName]), at: origin)
  }

  // MARK: - Comparison

  private func equal(_ a: Value, _ b: Value) throws(EvaluationError) -> Bool {
    // Comparing hidden text would confirm a guess; comparing it with null reveals nothing.
    if a.isHidden && !b.isNull || b.isHidden && !a.isNull { throw mismatch(a, b) }
    return a == b
  }

  private func ordered(_ a: Value, _ b: Value) throws(EvaluationError) -> Bool {
    if let order = a.compare(b) { return symbol.holds(for: order) }
    // NaN is unordered, which is a result and not a failure.
    if a.isComparable(with: b) { return false }
    throw mismatch(a, b)
  }

  private func contains(
    _ wanted: Value, _ place: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Bool {
    if wanted.isHidden { throw mismatch(wanted, place) }
    switch place {
    case .list(let elements):
      try frame.charge(elements.count)
      return elements.contains(wanted)
    case .map(let map): return map[wanted] != nil
    default:
      // The needle may be null, so only a null haystack fails.
      let kinds = place.isNull ? ["a value", "null"] : [wanted.typeName, place.kindName]
      throw EvaluationError(.operands("in", kinds), at: origin)
    }
  }

  // MARK: - Arithmetic

  private func arithmetic(
    _ a: Value, _ b: Value, _ frame: inout Frame
  ) throws(EvaluationError) -> Value {
    switch (a, b) {
    case (.int(let x), .int(let y)): return .int(try integer(x, y, "int"))
    case (.uint(let x), .uint(let y)): return .uint(try integer(x, y, "uint"))
    case (.double(let x), .double(let y)):
      if let result = double(x, y) { return .double(result) }
    default:
      let result = symbol == .add ? try sum(a, b, &frame) : try difference(a, b)
      if let result { return result }
    }
    throw mismatch(a, b)
  }

  private func integer<T: FixedWidthInteger>(
    _ a: T, _ b: T, _ type: String
  ) throws(EvaluationError) -> T {
    let result: (partialValue: T, overflow: Bool)
    switch symbol {
    case .add: result = a.addingReportingOverflow(b)
    case .subtract: result = a.subtractingReportingOverflow(b)
    case .multiply: result = a.multipliedReportingOverflow(by: b)
    default:
      if b == 0 { throw EvaluationError(.placed(.divisionByZero, "division by zero"), at: origin) }
      result =
        symbol == .divide
        ? a.dividedReportingOverflow(by: b) : a.remainderReportingOverflow(dividingBy: b)
    }
    return try inRange(result.overflow ? nil : result.partialValue, type)
  }

  private func double(_ a: Double, _ b: Double) -> Double? {
    switch symbol {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    default: nil
    }
  }

  private func sum(_ a: Value, _ b: Value, _ frame: inout Frame) throws(EvaluationError) -> Value? {
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
    case (.object(let x), _): return (x as? any HiddenText)?.followed(by: b)
    case (_, .object(let y)): return (y as? any HiddenText)?.preceded(by: a)
    default: return nil
    }
  }

  private func difference(_ a: Value, _ b: Value) throws(EvaluationError) -> Value? {
    switch (symbol, a, b) {
    case (.subtract, .timestamp(let x), .timestamp(let y)):
      return .duration(try inRange(x.since(y), "duration"))
    case (.subtract, .timestamp(let x), .duration(let y)):
      return .timestamp(try inRange(y.negated.flatMap { x.adding($0) }, "timestamp"))
    case (.subtract, .duration(let x), .duration(let y)):
      return .duration(try inRange(x.subtracting(y), "duration"))
    default: return nil
    }
  }

  private func inRange<T>(_ value: T?, _ type: String) throws(EvaluationError) -> T {
    if let value { return value }
    throw EvaluationError(.overflow(type), at: origin)
  }
}

extension BinaryOperator {
  /// Returns whether a comparison by order holds for an ordering (-1, 0 or 1) of its operands.
  func holds(for order: Int) -> Bool {
    switch self {
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    default: order >= 0
    }
  }
}

extension UnaryOperator {
  /// Applies the operator to an operand.
  func apply(to value: Value, at origin: Expression) throws(EvaluationError) -> Value {
    switch (self, value) {
    case (.not, .bool(let holds)): return .bool(!holds)
    case (.negate, .int(.min)): throw EvaluationError(.overflow("int"), at: origin)
    case (.negate, .int(let number)): return .int(-number)
    case (.negate, .double(let number)): return .double(-number)
    default: throw EvaluationError(.operands(rawValue, [value.kindName]), at: origin)
    }
  }
}
