extension Compiler {
  /// The node of a macro.
  mutating func expand(
    _ macro: Macro, _ origin: Expression, _ receiver: Expression?, _ arguments: [Expression]
  ) throws(ExpressionError) -> any Node {
    switch macro {
    case .has: return try has(origin, arguments[0])
    case .block: return try block(origin, arguments)
    case .blockIndex: return try blockIndex(origin, arguments[0])
    case .blockVariable:
      guard let name = environment.variableName(origin), let slot = local(name) else {
        throw Self.problem("there is no such variable here", origin)
      }
      return LocalNode(slot: slot)
    case .bind:
      let name = try variable(arguments[0])
      let value = try compile(arguments[1])
      return try withVariables([name]) { compiler, slots throws(ExpressionError) in
        BindNode(slot: slots[0], value: value, body: try compiler.compile(arguments[2]))
      }
    case .optionalMap(let isFlat):
      guard let receiver else { return try has(origin, origin) }
      let optional = try compile(receiver)
      let name = try variable(arguments[0])
      return try withVariables([name]) { compiler, slots throws(ExpressionError) in
        OptionalMapNode(
          optional: optional, slot: slots[0], body: try compiler.compile(arguments[1]),
          isFlat: isFlat, origin: origin)
      }
    default: return try loop(macro, origin, receiver ?? origin, arguments)
    }
  }

  /// A macro that goes through a list or map.
  private mutating func loop(
    _ macro: Macro, _ origin: Expression, _ receiver: Expression, _ arguments: [Expression]
  ) throws(ExpressionError) -> any Node {
    let range = try compile(receiver)
    let count = macro.variableCount(of: arguments.count)
    var names: [String] = []
    for argument in arguments.prefix(count) {
      let name = try variable(argument)
      if names.contains(name) {
        throw Self.problem("the variable `\(name)` is named twice", argument)
      }
      names.append(name)
    }
    let rest = Array(arguments.dropFirst(count))
    return try withVariables(names) { compiler, slots throws(ExpressionError) in
      let parts = try compiler.compileAll(rest)
      let loop = Loop(
        range: range, first: slots[0], second: slots.count > 1 ? slots[1] : nil,
        cost: parts.reduce(1) { $0 + $1.cost }, origin: origin)
      let element = LocalNode(slot: slots[0])
      let condition = parts.count > 1 ? (node: parts[0], origin: rest[0]) : nil
      switch macro {
      case .quantifier(let decisive):
        return QuantifierNode(
          loop: loop, condition: parts[0], decisive: decisive, conditionOrigin: rest[0])
      case .existsOne:
        return SingularNode(loop: loop, condition: parts[0], conditionOrigin: rest[0])
      case .filter:
        return CollectNode(loop: loop, condition: (parts[0], rest[0]), result: element)
      case .map, .transformList:
        return CollectNode(loop: loop, condition: condition, result: parts[parts.count - 1])
      case .transformMap(let merges):
        return CollectMapNode(
          loop: loop, condition: condition, result: parts[parts.count - 1],
          mergesEntries: merges)
      case .iteration(let iteration):
        return IterationNode(
          iteration: iteration, receiver: range, slots: slots, expression: parts[0],
          passCost: loop.cost,
          call: CallSite(
            name: iteration.name,
            overloads: [
              Function(
                declaring: iteration.name, .method, [iteration.receiver],
                returns: iteration.result)
            ], origin: origin))
      case .has, .bind, .block, .blockIndex, .blockVariable, .optionalMap:
        return element
      }
    }
  }

  private mutating func has(
    _ origin: Expression, _ argument: Expression
  ) throws(ExpressionError) -> any Node {
    guard case .select(let operand, let field, false) = argument.kind else {
      throw Self.problem(
        "`has` wants a field, as in has(self.title)", argument, help: "compare with null instead")
    }
    let part = try compile(operand)
    return fold(HasNode(operand: part, field: field, origin: argument), [part])
  }

  // MARK: - Blocks

  /// `cel.block([a, b, …], body)`: later parts and the body name earlier ones by number.
  private mutating func block(
    _ origin: Expression, _ arguments: [Expression]
  ) throws(ExpressionError) -> any Node {
    guard case .list(let elements) = arguments[0].kind else {
      throw Self.problem("`cel.block` wants a list of expressions", arguments[0])
    }
    return try withVariables(elements.indices.map { "@index\($0)" }) {
      compiler, slots throws(ExpressionError) in
      compiler.blocks.append([])
      defer { compiler.blocks.removeLast() }
      for (element, slot) in zip(elements, slots) {
        let part = try compiler.compile(element.value)
        compiler.blocks[compiler.blocks.count - 1].append(BlockPartNode(slot: slot, part: part))
      }
      return BlockNode(slots: slots, body: try compiler.compile(arguments[1]))
    }
  }

  private func blockIndex(
    _ origin: Expression, _ argument: Expression
  ) throws(ExpressionError) -> any Node {
    guard case .literal(.int(let index)) = argument.kind, let parts = blocks.last,
      index >= 0, index < Int64(parts.count)
    else { throw Self.problem("there is no such part of a block here", origin) }
    return parts[Int(index)]
  }

  // MARK: - Variables

  private func variable(_ argument: Expression) throws(ExpressionError) -> String {
    if let name = environment.variableName(argument) { return name }
    throw Self.problem("a name for a variable is expected here", argument)
  }

  private static func problem(
    _ message: String, _ origin: Expression, help: String? = nil
  ) -> ExpressionError {
    ExpressionError([Problem(.wrongArguments, message, at: origin.range, help: help)])
  }
}
