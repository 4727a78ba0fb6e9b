/// A call that is not a function: it binds variables, or uses an argument unevaluated.
enum Macro: Sendable {
  case has, bind, block, blockIndex, blockVariable
  /// `all` and `exists`, with the result that a single element can decide.
  case quantifier(decisive: Bool)
  case existsOne, map, filter, transformList
  case transformMap(mergesEntries: Bool)
  case optionalMap(isFlat: Bool)
  case iteration(Iteration)

  /// Returns the macro of a name in the namespace `cel`.
  static func qualified(_ name: String, argumentCount: Int, knowsBlocks: Bool) -> Macro? {
    switch (name, argumentCount) {
    case ("bind", 3): .bind
    case ("block", 2) where knowsBlocks: .block
    case ("index", 1) where knowsBlocks: .blockIndex
    case ("iterVar", 2) where knowsBlocks, ("accuVar", 2) where knowsBlocks: .blockVariable
    default: nil
    }
  }

  /// Returns the standard macro of a method.
  static func method(_ name: String, argumentCount count: Int) -> Macro? {
    switch (name, count) {
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
    case ("sortBy", 2): return .iteration(FunctionLibrary.sortBy)
    default: return nil
    }
  }

  /// Returns the number of leading arguments that name variables.
  func variableCount(of argumentCount: Int) -> Int {
    switch self {
    case .has, .block, .blockIndex, .blockVariable: 0
    case .bind, .map, .filter, .optionalMap: 1
    case .quantifier, .existsOne: argumentCount - 1
    case .transformList, .transformMap: 2
    case .iteration(let iteration): iteration.variables.count
    }
  }

  /// Returns the index of the first argument in the scope of the variables.
  func firstScopedArgument(of argumentCount: Int) -> Int {
    if case .bind = self { return 2 }
    return variableCount(of: argumentCount)
  }
}

extension Environment {
  /// Returns the name of the variable that a macro argument declares; blocks number theirs.
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
