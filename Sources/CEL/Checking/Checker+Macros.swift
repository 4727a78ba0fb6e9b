extension Checker {
  /// Infers the type of a macro call.
  mutating func expand(
    _ macro: Macro, _ origin: Expression, _ receiver: Expression?, arguments: [Expression]
  ) -> CELType {
    switch macro {
    case .has: return has(arguments[0])
    case .block: return block(arguments)
    case .blockIndex:
      guard case .literal(.int(let index)) = arguments[0].kind, let parts = blocks.last,
        index >= 0, index < Int64(parts.count)
      else { return report(.wrongArguments, "unknown block index", at: origin.range) }
      return parts[Int(index)]
    case .blockVariable:
      return environment.variableName(origin).flatMap { local($0) } ?? .dyn
    case .bind:
      let value = check(arguments[1])
      guard let name = variable(arguments[0]) else { return .dyn }
      let type = withVariables([(name, value)]) { $0.check(arguments[2]) }
      outcome.whenTrue = outcome.whenTrue?.filter { !$0.mentions(name) }
      outcome.whenFalse = outcome.whenFalse?.filter { !$0.mentions(name) }
      return type
    case .optionalMap(let isFlat):
      return optionalMap(origin, receiver ?? origin, arguments, isFlat: isFlat)
    case .iteration(let iteration):
      return iterate(iteration, origin, receiver ?? origin, arguments: arguments)
    default: return loop(macro, receiver ?? origin, arguments)
    }
  }

  private mutating func has(_ argument: Expression) -> CELType {
    guard case .select(let operand, let field, false) = argument.kind else {
      return report(
        .wrongArguments, "`has` takes a field, as in has(self.title)", at: argument.range,
        help: "compare with null instead")
    }
    var type = types.resolve(check(operand))
    type = present(
      type, operand, for: "null has no field `\(field)`", member: argument)
    let found = selection(argument, field, of: type, isOptional: false)
    outcome = Outcome()
    if case .object = type {
      let text = argument.description
      outcome.whenTrue = [text]
      if types.resolve(found).isNeverNull, !presumed.contains(text) {
        warn(
          .constantCondition, "`\(excerpt(argument))` is always there, so this is always true",
          at: argument.range, help: "remove the test")
        outcome = .always(true)
      }
    }
    return .bool
  }

  private mutating func optionalMap(
    _ origin: Expression, _ receiver: Expression, _ arguments: [Expression], isFlat: Bool
  ) -> CELType {
    let wrapped = types.fresh()
    let given = check(receiver)
    if types.resolve(given) == .null || !types.assign(given, to: .optional(wrapped)) {
      report(
        .wrongType, "this macro is for optionals, not \(name(given))", at: receiver.range)
    }
    guard let name = variable(arguments[0]) else { return .dyn }
    let body = withVariables([(name, wrapped)]) { $0.check(arguments[1]) }
    if !isFlat { return .optional(body) }
    let inner = types.fresh()
    return expect(body, .optional(inner), "`optFlatMap` takes an optional here", at: arguments[1])
      ? .optional(inner) : .dyn
  }

  // MARK: - Loops

  private mutating func loop(
    _ macro: Macro, _ receiver: Expression, _ arguments: [Expression]
  ) -> CELType {
    let count = macro.variableCount(of: arguments.count)
    var range = types.resolve(check(receiver))
    var held = outcome.elements
    range = present(range, receiver, for: "null has no elements")
    let (first, second) = elements(of: range, receiver, count: count)
    let names = arguments.prefix(count).compactMap { variable($0) }
    guard names.count == count else { return .dyn }
    let rest = Array(arguments.dropFirst(count))
    var facts = Set(held.compactMap { $0.replacingRoot("@", with: names[count - 1]) })
    if case .map = opened(range) {
      // Those of a map are about its values.
      if count == 1 { facts = [] }
      held = []
    }
    return withVariables(Array(zip(names, [first, second])), facts: facts) { checker in
      checker.result(macro, rest, key: first, variable: names[0], held: held)
    }
  }

  private mutating func result(
    _ macro: Macro, _ rest: [Expression], key: CELType, variable: String, held: Set<String>
  ) -> CELType {
    defer {
      if case .filter = macro {} else { outcome = Outcome() }
    }
    if rest.count > 1 {
      condition(rest[0])
      known.formUnion(outcome.whenTrue ?? [])
    }
    let last = rest[rest.count - 1]
    switch macro {
    case .quantifier, .existsOne:
      condition(rest[0])
      return .bool
    case .filter:
      condition(rest[0])
      let facts = (outcome.whenTrue ?? []).compactMap { $0.replacingRoot(variable, with: "@") }
      outcome = Outcome(elements: held.union(facts))
      return .list(facts.contains("@") ? types.resolve(key).withoutNull : key)
    case .transformMap(mergesEntries: false): return .map(key, check(last))
    case .transformMap(mergesEntries: true):
      let entry = check(last)
      let map = CELType.map(types.fresh(), types.fresh())
      return expect(entry, map, "`transformMapEntry` takes a map here", at: last)
        ? types.resolve(map) : .dyn
    default: return .list(check(last))
    }
  }

  /// Returns the types of a loop's variables: the element, or index and element, or key and value.
  private mutating func elements(
    of range: CELType, _ origin: Expression, count: Int
  ) -> (CELType, CELType) {
    let range = opened(range)
    switch range {
    case .list(let element): return count == 2 ? (.int, element) : (element, .dyn)
    case .map(let key, let value): return (key, value)
    case .record: return elements(of: range.withoutRecord, origin, count: count)
    case let other:
      if other != .dyn {
        report(
          .wrongType, "cannot iterate over \(name(range)), only over a list or map",
          at: origin.range)
      }
      return (.dyn, .dyn)
    }
  }

  private mutating func iterate(
    _ iteration: Iteration, _ origin: Expression, _ receiver: Expression,
    arguments: [Expression]
  ) -> CELType {
    var names: [String: CELType] = [:]
    let wanted = types.instantiate(iteration.receiver, &names)
    let given = present(check(receiver), receiver, for: "null has no elements")
    let held = outcome.elements
    expect(
      given, wanted, "`\(iteration.name)` is for \(iteration.receiver)", code: .wrongArguments,
      at: receiver)
    var variables: [(String, CELType)] = []
    for (argument, type) in zip(arguments, iteration.variables) {
      guard let name = variable(argument) else { return .dyn }
      variables.append((name, types.resolve(types.instantiate(type, &names))))
    }
    let expected = types.instantiate(iteration.expression, &names)
    let body = arguments[arguments.count - 1]
    let first = variables.first?.0
    let facts = Set(held.compactMap { held in first.flatMap { held.replacingRoot("@", with: $0) } })
    var found = withVariables(variables, facts: facts) { $0.check(body) }
    found = present(found, body, for: "`\(iteration.name)` does not accept null")
    outcome = Outcome()
    if iteration.name == "sortBy" {
      outcome.elements = held
      if case .list(let keys) = body.kind, let name = variables.first?.0 {
        let calls = keys.reversed().map { ".sortBy(\(name), \($0.value))" }.joined()
        report(
          .wrongArguments, "`sortBy` takes one key here, not a list of them", at: body.range,
          help: keys.isEmpty
            ? "give a key, such as a property of \(name)"
            : "the order of equal elements is kept: write `\(Self.operandText(receiver))\(calls)`")
      }
    }
    if iteration.name == "groupBy" {
      outcome.elements = Set(held.map { "@" + $0 } + ["@" + Self.elementFact])
    }
    expect(
      found, expected, "`\(iteration.name)` takes \(iteration.expression) here",
      code: .wrongArguments,
      at: body)
    return types.resolve(types.instantiate(iteration.result, &names))
  }

  // MARK: - Blocks and variables

  private mutating func block(_ arguments: [Expression]) -> CELType {
    guard case .list(let elements) = arguments[0].kind else {
      return report(
        .wrongArguments, "`cel.block` takes a list of expressions", at: arguments[0].range)
    }
    blocks.append([])
    defer { blocks.removeLast() }
    for element in elements {
      let type = check(element.value)
      blocks[blocks.count - 1].append(type)
    }
    return check(arguments[1])
  }

  private mutating func variable(_ argument: Expression) -> String? {
    if let name = environment.variableName(argument) { return name }
    report(
      .wrongArguments, "expected the name of a variable", at: argument.range)
    return nil
  }
}
