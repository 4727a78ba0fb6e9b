extension Checker {
  // MARK: - Logic

  /// Wants a bool as an operand.
  mutating func condition(_ operand: Expression, of symbol: String) {
    let type = check(operand)
    if !types.assign(type, to: .bool) {
      _ = report(.wrongType, "`\(symbol)` wants bools, not \(name(type))", at: operand.range)
    }
  }

  /// The type of both branches.
  mutating func conditional(
    _ origin: Expression, _ condition: Expression, _ then: Expression, _ otherwise: Expression
  ) -> CELType {
    let test = check(condition)
    if !types.assign(test, to: .bool) {
      _ = report(
        .wrongType, "a condition must be a bool, not \(name(test))", at: condition.range)
    }
    let a = check(then)
    let b = check(otherwise)
    if let joined = joined(a, b) { return joined }
    return report(
      .wrongType, "the branches differ: \(name(a)) and \(name(b))", at: origin.range)
  }

  /// The type that takes values of both; nil when only `dyn` would.
  mutating func joined(_ a: CELType, _ b: CELType) -> CELType? {
    let first = types.resolve(a)
    let second = types.resolve(b)
    if types.assign(second, to: first) {
      return types.moreGeneral(types.resolve(first), types.resolve(second))
    }
    switch (first, second) {
    case (.null, let other), (let other, .null): return other.orNull
    default: return nil
    }
  }

  // MARK: - Collections

  /// The type of elements that stand together; `dyn` when they differ.
  mutating func join(_ elements: [(value: Expression, isOptional: Bool)]) -> CELType {
    var result: CELType?
    for (value, isOptional) in elements {
      var type = check(value)
      if isOptional { type = held(by: type, value) }
      if let known = result {
        let resolved = types.resolve(known)
        let other = types.resolve(type)
        result =
          types.assign(other, to: resolved)
          ? types.moreGeneral(types.resolve(resolved), types.resolve(other)) : .dyn
      } else {
        result = type
      }
    }
    return result ?? types.fresh()
  }

  /// What an optional holds, for a part written with a question mark.
  private mutating func held(by type: CELType, _ origin: Expression) -> CELType {
    let wrapped = types.fresh()
    if types.assign(type, to: .optional(wrapped)) { return wrapped }
    return report(.wrongType, "`?` wants an optional, not \(name(type))", at: origin.range)
  }

  /// The type of a map's keys and values.
  mutating func map(_ entries: [Expression.Entry]) -> CELType {
    let key = join(entries.map { ($0.key, false) })
    for entry in entries {
      if case .literal(let value) = entry.key.kind, !value.canBeKey {
        _ = report(
          .wrongType,
          "\(value.kindName) can't be the key of a map: keys are bool, int, uint or string",
          at: entry.key.range)
      }
    }
    return .map(key, join(entries.map { ($0.value, $0.isOptional) }))
  }

  // MARK: - Operators

  /// The type of `!` and `-`.
  mutating func unary(
    _ origin: Expression, _ symbol: UnaryOperator, _ operand: Expression
  ) -> CELType {
    let type = check(operand)
    switch symbol {
    case .not:
      if types.assign(type, to: .bool) { return .bool }
    case .negate:
      switch types.resolve(type).withoutNull {
      case .int: return .int
      case .double: return .double
      case .dyn, .parameter: return .dyn
      default: break
      }
    }
    return mismatch(origin, symbol.rawValue, [operand], [type])
  }

  /// The type of a comparison, sum or product.
  mutating func binary(
    _ origin: Expression, _ symbol: BinaryOperator, _ left: Expression, _ right: Expression
  ) -> CELType {
    let a = check(left)
    let b = check(right)
    switch symbol {
    case .equal, .notEqual:
      if areComparable(a, b) { return .bool }
    case .in:
      let element = types.resolve(b).withoutNull
      let wanted = types.fresh()
      let isEmptyOrFits: Bool
      switch element {
      case .map: isEmptyOrFits = types.assign([a, b], to: [wanted, .map(wanted, types.fresh())])
      default: isEmptyOrFits = types.assign([a, b], to: [wanted, .list(wanted)])
      }
      if isEmptyOrFits { return .bool }
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      if areOrdered(types.resolve(a).withoutNull, types.resolve(b).withoutNull) { return .bool }
    default:
      if let result = arithmetic(symbol, types.resolve(a), types.resolve(b)) { return result }
    }
    return mismatch(origin, symbol.rawValue, [left, right], [a, b])
  }

  /// Whether `==` makes sense: one type fits the other, or one is null.
  private mutating func areComparable(_ a: CELType, _ b: CELType) -> Bool {
    if types.assign(b, to: a) || types.assign(a, to: b) { return true }
    return types.resolve(a) == .null || types.resolve(b) == .null
  }

  private func areOrdered(_ a: CELType, _ b: CELType) -> Bool {
    func isOpen(_ type: CELType) -> Bool {
      switch type {
      case .dyn, .parameter: true
      default: false
      }
    }
    func isOrdered(_ type: CELType) -> Bool {
      switch type {
      case .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration: true
      default: isOpen(type)
      }
    }
    let numbers: [CELType] = [.int, .uint, .double]
    if numbers.contains(a), numbers.contains(b) { return true }
    return isOrdered(a) && isOrdered(b) && (a == b || isOpen(a) || isOpen(b))
  }

  /// The result of a sum or product; nil when there is none.
  private mutating func arithmetic(
    _ symbol: BinaryOperator, _ left: CELType, _ right: CELType
  ) -> CELType? {
    let a = left.withoutNull
    let b = right.withoutNull
    switch (a, b) {
    case (.dyn, .dyn), (.parameter, _), (_, .parameter): return .dyn
    case (.dyn, let known), (let known, .dyn): return openResult(symbol, known)
    case (.int, .int), (.uint, .uint): return a
    case (.double, .double): return symbol == .remainder ? nil : .double
    default: break
    }
    switch (symbol, a, b) {
    case (.add, .string, .string), (.add, .bytes, .bytes), (.add, .duration, .duration),
      (.subtract, .duration, .duration):
      return a
    case (.add, .list, .list): return joined(a, b)
    case (.add, .timestamp, .duration), (.add, .duration, .timestamp),
      (.subtract, .timestamp, .duration):
      return .timestamp
    case (.subtract, .timestamp, .timestamp): return .duration
    default: return nil
    }
  }

  /// The result when only one operand is known.
  private func openResult(_ symbol: BinaryOperator, _ known: CELType) -> CELType? {
    switch (symbol, known) {
    case (.remainder, .double): nil
    case (_, .int), (_, .uint), (_, .double): known
    case (.add, .string), (.add, .bytes), (.add, .list): known
    case (.add, .duration), (.add, .timestamp), (.subtract, .duration), (.subtract, .timestamp):
      .dyn
    default: nil
    }
  }

  // MARK: - Messages

  private mutating func mismatch(
    _ origin: Expression, _ symbol: String, _ operands: [Expression], _ given: [CELType]
  ) -> CELType {
    let names = given.map { "\(types.resolve($0, openToDyn: true))" }
    let reason = EvaluationError.Reason.operands(symbol, names)
    return report(
      .wrongType, reason.message(at: origin, withAdvice: false), at: origin.range,
      help: advice(operands, given))
  }

  /// The conversion that would make two unlike operands alike.
  private func advice(_ operands: [Expression], _ given: [CELType]) -> String? {
    guard operands.count == 2, given.count == 2 else { return nil }
    let kinds = given.map { types.resolve($0).withoutNull }
    for (position, other) in [(0, 1), (1, 0)] {
      let operand = operands[position]
      let text = operand.description
      switch (kinds[position], kinds[other]) {
      case (.int, .double), (.uint, .double):
        if case .literal = operand.kind { return "write `\(text).0`" }
        return "use `double(\(text))`"
      case (.uint, .int): return "use `int(\(text))`"
      case (.int, .string), (.double, .string), (.uint, .string), (.bool, .string):
        return "use `string(\(text))`"
      case (.timestamp, .string): return "use `timestamp(\(operands[other]))`"
      case (.duration, .string): return "use `duration(\(operands[other]))`"
      default: continue
      }
    }
    return nil
  }
}
