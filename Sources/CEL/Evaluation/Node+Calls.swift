/// A call without arguments.
struct NullaryCallNode: Node {
  /// What is evaluated with it.
  let body: Function.Nullary
  /// Where it stands in the expression.
  let origin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    try frame.charge(1)
    do throws(EvaluationError) { return try body() } catch { throw error.located(at: origin) }
  }
}

/// A call with one argument.
struct UnaryCallNode: Node {
  /// What an overload takes, and does.
  struct Overload: Sendable {
    /// The type.
    let type: CELType
    /// What is evaluated with it.
    let body: Function.Unary
  }

  /// The overloads that may be meant, the first first.
  let overloads: [Overload]
  /// The argument.
  let argument: any Node
  /// What the call knows of itself.
  let call: CallSite

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let value = try argument.evaluate(&frame)
    for index in overloads.indices where overloads[index].type.accepts(value) {
      try frame.charge(value.bulk)
      do throws(EvaluationError) {
        let result = try overloads[index].body(value)
        try frame.charge(result.bulk)
        return result
      } catch {
        throw error.located(at: call.origin)
      }
    }
    throw call.mismatch([value])
  }

  var cost: Int { 2 + argument.cost }
}

/// A call with two arguments, the receiver counted.
struct BinaryCallNode: Node {
  /// What an overload takes, and does.
  struct Overload: Sendable {
    /// The first argument.
    let first: CELType
    /// The second argument.
    let second: CELType
    /// What is evaluated with it.
    let body: Function.Binary
  }

  /// The overloads that may be meant, the first first.
  let overloads: [Overload]
  /// The first argument.
  let first: any Node
  /// The second argument.
  let second: any Node
  /// What the call knows of itself.
  let call: CallSite

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let a = try first.evaluate(&frame)
    let b = try second.evaluate(&frame)
    for index in overloads.indices
    where overloads[index].first.accepts(a) && overloads[index].second.accepts(b) {
      try frame.charge(a.bulk + b.bulk)
      do throws(EvaluationError) {
        return try overloads[index].body(a, b)
      } catch {
        throw error.located(at: call.origin)
      }
    }
    throw call.mismatch([a, b])
  }

  var cost: Int { 2 + first.cost + second.cost }
}

/// A call with any number of arguments, the receiver counted.
struct CallNode: Node {
  /// The arguments in order.
  let arguments: [any Node]
  /// What the call knows of itself.
  let call: CallSite

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var values: [Value] = []
    values.reserveCapacity(arguments.count)
    var bulk = 1
    for argument in arguments {
      let value = try argument.evaluate(&frame)
      bulk += value.bulk
      values.append(value)
    }
    let function = call.overloads.first { $0.accepts(values) }
    try frame.charge(min(bulk, function?.mostBulk ?? .max))
    guard let function else { throw call.mismatch(values) }
    do throws(EvaluationError) {
      return try function.call(values, mustStop: frame.mustStop)
    } catch {
      throw error.located(at: call.origin)
    }
  }

  var cost: Int { arguments.reduce(2) { $0 + $1.cost } }
}

/// A call of a macro that the host adds.
struct IterationNode: Node {
  /// The macro.
  let iteration: Iteration
  /// What it goes through.
  let receiver: any Node
  /// The slots of its variables.
  let slots: [Int]
  /// What is evaluated for each value.
  let expression: any Node
  /// What one pass costs.
  let passCost: Int
  /// What the call knows of itself.
  let call: CallSite

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let value = try receiver.evaluate(&frame)
    guard iteration.receiver.accepts(value) else { throw call.mismatch([value]) }
    try frame.charge(value.bulk)
    do throws(EvaluationError) {
      return try iteration.body(value) { values throws(EvaluationError) in
        try frame.charge(passCost)
        for (slot, value) in zip(slots, values) { frame.locals[slot] = value }
        return try expression.evaluate(&frame)
      }
    } catch {
      throw error.located(at: call.origin)
    }
  }

  var cost: Int { 2 + receiver.cost }
}

/// What a call knows about itself when it fails.
struct CallSite: Sendable {
  /// The name.
  let name: String
  /// The overloads that may be meant, the first first.
  let overloads: [Function]
  /// Where it stands in the expression.
  let origin: Expression

  /// The error of arguments that no overload takes.
  func mismatch(_ values: [Value]) -> EvaluationError {
    EvaluationError(
      .arguments(name, values.map(\.kindName), signatures: overloads.map(\.signature)),
      at: origin)
  }
}

extension Function {
  /// The most that a call pays for its arguments: one that watches its own time has another bound.
  fileprivate var mostBulk: Int {
    if case .watched = body { 1 << 16 } else { .max }
  }

  /// Calls it with as many arguments as it has parameters.
  ///
  /// - Parameter mustStop: Tells whether the evaluation is to end; nil where nobody ends it.
  func call(
    _ values: [Value], mustStop: (() -> Bool)? = nil
  ) throws(EvaluationError) -> Value {
    switch (body, values.count) {
    case (.nullary(let body), 0): return try body()
    case (.unary(let body), 1): return try body(values[0])
    case (.binary(let body), 2): return try body(values[0], values[1])
    case (.ternary(let body), 3): return try body(values[0], values[1], values[2])
    case (.variadic(let body), _): return try body(values)
    case (.watched(let body), _):
      let result = try body(values, mustStop ?? { false })
      if mustStop?() == true { throw EvaluationError(.interrupted) }
      return result
    default: throw EvaluationError(.unknownFunction(name))
    }
  }
}

extension Value {
  /// What a function may have to pay for going through it.
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
