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
    return .bool
  }

  /// Checks that an expression is a bool, and warns if it is constant.
  mutating func condition(
    _ expression: Expression, _ wish: String = "a condition must be a bool"
  ) {
    let count = problems.count
    let type = check(expression)
    let found = outcome
    let advice = truthAdvice(expression, type)
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

  /// Suggests a comparison where a condition is not a bool.
  private func truthAdvice(_ expression: Expression, _ type: CELType) -> String? {
    let text = excerpt(expression)
    switch types.resolve(type) {
    case .nullable, .null: return "write `\(text) != null`"
    case .int, .uint, .double: return "write `\(text) != 0`"
    case .string, .enumeration: return "write `\(text) != \"\"`"
    case .list, .map, .record: return "write `size(\(text)) > 0`"
    case .optional: return "write `\(text).hasValue()`"
    default: return nil
    }
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
