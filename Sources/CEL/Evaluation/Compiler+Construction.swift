extension Compiler {
  /// Compiles `[a, ?b, …]`.
  mutating func list(
    _ origin: Expression, _ elements: [Expression.Element]
  ) throws(ExpressionError) -> Node {
    let parts = try compileAll(elements.map(\.value))
    return fold(parts) { frame throws(EvaluationError) in
      try frame.charge(elements: parts.count)
      var list: [Value] = []
      list.reserveCapacity(parts.count)
      for index in parts.indices {
        let value = try parts[index].evaluate(&frame)
        if let value = try value.held(if: elements[index].isOptional, at: origin) {
          list.append(value)
        }
      }
      return .list(list)
    }
  }

  /// Compiles `{key: value, ?key: value, …}`.
  mutating func map(
    _ origin: Expression, _ entries: [Expression.Element]
  ) throws(ExpressionError) -> Node {
    let keys = try compileAll(entries.compactMap(\.key))
    let values = try compileAll(entries.map(\.value))
    return fold(keys + values) { frame throws(EvaluationError) in
      try frame.charge(elements: entries.count)
      var map = MapValue()
      for index in entries.indices {
        let key = try keys[index].evaluate(&frame)
        guard key.canBeKey else {
          throw EvaluationError(.stated(.invalidArgument, key.keyProblem), at: origin)
        }
        let value = try values[index].evaluate(&frame)
        guard let value = try value.held(if: entries[index].isOptional, at: origin) else {
          continue
        }
        if map[key] != nil { throw EvaluationError(.repeatedKey(key), at: origin) }
        map[key] = value
      }
      return .map(map)
    }
  }

  /// Compiles `Name{field: value, …}`.
  mutating func object(
    _ origin: Expression, _ name: String, _ fields: [Expression.Element], isRooted: Bool
  ) throws(ExpressionError) -> Node {
    let parts = try compileAll(fields.map(\.value))
    guard let type = environment.objectType(name, isRooted: isRooted) else {
      return Node(
        failing: EvaluationError(.stated(.unknownVariable, "unknown type `\(name)`"), at: origin))
    }
    if let unknown = fields.first(where: { type.record[$0.name] == nil }) {
      return Node(
        failing: EvaluationError(
          .noSuchField(unknown.name, type: type.name, known: type.record.names), at: origin))
    }
    return Node(over: parts) { frame throws(EvaluationError) in
      var values: [(String, Value)] = []
      for index in parts.indices {
        let value = try parts[index].evaluate(&frame)
        if let value = try value.held(if: fields[index].isOptional, at: origin) {
          values.append((fields[index].name, value))
        }
      }
      guard let make = type.make else {
        throw EvaluationError(
          .stated(.invalidArgument, "`\(type.name)` cannot be constructed in an expression"),
          at: origin)
      }
      return .object(
        try origin.locating { () throws(EvaluationError) in try make(MapValue(values)) })
    }
  }
}

extension Value {
  /// Whether it can be the key of a map.
  var canBeKey: Bool {
    switch self {
    case .bool, .int, .uint, .string: true
    default: false
    }
  }

  /// The message for a value that cannot be a key.
  var keyProblem: String {
    "\(kindName) cannot be the key of a map: keys are bool, int, uint or string"
  }

  /// Returns the value wrapped by an optional, or the value itself for a part without a question mark.
  func held(if isOptional: Bool = true, at origin: Expression) throws(EvaluationError) -> Value? {
    if !isOptional { return self }
    if case .optional(let optional) = self { return optional.wrapped }
    throw EvaluationError(.unfit("`?` takes an optional, not", kind: kindName), at: origin)
  }
}
