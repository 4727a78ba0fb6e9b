/// What every macro that goes through a list or map has in common.
struct Loop: Sendable {
  /// What is gone through.
  let range: any Node
  /// The slot of the element, of the key of a map, or of the index when there are two variables.
  let first: Int
  /// The slot of the element or value, when there are two variables.
  let second: Int?
  /// What one pass costs.
  let cost: Int
  /// Where it stands in the expression.
  let origin: Expression

  /// Calls `body` for each pass until it returns false.
  @inline(__always)
  func run(
    _ frame: inout Frame, _ body: (inout Frame) throws(EvaluationError) -> Bool
  ) throws(EvaluationError) {
    switch try range.evaluate(&frame) {
    case .list(let list):
      if let second {
        for index in list.indices {
          try frame.charge(cost)
          frame.locals[first] = .int(Int64(index))
          frame.locals[second] = list[index]
          if try !body(&frame) { return }
        }
      } else {
        for element in list {
          try frame.charge(cost)
          frame.locals[first] = element
          if try !body(&frame) { return }
        }
      }
    case .map(let map):
      for entry in map.entries {
        try frame.charge(cost)
        frame.locals[first] = entry.key
        if let second { frame.locals[second] = entry.value }
        if try !body(&frame) { return }
      }
    case let value: throw EvaluationError(.notIterable(value.kindName), at: origin)
    }
  }
}

/// `range.all(x, condition)` and `range.exists(x, condition)`.
struct QuantifierNode: Node {
  /// What it goes through.
  let loop: Loop
  /// The condition.
  let condition: any Node
  /// The answer that one pass can settle: true for `exists`, false for `all`.
  let decisive: Bool
  /// Where the condition stands.
  let conditionOrigin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var failure: EvaluationError?
    var isDecided = false
    try loop.run(&frame) { frame throws(EvaluationError) in
      do throws(EvaluationError) {
        let value = try condition.evaluate(&frame)
        guard case .bool(let holds) = value else {
          throw EvaluationError(.notBool(value.kindName), at: conditionOrigin)
        }
        isDecided = holds == decisive
      } catch {
        if error.isFinal { throw error }
        failure = failure ?? error
      }
      return !isDecided
    }
    if isDecided { return .bool(decisive) }
    if let failure { throw failure }
    return .bool(!decisive)
  }

  var cost: Int { 1 + loop.range.cost }
}

/// `range.exists_one(x, condition)`.
struct SingularNode: Node {
  /// What it goes through.
  let loop: Loop
  /// The condition.
  let condition: any Node
  /// Where the condition stands.
  let conditionOrigin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var count = 0
    try loop.run(&frame) { frame throws(EvaluationError) in
      if try condition.holds(&frame, at: conditionOrigin) { count += 1 }
      return true
    }
    return .bool(count == 1)
  }

  var cost: Int { 1 + loop.range.cost }
}

/// `range.map(x, value)`, `range.filter(x, condition)` and their kin: a list of results.
struct CollectNode: Node {
  /// What it goes through.
  let loop: Loop
  /// The condition.
  let condition: (node: any Node, origin: Expression)?
  /// What each pass gives.
  let result: any Node

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var list: [Value] = []
    try loop.run(&frame) { frame throws(EvaluationError) in
      if let condition, try !condition.node.holds(&frame, at: condition.origin) { return true }
      list.append(try result.evaluate(&frame))
      return true
    }
    return .list(list)
  }

  var cost: Int { 1 + loop.range.cost }
}

/// `range.transformMap(k, v, value)` and `transformMapEntry`: a map of results.
struct CollectMapNode: Node {
  /// What it goes through.
  let loop: Loop
  /// The condition.
  let condition: (node: any Node, origin: Expression)?
  /// What each pass gives.
  let result: any Node
  /// Whether the result is a map whose entries are merged, not a value for the pass's own key.
  let mergesEntries: Bool

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var map = MapValue()
    try loop.run(&frame) { frame throws(EvaluationError) in
      if let condition, try !condition.node.holds(&frame, at: condition.origin) { return true }
      let value = try result.evaluate(&frame)
      if !mergesEntries {
        if let key = frame.locals[loop.first] { map[key] = value }
        return true
      }
      guard case .map(let entries) = value else {
        throw EvaluationError(.arguments("transformMapEntry", [value.kindName], signatures: []))
          .located(at: loop.origin)
      }
      for entry in entries.entries {
        if map[entry.key] != nil {
          throw EvaluationError(.repeatedKey(entry.key), at: loop.origin)
        }
        map[entry.key] = entry.value
      }
      return true
    }
    return .map(map)
  }

  var cost: Int { 1 + loop.range.cost }
}

/// `cel.bind(x, value, body)`: the value is made once.
struct BindNode: Node {
  /// The slot of its variable.
  let slot: Int
  /// The value.
  let value: any Node
  /// What is evaluated with it.
  let body: any Node

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    frame.locals[slot] = try value.evaluate(&frame)
    return try body.evaluate(&frame)
  }

  var cost: Int { 1 + value.cost + body.cost }
}

/// `cel.block([a, b, …], body)`: forgets what its parts were, so that they are made anew.
struct BlockNode: Node {
  /// The slots of its variables.
  let slots: [Int]
  /// What is evaluated with it.
  let body: any Node

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    for slot in slots { frame.locals[slot] = nil }
    return try body.evaluate(&frame)
  }

  var cost: Int { 1 + body.cost }
}

/// `cel.index(n)`: a part of a block, made when it is first needed.
struct BlockPartNode: Node {
  /// The slot of its variable.
  let slot: Int
  /// The part.
  let part: any Node

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    if let value = frame.locals[slot] { return value }
    try frame.charge(part.cost)
    let value = try part.evaluate(&frame)
    frame.locals[slot] = value
    return value
  }
}

/// `optional.optMap(x, body)` and `optFlatMap`.
struct OptionalMapNode: Node {
  /// The optional.
  let optional: any Node
  /// The slot of its variable.
  let slot: Int
  /// What is evaluated with it.
  let body: any Node
  /// Whether the body gives an optional by itself.
  let isFlat: Bool
  /// Where it stands in the expression.
  let origin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    guard let held = try optional.evaluate(&frame).held(at: origin) else {
      return .optional(.none)
    }
    frame.locals[slot] = held
    let value = try body.evaluate(&frame)
    if !isFlat { return .optional(OptionalValue(value)) }
    guard case .optional = value else {
      throw EvaluationError(.notOptional(value.kindName), at: origin)
    }
    return value
  }

  var cost: Int { 1 + optional.cost + body.cost }
}

extension Node {
  /// Evaluates to a bool, which a condition must be.
  func holds(_ frame: inout Frame, at origin: Expression) throws(EvaluationError) -> Bool {
    let value = try evaluate(&frame)
    guard case .bool(let holds) = value else {
      throw EvaluationError(.notBool(value.kindName), at: origin)
    }
    return holds
  }
}
