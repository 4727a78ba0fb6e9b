extension Checker {
  /// Infers the type of `&&` or `||`; facts implied by one operand hold in all remaining ones.
  ///
  /// An operand that fails on null is absorbed if a further operand decides, in either order (as
  /// CEL defines), so a null test also covers the operands before it.
  mutating func logic(_ operands: [Expression], isAnd: Bool) -> CELType {
    let outer = known
    var starts: [Int] = []
    var outcomes: [Outcome] = []
    for operand in operands {
      starts.append(problems.count)
      condition(operand, "operands of `\(isAnd ? "&&" : "||")` must be bool")
      outcomes.append(isAnd ? outcome : outcome.negated)
      known.formUnion(outcomes[outcomes.count - 1].whenTrue ?? [])
    }
    known = outer
    let count = problems.count
    contradiction(operands, isAnd: isAnd)
    var later: Set<String> = []
    var end = count
    for index in operands.indices.reversed() {
      forgive(later, in: starts[index]..<end)
      later.formUnion(outcomes[index].whenTrue ?? [])
      end = starts[index]
    }
    var all = outcomes[0]
    for one in outcomes.dropFirst() {
      all.whenTrue = Outcome.both(all.whenTrue, one.whenTrue)
      all.whenFalse = Outcome.either(all.whenFalse, one.whenFalse)
    }
    outcome = isAnd ? all : all.negated
    if !isAnd {
      adviseDefault(operands, since: starts[0])
      adviseMembership(operands, since: starts[0])
    }
    return .bool
  }

  /// Improves the help for `a == "x" || "y"`, where the second text is meant to be compared, too.
  private mutating func adviseMembership(_ operands: [Expression], since start: Int) {
    guard case .binary(.equal, let value, let first) = operands[0].kind,
      case .literal(.string) = first.kind, problems.count - start == operands.count - 1
    else { return }
    let others = operands.dropFirst()
    let areTexts = others.allSatisfy {
      if case .literal(.string) = $0.kind { true } else { false }
    }
    guard areTexts, let last = others.last else { return }
    let list = ([first] + others).map(\.description).joined(separator: ", ")
    let problem = problems[start].problem
    replaceProblems(
      from: start,
      with: Problem(
        problem.code, problem.message, at: problem.range, help: "write `\(value) in [\(list)]`",
        mending: operands[0].range.lowerBound..<last.range.upperBound))
  }

  /// Makes one problem of `a || b` where neither is a bool, as in languages where it gives `b` for an
  /// `a` without a value.
  private mutating func adviseDefault(_ operands: [Expression], since start: Int) {
    var blamed = operands
    // `a && b || c` stands for `a ? b : c` in other languages.
    if case .and(let parts) = operands[0].kind, parts.count == 2 { blamed[0] = parts[1] }
    guard operands.count == 2, problems.count == start + 2,
      zip(problems[start...], blamed).allSatisfy({ $0.problem.range == $1.range })
    else { return }
    let (value, other) = (operands[0], operands[1])
    let type = types.resolve(checkedType(of: value))
    let otherType = types.resolve(checkedType(of: other))
    let help: String
    if case .and(let parts) = value.kind, parts.count == 2 {
      help = "write `\(parts[0]) ? \(parts[1]) : \(other)`"
    } else if case .literal(.string(let text)) = value.kind, !text.isEmpty,
      otherType.withoutNull == .string
    {
      help = "write `\(value) + \(other)` to join texts"
    } else if case .literal(.string(let text)) = other.kind, text.hasPrefix(" "), type == .string {
      // `||` of SQL.
      help = "write `\(excerpt(value)) + \(other)` to join texts"
    } else if type == .null || type == .dyn && otherType != .bool {
      help = "write `coalesce(\(excerpt(value)), \(other))`"
    } else if case .nullable = type, types.unified(type.withoutNull, otherType) != nil {
      help = "write `coalesce(\(excerpt(value)), \(other))`"
    } else if let test = type.comparison(of: excerpt(value), isTrue: true) {
      let isText = otherType.withoutNull == .string && type.withoutNull != .string
      let shown = isText ? "string(\(excerpt(value)))" : excerpt(value)
      help = "write `\(test) ? \(shown) : \(other)`"
    } else {
      return
    }
    let first = problems[start].problem
    replaceProblems(
      from: start,
      with: Problem(
        first.code, first.message, at: first.range, help: help,
        mending: operands[0].range.lowerBound..<operands[1].range.upperBound))
  }

  /// Checks that an expression is a bool, and warns if it is constant.
  mutating func condition(
    _ expression: Expression, _ wish: String = "a condition must be a bool"
  ) {
    let count = problems.count
    let type = check(expression)
    let found = outcome
    let advice = types.resolve(type).comparison(of: excerpt(expression), isTrue: true)
      .map { "write `\($0)`" }
    if expect(type, .bool, wish, at: expression, help: advice) {
      _ = present(type, expression, for: "a condition is true or false")
      if let value = found.constant, problems.count == count {
        warn(
          .constantCondition, "this is always \(value)", at: expression.range,
          help: "remove it, or compare a value that can change")
      }
    }
    outcome = found
  }

  /// Infers the common type of both branches, each checked with the facts that the condition implies.
  mutating func conditional(
    _ origin: Expression, _ test: Expression, _ then: Expression, otherwise: Expression
  ) -> CELType {
    condition(test)
    let tested = outcome
    let a = knowing(tested.whenTrue) { $0.check(then) }
    let first = outcome
    let b = knowing(tested.whenFalse) { $0.check(otherwise) }
    let second = outcome
    outcome = Outcome(
      whenTrue: Outcome.either(
        Outcome.both(tested.whenTrue, first.whenTrue),
        Outcome.both(tested.whenFalse, second.whenTrue)),
      whenFalse: Outcome.either(
        Outcome.both(tested.whenTrue, first.whenFalse),
        Outcome.both(tested.whenFalse, second.whenFalse)))
    if let joined = joined(a, b) { return joined }
    return report(
      .wrongType, "the branches differ: \(name(a)) and \(name(b))", at: origin.range)
  }

  /// Returns the common type of both; nil if only `dyn` would do.
  mutating func joined(_ a: CELType, _ b: CELType) -> CELType? {
    let first = types.resolve(a)
    let second = types.resolve(b)
    if let general = types.unified(first, second) {
      // Null also fits types that are nullable by the language definition, and remains null there.
      return first == .null || second == .null ? general.orNull : general
    }
    switch (first, second) {
    case (.null, let other), (let other, .null): return other.orNull
    default: return nil
    }
  }
}

extension CELType {
  /// Returns the comparison that tests a value of the type as languages do in which each value is true
  /// or false; nil if the type says nothing.
  ///
  /// - Parameters:
  ///   - text: The expression of the value.
  ///   - isTrue: Whether to test that it is true.
  package func comparison(of text: String, isTrue: Bool) -> String? {
    let different = isTrue ? "!=" : "=="
    switch self {
    case .nullable, .null: return "\(text) \(different) null"
    case .int, .uint, .double: return "\(text) \(different) 0"
    case .string, .enumeration: return "\(text) \(different) \"\""
    case .list, .map, .record: return "size(\(text)) \(isTrue ? ">" : "==") 0"
    case .optional: return "\(isTrue ? "" : "!")\(text).hasValue()"
    default: return nil
    }
  }
}
