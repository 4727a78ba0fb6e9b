/// `[a, ?b, …]`.
struct ListNode: Node {
  /// The elements in order.
  let elements: [(node: any Node, isOptional: Bool)]
  /// Where it stands in the expression.
  let origin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    try frame.charge(elements: elements.count)
    var list: [Value] = []
    list.reserveCapacity(elements.count)
    for element in elements {
      let value = try element.node.evaluate(&frame)
      if !element.isOptional {
        list.append(value)
      } else if let held = try value.held(at: origin) {
        list.append(held)
      }
    }
    return .list(list)
  }

  var cost: Int { elements.reduce(1) { $0 + $1.node.cost } }
}

/// `{key: value, ?key: value, …}`.
struct MapNode: Node {
  /// The entries in order.
  let entries: [(key: any Node, value: any Node, isOptional: Bool)]
  /// Where it stands in the expression.
  let origin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    try frame.charge(elements: entries.count)
    var map = MapValue()
    for entry in entries {
      let key = try entry.key.evaluate(&frame)
      guard key.canBeKey else { throw EvaluationError(.badKey(key.kindName), at: origin) }
      var value = try entry.value.evaluate(&frame)
      if entry.isOptional {
        guard let held = try value.held(at: origin) else { continue }
        value = held
      }
      if map[key] != nil { throw EvaluationError(.repeatedKey(key), at: origin) }
      map[key] = value
    }
    return .map(map)
  }

  var cost: Int { entries.reduce(1) { $0 + $1.key.cost + $1.value.cost } }
}

/// `Name{field: value, …}`.
struct ObjectNode: Node {
  /// The type.
  let type: ObjectType
  /// The fields given.
  let fields: [(name: String, value: any Node, isOptional: Bool)]
  /// Where it stands in the expression.
  let origin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var values: [(String, Value)] = []
    for field in fields {
      var value = try field.value.evaluate(&frame)
      if field.isOptional {
        guard let held = try value.held(at: origin) else { continue }
        value = held
      }
      values.append((field.name, value))
    }
    guard let make = type.make else {
      throw EvaluationError(
        .stated(.invalidArgument, "`\(type.name)` can't be made by an expression"), at: origin)
    }
    do throws(EvaluationError) {
      return .object(try make(MapValue(values)))
    } catch {
      throw error.located(at: origin)
    }
  }

  var cost: Int { fields.reduce(1) { $0 + $1.value.cost } }
}

extension Value {
  /// Whether a map may have it as a key.
  var canBeKey: Bool {
    switch self {
    case .bool, .int, .uint, .string: true
    default: false
    }
  }

  /// What an optional holds, for a part written with a question mark.
  func held(at origin: Expression) throws(EvaluationError) -> Value? {
    guard case .optional(let optional) = self else {
      throw EvaluationError(.notOptional(kindName), at: origin)
    }
    return optional.wrapped
  }
}
