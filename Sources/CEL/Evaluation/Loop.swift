/// A macro that iterates over a list or map.
struct Loop: Sendable {
  /// The collection.
  let range: Node
  /// The slots of its variables: the element or map key; with two, the index or key, and the element or value.
  let slots: [Int]
  /// The filter of a `map` with a condition, or of `filter` and `existsOne`.
  let condition: (node: Node, origin: Expression)?
  /// The cost of one iteration in steps.
  let cost: Int
  /// The expression of the loop.
  let origin: Expression

  /// Returns the node of the loop's result.
  func node(_ body: @escaping Node.Body) -> Node { Node(over: [range], body) }

  /// Calls `body` for each iteration that passes the filter, until it returns false.
  @inline(__always)
  func run(
    _ frame: inout Frame, _ body: (inout Frame) throws(EvaluationError) -> Bool
  ) throws(EvaluationError) {
    let first = slots[0]
    let second = slots.count > 1 ? slots[1] : nil
    /// Runs one iteration; returns false to stop.
    func pass(_ key: Value, _ value: Value?) throws(EvaluationError) -> Bool {
      try frame.charge(cost)
      frame.locals[first] = key
      if let second { frame.locals[second] = value }
      if let condition, try !condition.node.holds(&frame, at: condition.origin) { return true }
      return try body(&frame)
    }
    switch try range.evaluate(&frame) {
    case .list(let list):
      for index in list.indices {
        let goesOn =
          second == nil
          ? try pass(list[index], nil) : try pass(.int(Int64(index)), list[index])
        if !goesOn { return }
      }
    case .map(let map):
      for entry in map.entries where try !pass(entry.key, entry.value) { return }
    case let value:
      throw EvaluationError(.unfit("cannot iterate over", kind: value.kindName), at: origin)
    }
  }

  /// Returns the node of `range.all(x, condition)` or `range.exists(x, condition)`.
  ///
  /// - Parameter decisive: The result that a single element can decide: true for `exists`, false for `all`.
  func quantifier(_ test: Node, at origin: Expression, decisive: Bool) -> Node {
    node { frame throws(EvaluationError) in
      var failure: EvaluationError?
      var isDecided = false
      try run(&frame) { frame throws(EvaluationError) in
        do throws(EvaluationError) {
          isDecided = try test.holds(&frame, at: origin) == decisive
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
  }

  /// Returns the node of `range.map(x, value)`, `range.filter(x, condition)` and the like: a list of results.
  func list(of result: Node) -> Node {
    node { frame throws(EvaluationError) in
      var list: [Value] = []
      try run(&frame) { frame throws(EvaluationError) in
        list.append(try result.evaluate(&frame))
        return true
      }
      return .list(list)
    }
  }

  /// Returns the node of `range.transformMap(k, v, value)` or `transformMapEntry`: a map of results.
  ///
  /// - Parameter merges: Whether each result is a map to merge, not the value of the iteration's key.
  func map(of result: Node, merges: Bool) -> Node {
    node { frame throws(EvaluationError) in
      var map = MapValue()
      try run(&frame) { frame throws(EvaluationError) in
        let value = try result.evaluate(&frame)
        if !merges {
          if let key = frame.locals[slots[0]] { map[key] = value }
          return true
        }
        guard case .map(let entries) = value else {
          throw EvaluationError(
            .arguments("transformMapEntry", [value.kindName], signatures: []), at: origin)
        }
        for entry in entries.entries {
          if map[entry.key] != nil { throw EvaluationError(.repeatedKey(entry.key), at: origin) }
          map[entry.key] = entry.value
        }
        return true
      }
      return .map(map)
    }
  }
}
