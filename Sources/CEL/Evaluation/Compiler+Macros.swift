extension Compiler {
  /// Compiles a macro call.
  mutating func expand(
    _ macro: Macro, _ origin: Expression, _ receiver: Expression?, arguments: [Expression]
  ) throws(ExpressionError) -> Node {
    switch macro {
    case .has: return try has(arguments[0])
    case .block: return try block(arguments)
    case .blockIndex:
      guard case .literal(.int(let index)) = arguments[0].kind, let parts = blocks.last,
        index >= 0, index < Int64(parts.count)
      else { throw Self.problem("unknown block index", origin) }
      return parts[Int(index)]
    case .blockVariable:
      guard let name = environment.variableName(origin), let slot = local(name) else {
        throw Self.problem("unknown variable", origin)
      }
      return Node(local: slot)
    case .bind:
      let name = try variable(arguments[0])
      let value = try compile(arguments[1])
      return try withVariables([name]) { compiler, slots throws(ExpressionError) in
        let body = try compiler.compile(arguments[2])
        return Node(over: [value, body]) { frame throws(EvaluationError) in
          frame.locals[slots[0]] = try value.evaluate(&frame)
          return try body.evaluate(&frame)
        }
      }
    case .optionalMap(let isFlat):
      let optional = try compile(receiver ?? origin)
      let name = try variable(arguments[0])
      return try withVariables([name]) { compiler, slots throws(ExpressionError) in
        let body = try compiler.compile(arguments[1])
        return Node(over: [optional, body]) { frame throws(EvaluationError) in
          guard let held = try optional.evaluate(&frame).held(at: origin) else {
            return .optional(.none)
          }
          frame.locals[slots[0]] = held
          let value = try body.evaluate(&frame)
          if !isFlat { return .optional(OptionalValue(value)) }
          _ = try value.held(at: origin)
          return value
        }
      }
    default: return try loop(macro, origin, receiver ?? origin, arguments: arguments)
    }
  }

  /// Compiles a macro that iterates over a list or map.
  private mutating func loop(
    _ macro: Macro, _ origin: Expression, _ receiver: Expression, arguments: [Expression]
  ) throws(ExpressionError) -> Node {
    let range = try compile(receiver)
    let count = macro.variableCount(of: arguments.count)
    var names: [String] = []
    for argument in arguments.prefix(count) {
      let name = try variable(argument)
      if names.contains(name) {
        throw Self.problem("duplicate variable `\(name)`", argument)
      }
      names.append(name)
    }
    let rest = Array(arguments.dropFirst(count))
    return try withVariables(names) { compiler, slots throws(ExpressionError) in
      let parts = try compiler.compileAll(rest)
      let isFiltered =
        switch macro {
        case .filter, .existsOne: true
        default: parts.count > 1
        }
      let loop = Loop(
        range: range, slots: slots, condition: isFiltered ? (parts[0], rest[0]) : nil,
        cost: parts.reduce(1) { $0 + $1.cost }, origin: origin)
      switch macro {
      case .quantifier(let decisive):
        return loop.quantifier(parts[0], at: rest[0], decisive: decisive)
      case .existsOne:
        return loop.node { frame throws(EvaluationError) in
          var count = 0
          try loop.run(&frame) { _ in
            count += 1
            return true
          }
          return .bool(count == 1)
        }
      case .transformMap(let merges): return loop.map(of: parts[parts.count - 1], merges: merges)
      case .iteration(let iteration): return Self.iterate(iteration, loop, parts[0])
      case .filter: return loop.list(of: Node(local: slots[0]))
      default: return loop.list(of: parts[parts.count - 1])
      }
    }
  }

  /// Compiles a host-defined macro.
  private static func iterate(_ iteration: Iteration, _ loop: Loop, _ expression: Node) -> Node {
    Node(over: [loop.range], cost: 2) { frame throws(EvaluationError) in
      let value = try loop.range.evaluate(&frame)
      guard iteration.receiver.accepts(value) else {
        let signature = "\(iteration.receiver).\(iteration.name)()"
        throw EvaluationError(
          .arguments(iteration.name, [value.kindName], signatures: [signature]), at: loop.origin)
      }
      try frame.charge(value.bulk)
      return try loop.origin.locating { () throws(EvaluationError) in
        try iteration.body(value) { values throws(EvaluationError) in
          try frame.charge(loop.cost)
          for (slot, value) in zip(loop.slots, values) { frame.locals[slot] = value }
          return try expression.evaluate(&frame)
        }
      }
    }
  }

  /// Compiles `cel.block([a, b, …], body)`: later parts and the body refer to earlier parts by number.
  private mutating func block(_ arguments: [Expression]) throws(ExpressionError) -> Node {
    guard case .list(let elements) = arguments[0].kind else {
      throw Self.problem("`cel.block` takes a list of expressions", arguments[0])
    }
    return try withVariables(elements.indices.map { "@index\($0)" }) {
      compiler, slots throws(ExpressionError) in
      compiler.blocks.append([])
      defer { compiler.blocks.removeLast() }
      for (element, slot) in zip(elements, slots) {
        let part = try compiler.compile(element.value)
        // Parts are evaluated lazily.
        let node = Node { frame throws(EvaluationError) in
          if let value = frame.locals[slot] { return value }
          try frame.charge(part.cost)
          let value = try part.evaluate(&frame)
          frame.locals[slot] = value
          return value
        }
        compiler.blocks[compiler.blocks.count - 1].append(node)
      }
      let body = try compiler.compile(arguments[1])
      return Node(over: [body]) { frame throws(EvaluationError) in
        // Discards the values of an earlier iteration.
        for slot in slots { frame.locals[slot] = nil }
        return try body.evaluate(&frame)
      }
    }
  }

  private func variable(_ argument: Expression) throws(ExpressionError) -> String {
    if let name = environment.variableName(argument) { return name }
    throw Self.problem("expected the name of a variable", argument)
  }

  /// Returns the error of a malformed macro call.
  static func problem(
    _ message: String, _ origin: Expression, help: String? = nil
  ) -> ExpressionError {
    ExpressionError([Problem(.wrongArguments, message, at: origin.range, help: help)])
  }
}
