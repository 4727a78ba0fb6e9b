/// A call that is no function: it names variables, or looks at an argument unevaluated.
enum Macro: Sendable {
  case has, bind, block, blockIndex, blockVariable
  /// `all` and `exists`, with the answer that one pass can settle.
  case quantifier(decisive: Bool)
  case existsOne, map, filter, transformList
  case transformMap(mergesEntries: Bool)
  case optionalMap(isFlat: Bool)
  case iteration(Iteration)

  /// The standard macro that a call of this form means.
  static func standard(
    _ name: String, namespace: String?, hasReceiver: Bool, argumentCount count: Int
  ) -> Macro? {
    guard hasReceiver else { return name == "has" && count == 1 ? .has : nil }
    switch (name, count) {
    case ("bind", 3) where namespace == "cel": return .bind
    case ("block", 2) where namespace == "cel": return .block
    case ("index", 1) where namespace == "cel": return .blockIndex
    case ("iterVar", 2) where namespace == "cel": return .blockVariable
    case ("accuVar", 2) where namespace == "cel": return .blockVariable
    case ("all", 2), ("all", 3): return .quantifier(decisive: false)
    case ("exists", 2), ("exists", 3): return .quantifier(decisive: true)
    case ("exists_one", 2), ("exists_one", 3), ("existsOne", 2), ("existsOne", 3):
      return .existsOne
    case ("map", 2), ("map", 3): return .map
    case ("filter", 2): return .filter
    case ("transformList", 3), ("transformList", 4): return .transformList
    case ("transformMap", 3), ("transformMap", 4): return .transformMap(mergesEntries: false)
    case ("transformMapEntry", 3), ("transformMapEntry", 4):
      return .transformMap(mergesEntries: true)
    case ("optMap", 2): return .optionalMap(isFlat: false)
    case ("optFlatMap", 2): return .optionalMap(isFlat: true)
    default: return nil
    }
  }

  /// How many of a call's first arguments name variables.
  func variableCount(of argumentCount: Int) -> Int {
    switch self {
    case .has, .block, .blockIndex, .blockVariable: 0
    case .bind, .map, .filter, .optionalMap: 1
    case .quantifier, .existsOne: argumentCount - 1
    case .transformList, .transformMap: 2
    case .iteration(let iteration): iteration.variables.count
    }
  }

  /// The first argument that sees the variables; the receiver and those before do not.
  func firstScopedArgument(of argumentCount: Int) -> Int {
    if case .bind = self { return 2 }
    return variableCount(of: argumentCount)
  }
}

extension Environment {
  /// The name that an argument of a macro gives to a variable; blocks number theirs.
  func variableName(_ argument: Expression) -> String? {
    switch argument.kind {
    case .identifier(let name, isRooted: false): return name
    case .call("iterVar", _?, let numbers, _) where knowsBlocks,
      .call("accuVar", _?, let numbers, _) where knowsBlocks:
      guard numbers.count == 2, case .literal(.int(let depth)) = numbers[0].kind,
        case .literal(.int(let position)) = numbers[1].kind
      else { return nil }
      return "@it:\(depth):\(position)"
    default: return nil
    }
  }
}
