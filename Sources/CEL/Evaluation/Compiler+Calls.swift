extension Compiler {
  /// Compiles a call of a macro or of a function's overloads.
  mutating func call(
    _ origin: Expression, _ name: String, _ receiver: Expression?, arguments: [Expression],
    isRooted: Bool
  ) throws(ExpressionError) -> Node {
    if let macro = environment.macro(name, receiver: receiver, argumentCount: arguments.count) {
      return try expand(macro, origin, receiver, arguments: arguments)
    }
    let callee = environment.callee(
      name, receiver, arguments, isRooted: isRooted,
      isLocal: receiver.map(beginsWithLocal) ?? false)
    guard let callee else {
      return Node(failing: EvaluationError(.unknownFunction(name), at: origin))
    }
    return call(origin, callee.name, callee.overloads, arguments: try compileAll(callee.arguments))
  }

  /// Compiles a call of the overloads that take this many arguments.
  private mutating func call(
    _ origin: Expression, _ name: String, _ overloads: [Function], arguments: [Node]
  ) -> Node {
    let fitting = ordered(overloads.filter { $0.takes(arguments.count) }, at: origin)
    if fitting.isEmpty {
      let signatures = overloads.map { "`\($0.signature)`" }.joined(separator: " or ")
      let message = "`\(name)` cannot take this number of arguments; expected \(signatures)"
      return Node(failing: EvaluationError(.stated(.noMatchingOverload, message), at: origin))
    }
    if arguments.count == 2,
      let matches = FunctionLibrary.matcher(name, pattern: arguments[1].constant)
    {
      return Node(over: [arguments[0]], cost: 4) { frame throws(EvaluationError) in
        let value = try arguments[0].evaluate(&frame)
        guard case .string(let text) = value else {
          throw Self.mismatch(origin, name, [value, .string("")], overloads: fitting)
        }
        try frame.charge(value.bulk + 1)
        return .bool(matches(text))
      }
    }
    let body: Node.Body = { frame throws(EvaluationError) in
      var values = Arguments()
      var bulk = 0
      for argument in arguments {
        let value = try argument.evaluate(&frame)
        bulk += value.bulk
        values.append(value)
      }
      guard let index = fitting.firstIndex(where: { $0.accepts(values) }) else {
        throw Self.mismatch(origin, name, values.all, overloads: fitting)
      }
      // A function that polls for interruption bounds its own work.
      try frame.charge(fitting[index].isWatched ? min(bulk, 1 << 16) : bulk)
      return try origin.locating { () throws(EvaluationError) in
        let result = try fitting[index].body(values, frame.mustStop)
        if values.count == 1 { try frame.charge(result.bulk) }
        return result
      }
    }
    if fitting.allSatisfy(\.isPure) { return fold(arguments, cost: 2, body) }
    isPure = false
    return Node(over: arguments, cost: 2, body)
  }

  /// Returns overloads in the order in which they are tried: the one chosen by types comes first.
  private func ordered(_ functions: [Function], at origin: Expression) -> [Function] {
    guard let first = overloads[origin.range], functions.indices.contains(first) else {
      return functions
    }
    return [functions[first]] + functions[..<first] + functions[(first + 1)...]
  }

  /// Returns the error for arguments that no overload accepts.
  private static func mismatch(
    _ origin: Expression, _ name: String, _ values: [Value], overloads: [Function]
  ) -> EvaluationError {
    EvaluationError(
      .arguments(name, values.map(\.kindName), signatures: overloads.map(\.signature)), at: origin)
  }
}

extension Value {
  /// The cost of traversing it, in steps.
  var bulk: Int {
    switch self {
    case .string(let text): text.utf8.count / 16
    case .bytes(let bytes): bytes.count / 16
    case .list(let list): list.count
    case .map(let map): map.count
    default: 0
    }
  }
}

extension Expression {
  /// Runs `body` and gives its failure the location of this expression, unless it has one.
  func locating<Result>(
    _ body: () throws(EvaluationError) -> Result
  ) throws(EvaluationError) -> Result {
    do throws(EvaluationError) { return try body() } catch { throw error.located(at: self) }
  }
}
