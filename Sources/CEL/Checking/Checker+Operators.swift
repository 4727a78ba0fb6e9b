extension Checker {
  // MARK: - Collections

  /// Infers the common type of elements; `dyn` if they differ.
  mutating func join(_ elements: [Expression.Element]) -> CELType {
    join(elements.map { ($0.value, $0.isOptional) })
  }

  private mutating func join(_ elements: [(value: Expression, isOptional: Bool)]) -> CELType {
    var result: CELType?
    for (value, isOptional) in elements {
      let given = check(value)
      let type = types.resolve(isOptional ? held(by: given, value) : given)
      guard let known = result.map({ types.resolve($0) }) else {
        result = type
        continue
      }
      // An element of unknown type, as of a list of any, does not take the type of its neighbours.
      result = known.isParameter == type.isParameter ? types.unified(known, type) ?? .dyn : .dyn
    }
    return result ?? types.fresh()
  }

  /// Returns the type wrapped by an optional, for an element marked with `?`.
  private mutating func held(by type: CELType, _ origin: Expression) -> CELType {
    let wrapped = types.fresh()
    if types.resolve(type) != .null, types.assign(type, to: .optional(wrapped)) {
      return wrapped
    }
    return report(.wrongType, "`?` takes an optional, not \(name(type))", at: origin.range)
  }

  /// Infers the type of a map literal.
  mutating func map(_ entries: [Expression.Element]) -> CELType {
    let keys = entries.compactMap(\.key)
    let key = join(keys.map { ($0, false) })
    for key in keys {
      guard case .literal(let value) = key.kind, !value.canBeKey else { continue }
      report(
        .wrongType, value.keyProblem, at: key.range)
    }
    return .map(key, join(entries))
  }

  // MARK: - Operators

  /// Infers the type of `!` and `-`.
  mutating func unary(
    _ origin: Expression, _ symbol: UnaryOperator, _ operand: Expression
  ) -> CELType {
    let type = check(operand)
    let found = outcome
    switch symbol {
    case .not:
      if types.assign(type, to: .bool) {
        _ = present(type, operand, for: "`!` takes true or false")
        outcome = found.negated
        return .bool
      }
      if let test = types.resolve(type).comparison(of: excerpt(operand), isTrue: false) {
        let given = "\(types.resolve(type, openToDyn: true))"
        return report(
          .wrongType,
          EvaluationError.Reason.operands("!", [given]).message(at: origin, withAdvice: false),
          at: origin.range, help: "write `\(test)`")
      }
    case .negate:
      _ = present(type, operand, for: "`-` does not accept null")
      let number = types.resolve(type).withoutNull
      if number.isOpen { return .dyn }
      if number == .int || number == .double { return number }
    }
    return mismatch(origin, symbol.rawValue, [operand], given: [type])
  }

  /// Infers the type of a comparison, sum or product.
  mutating func binary(
    _ origin: Expression, _ symbol: BinaryOperator, _ left: Expression, right: Expression
  ) -> CELType {
    var a = check(left)
    var b = check(right)
    outcome = Outcome()
    switch symbol {
    case .equal, .notEqual:
      if areComparable(a, b) {
        equality(origin, isEqual: symbol == .equal, (left, a), (right, b))
        return .bool
      }
    case .in: return membership(origin, (left, a), (right, b))
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      if isChain(left), types.resolve(b) != .bool {
        return chain(origin, symbol, left, right: right)
      }
      if let problem = orderOfChoices(origin, symbol, (left, a), (right, b)) { return problem }
      if areOrdered(types.resolve(a).plain, types.resolve(b).plain) {
        _ = present(a, left, for: "`\(symbol.rawValue)` does not accept null")
        if left.description != right.description {
          _ = present(b, right, for: "`\(symbol.rawValue)` does not accept null")
        }
        order(origin, symbol, left, right: right)
        let facts = absorbed(in: left) + absorbed(in: right)
        outcome.whenTrue?.formUnion(facts)
        return .bool
      }
    default:
      if let result = arithmetic(symbol, types.resolve(a), types.resolve(b)) {
        a = present(a, left, for: "`\(symbol.rawValue)` does not accept null")
        b = present(b, right, for: "`\(symbol.rawValue)` does not accept null")
        if refusesFailures, symbol == .divide || symbol == .remainder, Self.isZero(right),
          !Self.isLiteral(left)
        {
          return report(
            .fails, "division by zero: \(excerpt(origin))", at: origin.range,
            help: "divide by another number")
        }
        if symbol == .divide { wholeDivision(origin, left, right) }
        if symbol == .multiply { wholeProduct(origin, left, right) }
        return result
      }
    }
    return mismatch(origin, symbol.rawValue, [left, right], given: [a, b])
  }

  /// Infers the type of `in`.
  private mutating func membership(
    _ origin: Expression, _ left: (part: Expression, type: CELType),
    _ right: (part: Expression, type: CELType)
  ) -> CELType {
    let range = types.resolve(right.type).withoutNull.withoutRecord
    let wanted = types.fresh()
    let fits: Bool
    switch range {
    case .map: fits = types.assign([left.type, range], to: [wanted, .map(wanted, types.fresh())])
    default: fits = types.assign([left.type, range], to: [wanted, .list(wanted)])
    }
    guard fits else {
      return mismatch(origin, "in", [left.part, right.part], given: [left.type, right.type])
    }
    _ = present(right.type, right.part, for: "null has no elements")
    unknownValue(right.part, of: left.part, left.type)
    if case .list(let element) = range {
      unknownValue(left.part, of: right.part, types.resolve(element))
      if case .list(let elements) = right.part.kind,
        !warnOfCountFromZero(origin, left.part, in: elements)
      {
        for element in elements { _ = rangeTest(element.value, .equal, left.part, element.value) }
      }
      if case .list(let elements) = right.part.kind, elements.isEmpty {
        warn(
          .constantCondition, "nothing is in an empty list, so this is always false",
          at: origin.range, help: "list the values in the brackets")
        outcome = .always(false)
      } else if types.resolve(element).isNeverNull {
        outcome.whenTrue = [left.part.description]
      }
    }
    return .bool
  }

  /// Whether two types can be compared with `==`: they are assignable in either direction, or one
  /// is null.
  private mutating func areComparable(_ a: CELType, _ b: CELType) -> Bool {
    if types.assign(b, to: a) || types.assign(a, to: b) { return true }
    return types.resolve(a) == .null || types.resolve(b) == .null
  }

  private func areOrdered(_ a: CELType, _ b: CELType) -> Bool {
    func isOrdered(_ type: CELType) -> Bool {
      switch type {
      case .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration: true
      default: type.isOpen
      }
    }
    let numbers: [CELType] = [.int, .uint, .double]
    if numbers.contains(a), numbers.contains(b) { return true }
    return isOrdered(a) && isOrdered(b) && (a == b || a.isOpen || b.isOpen)
  }

  /// Warns of a division of two whole numbers as written, of which a remainder is dropped.
  private mutating func wholeDivision(_ origin: Expression, _ left: Expression, _ right: Expression)
  {
    guard case .literal(.int(let a)) = left.kind, case .literal(.int(let b)) = right.kind else {
      return wholeAverage(origin, left, right)
    }
    guard b != 0, b != -1, a % b != 0 else { return }
    warn(
      .droppedRemainder, "this is \(a / b), as whole numbers are divided without a remainder",
      at: origin.range, help: "write `\(a).0 / \(b).0` for the fraction, or `\(a / b)`")
  }

  /// Warns of a sum of whole numbers divided by a count: an average drops its remainder.
  private mutating func wholeAverage(_ origin: Expression, _ left: Expression, _ right: Expression)
  {
    guard case .call("sum", receiver: let list?, _, _) = left.kind,
      case .call("size", _, _, _) = right.kind,
      [left, right].allSatisfy({ types.resolve(checkedType(of: $0)) == .int })
    else { return }
    warn(
      .droppedRemainder, "this average drops its remainder, as both are whole numbers",
      at: origin.range, help: "write `\(Self.operandText(list)).avg()`, which is a fraction")
  }

  /// Warns of a quotient of whole numbers that is then multiplied, as in `done / all * 100`, and has lost
  /// its remainder before.
  private mutating func wholeProduct(_ origin: Expression, _ left: Expression, _ right: Expression)
  {
    guard case .binary(.divide, let a, let b) = left.kind, !Self.isLiteral(a) || !Self.isLiteral(b),
      // `n / 5 * 5` cuts to a multiple.
      b.description != right.description,
      [a, b].allSatisfy({ types.resolve(checkedType(of: $0)) == .int })
    else { return }
    warn(
      .droppedRemainder,
      "`\(excerpt(left))` drops its remainder before it is multiplied, as both are whole numbers",
      at: left.range,
      help: "write `\(Checker.operandText(a)) * \(right) / \(Checker.operandText(b))`, or for the "
        + "fraction `double(\(a)) / double(\(b)) * …`")
  }

  /// Whether the part is the literal integer 0.
  private static func isZero(_ part: Expression) -> Bool {
    switch part.kind {
    case .literal(.int(0)), .literal(.uint(0)): true
    default: false
    }
  }

  /// Returns the type of a sum or product; nil if undefined.
  private mutating func arithmetic(
    _ symbol: BinaryOperator, _ left: CELType, _ right: CELType
  ) -> CELType? {
    let a = left.plain
    let b = right.plain
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

  /// Returns the result type if only one operand's type is known.
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
}
